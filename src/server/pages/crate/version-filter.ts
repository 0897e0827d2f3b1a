/** The filter of dependents by the version that their requirement allows: `?version=0.3`. */
import { compareVersions, compatBucket } from '../../../core/version/compare-versions.ts';
import { matchesReq } from '../../../core/version/matches-req.ts';
import {
  matchesPartialVersion,
  type PartialVersion,
  parsePartialVersion,
} from '../../../core/version/partial-version.ts';
import { parseVersion, type Version, VersionParseError } from '../../../core/version/version.ts';
import { readRequirement } from '../shared/select-version.ts';

/** Maximum length of the version in the filter. */
export const MAX_FILTER_CHARS = 50;
/** Maximum number of versions to offer. */
const MAX_OFFERED = 12;

/** A filter, and the versions by which a reader can filter. */
export interface VersionFilter {
  /** The text that the reader typed; empty for no filter. */
  readonly wanted: string;
  /** Returns true for requirements that allow the version; null without a filter, or if the text is not a version. */
  readonly accepts: ((versionReq: string) => boolean) | null;
  /** The compatible ranges of the published versions, highest first: `1`, `0.3`. Cargo Book: SemVer Compatibility. */
  readonly offered: readonly string[];
}

/** Reads the filter that a reader typed, for a crate with these published versions. */
export function readVersionFilter(text: string, published: readonly string[]): VersionFilter {
  const wanted = text.trim().slice(0, MAX_FILTER_CHARS);
  const versions = published.map(parseVersion);
  const partial = wanted === '' ? null : readPartialVersion(wanted);
  const highestFirst = versions.toSorted((a, b) => compareVersions(b, a));
  return {
    wanted,
    accepts: partial === null ? null : allowsOneOf(candidatesFor(partial, versions)),
    offered: [...new Set(highestFirst.map(compatBucket))].slice(0, MAX_OFFERED),
  };
}

/**
 * Returns the versions of which a requirement must allow one: the published ones that `wanted` includes. If there are
 * none, these are the published pre-releases of `wanted`, and `wanted` itself with 0 for missing numbers.
 */
function candidatesFor(wanted: PartialVersion, versions: readonly Version[]): readonly Version[] {
  const included = versions.filter((version) => matchesPartialVersion(wanted, version));
  if (included.length > 0) return included;
  const { major, minor, patch, pre } = wanted;
  const lowest = `${major}.${minor ?? 0}.${patch ?? 0}${pre === null ? '' : `-${pre}`}`;
  const preReleases = versions.filter((version) =>
    matchesPartialVersion({ ...wanted, pre: version.pre }, version),
  );
  return [...(pre === null ? preReleases : []), parseVersion(lowest)];
}

/** Returns a function that returns true for requirements that allow one of the versions. */
function allowsOneOf(versions: readonly Version[]): (versionReq: string) => boolean {
  return (versionReq) => {
    const req = readRequirement(versionReq);
    return req !== null && versions.some((version) => matchesReq(req, version));
  };
}

/** Parses a version with at least one number; null if it is invalid. */
function readPartialVersion(text: string): PartialVersion | null {
  try {
    return parsePartialVersion(text);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}
