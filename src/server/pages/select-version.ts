/** Which version of a crate a requirement selects today. */
import { compareVersions } from '../../core/version/compare-versions.ts';
import { matchesReq } from '../../core/version/matches-req.ts';
import { parseVersionReq, type VersionReq } from '../../core/version/requirement.ts';
import { parseVersion, VersionParseError } from '../../core/version/version.ts';
import type { VersionState } from '../store/browse-records.ts';

/** Returns the highest version that is not yanked and matches the requirement; null if there is none. */
export function selectVersion(versionReq: string, versions: readonly VersionState[]): string | null {
  const req = readRequirement(versionReq);
  if (req === null) return null;
  const matching = versions
    .filter(({ isYanked }) => !isYanked)
    .map(({ version }) => parseVersion(version))
    .filter((version) => matchesReq(req, version));
  return matching.sort(compareVersions).at(-1)?.text ?? null;
}

/** Parses the requirement of a stored dependency. Returns null if it is invalid, which publishing refuses today. */
export function readRequirement(text: string): VersionReq | null {
  try {
    return parseVersionReq(text);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}
