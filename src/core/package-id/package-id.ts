/** The identity of one package: name, version, source. */
import { compareBytes } from '../files/compare-bytes.ts';
import { compareVersions } from '../version/compare-versions.ts';
import type { Version } from '../version/version.ts';
import { compareSources, type SourceId } from './source-id.ts';
import { formatSourceUrl, formatUnpinnedUrl } from './source-url.ts';
import { lastPathSegment } from './url.ts';

/** A package's identity. */
export interface PackageId {
  readonly name: string;
  readonly version: Version;
  readonly source: SourceId;
  /**
   * Equal exactly if cargo treats two IDs as equal: same name, version with build metadata, and source without its
   * pinned commit.
   */
  readonly key: string;
}

/** Makes a package ID. No other function does. */
export function makePackageId(name: string, version: Version, source: SourceId): PackageId {
  return { name, version, source, key: `${name} ${version.text} ${source.unpinnedKey}` };
}

/** Compares packages in the order of lock files and documents: name (bytes), version, source. */
export function comparePackageIds(a: PackageId, b: PackageId): number {
  if (a === b) return 0;
  return (
    compareBytes(a.name, b.name) ||
    compareVersions(a.version, b.version) ||
    compareSources(a.source, b.source)
  );
}

/**
 * Returns an ID as text. `legacy`: `name version (source)`, with the commit of a git source. `spec`: a package ID
 * specification. Cargo Book: Package ID Specifications.
 */
export function formatPackageId(id: PackageId, format: 'legacy' | 'spec'): string {
  const { name, version, source } = id;
  if (format === 'legacy') {
    return `${name} ${version.text} (${formatSourceUrl(source, { encoded: false })})`;
  }
  const url = formatUnpinnedUrl(source, { encoded: true });
  return lastPathSegment(source.url) === name ? `${url}#${version.text}` : `${url}#${name}@${version.text}`;
}
