/** An advisory as read from a file, and what its texts may contain. */
import { sanitizeForTerminal } from '../../../core/errors/sanitize-for-terminal.ts';
import type { Version } from '../../../core/version/version.ts';
import type { Advisory, AdvisoryKind } from '../../store/advisories.ts';

/** An advisory about one crate. */
export interface ParsedAdvisory extends Advisory {
  /** In the spelling of the advisory. */
  readonly crate: string;
  /** Other IDs of the same advisory. */
  readonly aliases: readonly string[];
  /** Returns true if the advisory is about a version. */
  affects(version: Version): boolean;
}

/** A file that is not an advisory. `message` says why. */
export class AdvisoryProblem extends Error {
  override readonly name = 'AdvisoryProblem';
}

const MAX_TITLE_CHARS = 300;
const MAX_URL_CHARS = 1000;

/** Returns an ID or an alias. Throws `AdvisoryProblem` for text that cannot be one. */
export function checkId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(id)) return id;
  throw new AdvisoryProblem('its ID is not valid');
}

/** Returns the name of a crate. Throws `AdvisoryProblem` for text that cannot be one. */
export function checkCrate(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw new AdvisoryProblem('its package is not the name of a crate');
}

/** Returns a title on one line, of limited length. */
export function cleanTitle(title: string): string {
  const line = sanitizeForTerminal(title.slice(0, 4 * MAX_TITLE_CHARS), 'join')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS).trimEnd()}…`;
}

/** Returns the page of an advisory: that of a known database, else the one that the advisory states. */
export function pageOf(id: string, statedUrl: string | null): string | null {
  if (/^RUSTSEC-\d{4}-\d{4}$/.test(id)) return `https://rustsec.org/advisories/${id}.html`;
  if (/^GHSA(?:-[a-z0-9]{4}){3}$/.test(id)) return `https://github.com/advisories/${id}`;
  return statedUrl === null || statedUrl.length > MAX_URL_CHARS ? null : statedUrl;
}

/** Returns the kind for the value of `informational` in RustSec's advisories; null is a vulnerability. */
export function kindOf(informational: string | null): AdvisoryKind {
  if (informational === null) return 'vulnerability';
  return informational === 'unsound' || informational === 'unmaintained' ? informational : 'notice';
}
