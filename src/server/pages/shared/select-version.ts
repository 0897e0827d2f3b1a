/** Selects versions of a crate by requirements, as a new project would today. */
import { compareVersions } from '../../../core/version/compare-versions.ts';
import { matchesReq } from '../../../core/version/matches-req.ts';
import { parseVersionReq, type VersionReq } from '../../../core/version/requirement.ts';
import { parseVersion, VersionParseError } from '../../../core/version/version.ts';
import type { VersionState } from '../../store/browse-records.ts';

/** Returns the highest version that is not yanked and matches the requirement; null if there is none. */
export type SelectVersion = (versionReq: string) => string | null;

/** Returns the function that selects one of the versions. It parses them once, for any number of requirements. */
export function versionSelector(versions: readonly VersionState[]): SelectVersion {
  const highestFirst = versions
    .filter(({ isYanked }) => !isYanked)
    .map(({ version }) => parseVersion(version))
    .sort((a, b) => compareVersions(b, a));
  return (versionReq) => {
    const req = readRequirement(versionReq);
    return req === null ? null : (highestFirst.find((version) => matchesReq(req, version))?.text ?? null);
  };
}

/**
 * Parses the requirement of a stored dependency; null if it is invalid. Publishing refuses such requirements today, but
 * a stored version may be older than that check.
 */
export function readRequirement(text: string): VersionReq | null {
  try {
    return parseVersionReq(text);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}
