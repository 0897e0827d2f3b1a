/** Reads from an archive what its package is, and how it can be used. */
import { inspectCrate } from '../../io/archive/inspect-crate.ts';
import type { SourceArchive } from './crate-files.ts';
import { readManifestFacts, readPackageKind, type PackageKind } from './manifest-facts.ts';

/** Facts of a package that help a reader to decide whether to use it. */
export interface PackageFacts extends PackageKind {
  /** null if the manifest has none. */
  readonly description: string | null;
  /** A year; null if the manifest has another value. */
  readonly edition: string | null;
}

/** The edition of a manifest without one. Cargo Book: The Manifest Format, The edition field. */
const FIRST_EDITION = '2015';
const YEAR = /^\d{4}$/;

/** Reads the facts. Throws as `listFiles` does. */
export function readPackageFacts({ bytes, options }: SourceArchive): PackageFacts {
  const { manifest, files } = inspectCrate(bytes, { ...options, isPortable: false });
  const { edition, description } = readManifestFacts(manifest);
  const year = edition ?? FIRST_EDITION;
  return { edition: YEAR.test(year) ? year : null, description, ...readPackageKind(manifest, [...files]) };
}
