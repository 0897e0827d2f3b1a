import { parseVersion, VersionParseError, type Version } from '../../../core/version/version.ts';
import { canonicalName } from '../../store/canonical-name.ts';
import type { Advisory, AdvisoryKind } from '../../store/advisories.ts';
import type { ParsedAdvisory } from './parsed-advisory.ts';

/** Kinds in the order in which pages show them. */
const KINDS: readonly AdvisoryKind[] = ['vulnerability', 'unsound', 'unmaintained', 'notice'];

/** Advisories by crate, each once even if it is there in several formats or under several IDs. */
export class AdvisoryIndex {
  readonly #byCrate = new Map<string, readonly ParsedAdvisory[]>();

  /** Of several copies of an advisory, RustSec's is used. */
  constructor(advisories: readonly ParsedAdvisory[]) {
    const byCrate = new Map<string, DistinctAdvisories>();
    for (const advisory of advisories.toSorted(compareSources)) {
      const key = canonicalName(advisory.crate);
      const known = byCrate.get(key) ?? new DistinctAdvisories();
      byCrate.set(key, known);
      known.add(advisory);
    }
    for (const [key, { items }] of byCrate) this.#byCrate.set(key, items.toSorted(compareKinds));
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

/**
 * Advisories about a crate, without copies. In one database, copies have the same ID. Copies in two databases often
 * share only the ID of a third one.
 */
class DistinctAdvisories {
  readonly items: ParsedAdvisory[] = [];
  readonly #ids = new Set<string>();
  /** By ID or alias: the databases whose advisories have it. */
  readonly #databases = new Map<string, Set<string>>();

  /**
   * Adds an advisory, unless one with the same ID, or one of another database that shares an ID or alias, was added.
   */
  add(advisory: ParsedAdvisory): void {
    const { id, aliases } = advisory;
    const database = databaseOf(id);
    const names = new Set([id, ...aliases]);
    const isOtherDatabase = (other: string): boolean => other !== database;
    const isCopy = [...names].some((name) => [...(this.#databases.get(name) ?? [])].some(isOtherDatabase));
    if (isCopy || this.#ids.has(id)) return;
    this.items.push(advisory);
    this.#ids.add(id);
    for (const name of names)
      this.#databases.set(name, (this.#databases.get(name) ?? new Set()).add(database));
  }
}

function databaseOf(id: string): string {
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
