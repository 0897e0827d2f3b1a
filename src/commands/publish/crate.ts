/** A package to publish, and how messages name packages. */
import { present } from '../../core/errors/assert.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';

/** A package in a plan. */
export interface Planned {
  readonly id: PackageId;
}

/** A package that is ready to send. */
export interface CrateToPublish extends Planned {
  /** The package in status lines: `a v0.1.0 (/path)`. */
  readonly label: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Reads the whole archive. Rejects if it has changed since `sha256` was computed. */
  archive(): Promise<Uint8Array>;
  /** Returns the metadata to send with the archive. */
  metadata(): PublishMetadata;
}

/** Returns only the name and the version of a package. */
export function nameAndVersion({ name, version }: PackageId): {
  readonly name: string;
  readonly version: string;
} {
  return { name, version: version.text };
}

/** Returns a package as `a v0.1.0`. */
export function shortName({ id }: Planned): string {
  return `${id.name} v${id.version.text}`;
}

/** Returns the packages as `a v1, b v1, or c v1`, sorted. */
export function listNames(packages: Iterable<Planned>, conjunction: 'and' | 'or'): string {
  const names = Array.from(packages, shortName).sort(compareBytes);
  if (names.length < 3) return names.join(` ${conjunction} `);
  const last = present(names.pop(), 'the last package');
  return `${names.join(', ')}, ${conjunction} ${last}`;
}
