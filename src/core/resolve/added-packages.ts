/** Packages of a packaged lock file that the workspace's lock file lacks. Cargo Book: cargo-package(1). */
import { describePackage, displaySource } from '../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';

/** The packages of two lock files. */
export interface ComparedLocks {
  readonly before: readonly PackageId[];
  readonly after: readonly PackageId[];
  /** The package that the second lock file belongs to. It is in both, from different folders. */
  readonly root: PackageId;
}

/** Returns cargo's notes about new packages, with their original source or previous versions, sorted by package ID. */
export function addedPackageNotes({ before, after, root }: ComparedLocks): readonly string[] {
  const keysBefore = new Set(before.map(({ key }) => key));
  const keysAfter = new Set(after.map(({ key }) => key));
  const added = after.filter(({ key }) => !keysBefore.has(key)).sort(comparePackageIds);
  const removed = before.filter(({ key }) => !keysAfter.has(key)).sort(comparePackageIds);
  return added
    .filter(({ name, version }) => name !== root.name || version.text !== root.version.text)
    .map((id) => {
      const sameName = removed.filter(({ name }) => name === id.name);
      return `package \`${describePackage(id)}\` added to the packaged Cargo.lock file${origin(id, sameName)}`;
    });
}

/** Describes the origin of an added package. `removed` has the removed packages of its name. */
function origin({ version }: PackageId, removed: readonly PackageId[]): string {
  const sources = removed
    .filter((other) => other.version.text === version.text)
    .map(({ source }) => `\`${displaySource(source)}\``);
  if (sources.length === 1) return `, was originally sourced from ${sources[0]}`;
  if (sources.length > 1) return `, was originally sourced from one of these sources: ${sources.join(', ')}`;
  const versions = removed.map((other) => `\`${other.version.text}\``);
  if (versions.length === 0) return '';
  return versions.length === 1
    ? `, previous version was ${versions[0]}`
    : `, previous versions were: ${versions.join(', ')}`;
}
