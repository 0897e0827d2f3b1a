import { parseVersion, VersionParseError, type Version } from '../../../core/version/version.ts';
import { canonicalName } from '../../store/canonical-name.ts';
import type { Advisory, AdvisoryKind } from '../../store/advisories.ts';
import type { ParsedAdvisory } from './parsed-advisory.ts';

/** Kinds in the order in which pages show them. */
const KINDS: readonly AdvisoryKind[] = ['vulnerability', 'unsound', 'unmaintained', 'notice'];

/** Advisories by crate, each once even if it is there in several formats or under several IDs. */
export class AdvisoryIndex {
  readonly #byCrate = new Map<string, ParsedAdvisory[]>();

  /** Of several copies of an advisory, RustSec's is used. */
  constructor(advisories: readonly ParsedAdvisory[]) {
    for (const advisory of advisories.toSorted(compareSources)) {
      const key = canonicalName(advisory.crate);
      const known = this.#byCrate.get(key);
      if (known === undefined) this.#byCrate.set(key, [advisory]);
      else if (!known.some((other) => isSame(other, advisory))) known.push(advisory);
    }
    for (const known of this.#byCrate.values()) known.sort(compareKinds);
  }

  /** Names of crates with advisories, sorted. */
  get crates(): readonly string[] {
    return [...this.#byCrate.values()].flatMap((known) => known.slice(0, 1).map(({ crate }) => crate)).sort();
  }

  /** The number of advisories, each once for each of its crates. */
  get size(): number {
    return [...this.#byCrate.values()].reduce((total, { length }) => total + length, 0);
  }

  /** Returns the advisories about a version, vulnerabilities first. None are about text that is not a version. */
  of(crate: string, version: string): readonly Advisory[] {
    const known = this.#byCrate.get(canonicalName(crate));
    const parsed = known === undefined ? null : versionOf(version);
    if (known === undefined || parsed === null) return [];
    return known.filter((advisory) => advisory.affects(parsed));
  }
}

/** Returns true if two advisories are the same. Those of two databases often share only the ID of a third one. */
function isSame(known: ParsedAdvisory, other: ParsedAdvisory): boolean {
  if (databaseOf(known) === databaseOf(other)) return known.id === other.id;
  const ids = [known.id, ...known.aliases];
  return [other.id, ...other.aliases].some((id) => ids.includes(id));
}

function databaseOf({ id }: ParsedAdvisory): string {
  return id.replace(/-.*$/, '');
}

function compareSources(a: ParsedAdvisory, b: ParsedAdvisory): number {
  return Number(b.id.startsWith('RUSTSEC-')) - Number(a.id.startsWith('RUSTSEC-')) || compareIds(a, b);
}

/** Orders vulnerabilities first, and then the newest IDs of each database. */
function compareKinds(a: ParsedAdvisory, b: ParsedAdvisory): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || compareIds(b, a);
}

function compareIds(a: ParsedAdvisory, b: ParsedAdvisory): number {
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

function versionOf(text: string): Version | null {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}
