/** The text of a `Cargo.lock` as plain data. Cargo Book: Cargo.toml vs Cargo.lock. */
import { decodeRawLockfile } from '../core/lockfile/raw-lockfile.ts';
import type { LockfileVersion } from '../core/lockfile/lockfile.ts';
import { parseLockfile as parseCoreLockfile, type PathSources } from '../core/lockfile/parse-lockfile.ts';
import { formatPackageId, type PackageId } from '../core/package-id/package-id.ts';
import type { SourceId } from '../core/package-id/source-id.ts';
import { SourceTable } from '../core/package-id/source-table.ts';
import { formatSourceUrl } from '../core/package-id/source-url.ts';
import { checkOptions, required, TEXT } from './option-checks.ts';

/** A `Cargo.lock`. */
export interface CargoLockfile {
  /** Version of the format. */
  readonly version: LockfileVersion;
  /** Sorted by name, version and source. */
  readonly packages: readonly LockfilePackage[];
}

/** A package of a lock file. */
export interface LockfilePackage {
  /** Unique in the lock file: the id of the package in `metadata`; `name version` for a package on disk. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** `registry+https://…`, `sparse+…` or `git+…#COMMIT`; null for a package on disk. */
  readonly source: string | null;
  /** SHA-256 of the `.crate`, in hexadecimal; null if the file has none. */
  readonly checksum: string | null;
  /** The `id` of each dependency. */
  readonly dependencies: readonly string[];
}

const PATH = 'Cargo.lock';

/**
 * Parses the text of a `Cargo.lock` of any format. As in cargo, dependencies that are not in the file are missing from
 * the result. Throws a `TsregError` with the code `lockfile` if the text is invalid.
 */
export function parseLockfile(text: string): CargoLockfile {
  checkOptions({ text }, { text: required(TEXT) });
  const sources = new SourceTable();
  const pathSources = (): PathSources => pathSourcesIn(text, sources);
  const { version, packages } = parseCoreLockfile(text, { path: PATH, sources, pathSources });
  return {
    version,
    packages: packages.map(({ id, checksum, dependencies }) => ({
      id: idText(id),
      name: id.name,
      version: id.version.text,
      source: isOnDisk(id) ? null : formatSourceUrl(id.source, { encoded: false }),
      checksum,
      dependencies: dependencies.map(idText),
    })),
  };
}

/** Returns an invented folder for each package without a source, because a lock file does not contain the real one. */
function pathSourcesIn(text: string, sources: SourceTable): PathSources {
  const { root, packages, unusedPatches } = decodeRawLockfile(text);
  const byName = new Map<string, Map<string, SourceId>>();
  for (const { name, version, source } of [...(root === null ? [] : [root]), ...packages, ...unusedPatches]) {
    if (source !== null) continue;
    const versions = byName.get(name) ?? new Map<string, SourceId>();
    byName.set(name, versions.set(version, sources.forPath(`/${name}/${version}`)));
  }
  return byName;
}

function isOnDisk({ source }: PackageId): boolean {
  return source.kind === 'path';
}

function idText(id: PackageId): string {
  return isOnDisk(id) ? `${id.name} ${id.version.text}` : formatPackageId(id, 'legacy');
}
