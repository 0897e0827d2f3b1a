/** Metadata that a published crate should have. Cargo Book: Publishing on crates.io, Before publishing a new crate. */
import type { AnnotatedWarning } from '../errors/warning.ts';
import type { PackageManifest } from './manifest.ts';

/** The groups of fields. A published crate should have one field of each. */
const FIELD_GROUPS = [
  ['description'],
  ['license', 'licenseFile'],
  ['documentation', 'homepage', 'repository'],
] as const;

/** Returns cargo's warning about missing package metadata; null if nothing is missing. */
export function metadataWarning(manifest: PackageManifest): AnnotatedWarning | null {
  const missing = FIELD_GROUPS.filter((group) => group.every((field) => (manifest[field] ?? '') === ''))
    .flat()
    .map((field) => (field === 'licenseFile' ? 'license-file' : field));
  const last = missing.pop();
  if (last === undefined) return null;
  const fields = missing.length === 0 ? last : `${missing.join(', ')} or ${last}`;
  return {
    title: `manifest has no ${fields}`,
    remarks: [
      {
        label: 'note',
        text: 'see https://doc.rust-lang.org/cargo/reference/manifest.html#package-metadata for more info',
      },
    ],
  };
}
