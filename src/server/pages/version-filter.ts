/** The filter of dependents by the version that their requirement allows: `?version=0.3`. */
import { compareVersions, compatBucket } from '../../core/version/compare-versions.ts';
import { matchesReq } from '../../core/version/matches-req.ts';
import {
  matchesPartialVersion,
  type PartialVersion,
  parsePartialVersion,
} from '../../core/version/partial-version.ts';
import { parseVersion, type Version, VersionParseError } from '../../core/version/version.ts';
import { readRequirement } from './select-version.ts';

/** Maximum length of the version in the filter. */
export const MAX_FILTER_CHARS = 50;
/** Maximum number of versions to offer. */
const MAX_OFFERED = 12;

/** A filter, and the versions by which a reader can filter. */
export interface VersionFilter {
  /** The version as given; empty for none. */
  readonly wanted: string;
  /** Returns true for requirements that allow the version; null if there is none, or the text is not a version. */
  readonly accepts: ((versionReq: string) => boolean) | null;
  /** The compatible ranges of the published versions, highest first: `1`, `0.3`. */
  readonly offered: readonly string[];
}

/** Reads the filter of a crate with these published versions. */
export function readVersionFilter(given: string, published: readonly string[]): VersionFilter {
  const wanted = given.trim().slice(0, MAX_FILTER_CHARS);
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
 * Returns the published versions that `wanted` includes; if it includes none, its pre-releases, and itself with missing
 * numbers as 0.
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

function allowsOneOf(versions: readonly Version[]): (versionReq: string) => boolean {
  return (versionReq) => {
    const req = readRequirement(versionReq);
    return req !== null && versions.some((version) => matchesReq(req, version));
  };
}

function readPartialVersion(text: string): PartialVersion | null {
  try {
    return parsePartialVersion(text);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}
