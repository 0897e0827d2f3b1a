/** Reads from an archive how its package can be used. */
import { inspectCrate } from '../../io/archive/inspect-crate.ts';
import type { SourceArchive } from './crate-files.ts';
import { readManifestFacts, readPackageKind, type PackageKind } from './manifest-facts.ts';

/** Facts that decide how a reader can use a package. */
export interface PackageFacts extends PackageKind {
  /** A year; null if the manifest has another value. */
  readonly edition: string | null;
}

/** The edition of a manifest without one. Cargo Book: The Manifest Format, The edition field. */
const FIRST_EDITION = '2015';
const YEAR = /^\d{4}$/;

/** Reads the facts. Throws as `listFiles` does. */
export function readPackageFacts({ bytes, options }: SourceArchive): PackageFacts {
  const { manifest, files } = inspectCrate(bytes, { ...options, isPortable: false });
  const year = readManifestFacts(manifest).edition ?? FIRST_EDITION;
  return { edition: YEAR.test(year) ? year : null, ...readPackageKind(manifest, [...files]) };
}
