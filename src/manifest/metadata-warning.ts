/** What people should be told of a package. Cargo Book: Publishing on crates.io, Before publishing a new crate. */
import type { AnnotatedWarning } from '../errors/warning.ts';
import type { PackageManifest } from './manifest.ts';

/** Of each group one field is enough. */
const WANTED = [
  ['description'],
  ['license', 'licenseFile'],
  ['documentation', 'homepage', 'repository'],
] as const;

/** The warning that cargo gives where a manifest says too little about its package; null if it says enough. */
export function metadataWarning(manifest: PackageManifest): AnnotatedWarning | null {
  const missing = WANTED.filter((group) => group.every((field) => (manifest[field] ?? '') === ''))
    .flat()
    .map((field) => (field === 'licenseFile' ? 'license-file' : field));
  const last = missing.pop();
  if (last === undefined) return null;
  const things = missing.length === 0 ? last : `${missing.join(', ')} or ${last}`;
  return {
    title: `manifest has no ${things}`,
    remarks: [
      {
        label: 'note',
        text: 'see https://doc.rust-lang.org/cargo/reference/manifest.html#package-metadata for more info',
      },
    ],
  };
}
