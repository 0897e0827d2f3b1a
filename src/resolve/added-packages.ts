/** What a packaged lock file has that the workspace's has not. Cargo Book: cargo-package(1). */
import { describePackage, displaySource } from '../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';

/** Two lock files as the packages that they name. */
export interface ComparedLocks {
  readonly before: readonly PackageId[];
  readonly after: readonly PackageId[];
  /** The package whose lock file it is: it is in both, from different folders. */
  readonly root: PackageId;
}

/** A note about each package that is new, with what it came from or which version it had: in the order of ids. */
export function addedPackageNotes({ before, after, root }: ComparedLocks): readonly string[] {
  const known = new Set(before.map(({ key }) => key));
  const kept = new Set(after.map(({ key }) => key));
  const added = after.filter(({ key }) => !known.has(key)).sort(comparePackageIds);
  const removed = before.filter(({ key }) => !kept.has(key)).sort(comparePackageIds);
  return added
    .filter(({ name, version }) => name !== root.name || version.text !== root.version.text)
    .map((id) => {
      const same = removed.filter(({ name }) => name === id.name);
      return `package \`${describePackage(id)}\` added to the packaged Cargo.lock file${origin(id, same)}`;
    });
}

/** Where a package was from, told by the packages of its name that are gone. */
function origin({ version }: PackageId, gone: readonly PackageId[]): string {
  const sources = gone
    .filter((other) => other.version.text === version.text)
    .map(({ source }) => `\`${displaySource(source)}\``);
  if (sources.length === 1) return `, was originally sourced from ${sources[0]}`;
  if (sources.length > 1) return `, was originally sourced from one of these sources: ${sources.join(', ')}`;
  const versions = gone.map((other) => `\`${other.version.text}\``);
  if (versions.length === 0) return '';
  return versions.length === 1
    ? `, previous version was ${versions[0]}`
    : `, previous versions were: ${versions.join(', ')}`;
}
