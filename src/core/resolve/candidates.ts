/** Packages that can satisfy a dependency, best first. Cargo Book: Dependency Resolution. */
import { TsregError } from '../errors/error.ts';
import { makePackageId } from '../package-id/package-id.ts';
import { isSameSource, type SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import { CandidateOrder } from './candidate-order.ts';
import { type ComparedDependency, dependencyKey } from './dependency-key.ts';
import { findReplacement } from './find-replacement.ts';
import { lockDependency, type LockedDependency } from './locked-dependency.ts';
import { overrideWarning } from './override-warning.ts';
import {
  hasOverrides,
  isMissing,
  type MissingSummary,
  type PreciseVersion,
  type Problem,
  type QueryObserver,
  type SummaryTable,
  UNKNOWN,
} from './problem.ts';
import { isPatched, NO_SUMMARIES, VersionLookup } from './version-lookup.ts';

/** Cached candidates of one name in one source, best first. */
interface Pool {
  /** For unlocked dependencies, by the text of the requirement; see `#cacheKey`. */
  readonly byRequirement: Map<string, readonly Summary[]>;
  /** For locked dependencies, by the text of the version; see `#cacheKey`. */
  readonly byLockedVersion: Map<string, readonly Summary[]>;
  /** By `dependencyKey`, for candidates found in index files on disk. Only equal declarations may use them. */
  readonly byDeclaration: Map<string, readonly Summary[]>;
  /** The first candidate alone, for unlocked dependencies, by requirement. */
  readonly best: Map<string, Summary>;
}

/** A query for a package whose summaries the table has not loaded yet. */
export interface PendingQuery extends MissingSummary {
  /** True if the lock file names the version, or if the dependency is in the index of its owner. */
  readonly isLocked: boolean;
}

/** Finds candidates for one resolution in the table, and caches them. Does not cache pending queries. */
export class Candidates {
  readonly problem: Problem;
  readonly table: SummaryTable;
  /** `[replace]`: the replacement of each replaced summary. */
  readonly replacedBy = new Map<Summary, Summary>();
  readonly #pools = new Map<SourceId, Map<string, Pool>>();
  readonly #order: CandidateOrder;
  readonly #lookup: VersionLookup;
  readonly #observer: QueryObserver | null;
  /** Keys of the members' sources. Queries to them are not announced to the observer. Empty without one. */
  readonly #memberSources: ReadonlySet<string>;
  /** Sources that got an unlocked query, so that they use their current index. */
  readonly #queriedUnlocked = new Set<SourceId>();
  readonly #hasOverrides: boolean;

  /** `observer` receives each new query. */
  constructor(problem: Problem, table: SummaryTable, observer: QueryObserver | null = null) {
    this.problem = problem;
    this.table = table;
    this.#observer = observer;
    this.#order = new CandidateOrder(problem);
    this.#lookup = new VersionLookup(problem, table);
    this.#memberSources = new Set(
      observer === null ? [] : problem.roots.map(({ summary }) => summary.id.source.key),
    );
    this.#hasOverrides = hasOverrides(problem);
  }

  /**
   * Returns every candidate, best first; or the query that waits for summaries. Throws `resolve` for an invalid
   * `[replace]` or `paths`.
   */
  query(dependency: LockedDependency): readonly Summary[] | PendingQuery {
    const pool = this.#poolOf(dependency.source, dependency.declared.name);
    const { byDeclaration } = pool;
    if (byDeclaration.size > 0 && dependency.locked === null) {
      const known = byDeclaration.get(dependencyKey(dependency));
      if (known !== undefined) return known;
    }
    const cache = dependency.locked === null ? pool.byRequirement : pool.byLockedVersion;
    const key = this.#cacheKey(dependency);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const candidates = this.#find(dependency);
    if (isMissing(candidates)) return candidates;
    const missing = this.#addReplacements(candidates);
    if (missing !== null) return missing;
    if (this.#isFromDisk(dependency)) byDeclaration.set(dependencyKey(dependency), candidates);
    else cache.set(key, candidates);
    return candidates;
  }

  /**
   * Returns the best candidate; null if there is none, or none is known yet. Without network, a version on disk that
   * the lock file names precedes all others, which are then not read.
   */
  best(dependency: LockedDependency): Summary | null {
    const { best } = this.#poolOf(dependency.source, dependency.declared.name);
    const key = dependency.locked === null ? this.#cacheKey(dependency) : null;
    const known = key === null ? undefined : best.get(key);
    if (known !== undefined) return known;
    const preferred = this.#preferred(dependency);
    if (isMissing(preferred)) return null;
    const candidates = preferred.length > 0 ? preferred : this.query(dependency);
    const [first = null] = isMissing(candidates) ? [] : candidates;
    if (first !== null && key !== null) best.set(key, first);
    return first;
  }

  /**
   * Without network, returns the known versions of the lock file that an unlocked dependency accepts, best first.
   * Returns none in all other cases.
   */
  #preferred(dependency: LockedDependency): readonly Summary[] | PendingQuery {
    const { source, declared, locked } = dependency;
    const { locks, offline } = this.problem;
    if (locked !== null || !offline || this.#hasOverrides) return NO_SUMMARIES;
    const { name, req } = declared;
    const isPreferred = (version: Version): boolean =>
      matchesReq(req, version) && locks.preferred.has(makePackageId(name, version, source).key);
    const preferred = this.#queryTable(dependency, () => {
      const known = this.table.downloaded?.(source, name, isPreferred) ?? UNKNOWN;
      return known === UNKNOWN ? NO_SUMMARIES : known;
    });
    if (isMissing(preferred)) return preferred;
    return this.#order.sort(preferred.filter((summary) => this.#mayBeUsed(summary, null)));
  }

  /** Returns true if the candidates come from index files on disk, which may be older than the registry. */
  #isFromDisk({ source, isOfOwnIndex }: LockedDependency): boolean {
    return isOfOwnIndex && this.#observer !== null && !this.#queriedUnlocked.has(source);
  }

  /** Returns a key that is equal for dependencies with the same candidates, apart from name and source. */
  #cacheKey(dependency: LockedDependency): string {
    const { locked, declared } = dependency;
    // Each dependency gets its own warning about the override.
    if (this.problem.overrides.has(declared.name)) return dependencyKey(dependency);
    if (locked !== null) return locked.text;
    return declared.req.acceptsAny ? '' : declared.req.text;
  }

  /**
   * Finds the candidates without applying `[replace]`. A `paths` override excludes all others. A patch excludes other
   * packages of its version, and all others if it matches a locked dependency.
   */
  #find(dependency: LockedDependency): readonly Summary[] | PendingQuery {
    const { declared, locked, source } = dependency;
    const { name } = declared;
    if (locked !== null && !this.#hasOverrides) {
      // Most queries are for a version that the lock file fixes.
      const exact = this.#queryTable(dependency, () => this.#lookup.exact(source, name, locked));
      const summary = isMissing(exact) ? undefined : exact[0];
      return summary === undefined || this.#mayBeUsed(summary, null) ? exact : [];
    }
    const { matches, precise, declares } = this.#lookup.requirement(dependency);
    const override = this.problem.overrides.get(name);
    const patches = this.#lookup.patches(source, name, declares);
    const [patch] = patches;
    if (patch !== undefined && patches.length === 1 && locked !== null) {
      if (override === undefined) return [patch];
      const overridden = patch.dependencies.map((listed) => lockDependency(listed, patch.id, this.problem));
      this.#warnOfOverride(override, overridden);
      return [override];
    }
    const versions = this.#queryTable(dependency, () =>
      locked === null ? this.#lookup.findFor(dependency, matches) : this.#lookup.exact(source, name, locked),
    );
    if (isMissing(versions)) return versions;
    const usable = versions.filter((summary) => this.#mayBeUsed(summary, precise));
    if (override !== undefined) {
      if (patches.length > 0) throw resolveError('found patches and a path override');
      if (usable.length > 1) throw resolveError('found an override with a non-locked list');
      // Unlike a patch's, the dependencies of the source's package are compared unlocked.
      const overridden = usable[0]?.dependencies.map((declared) => ({ declared, locked: null }));
      if (overridden !== undefined) this.#warnOfOverride(override, overridden);
      return [override];
    }
    if (patches.length === 0) return this.#order.sort(usable);
    const others = usable.filter((summary) => !isPatched(summary, patches));
    return this.#order.sort([...patches, ...others]);
  }

  /** Calls `read`, after announcing the query to the observer. */
  #queryTable(
    { locked, source, isOfOwnIndex }: LockedDependency,
    read: () => readonly Summary[] | MissingSummary,
  ): readonly Summary[] | PendingQuery {
    const isLocked = locked !== null || isOfOwnIndex;
    const observer = this.#memberSources.has(source.key) ? null : this.#observer;
    observer?.beginQuery(source, isLocked);
    if (!isLocked) this.#queriedUnlocked.add(source);
    const result = read();
    return isMissing(result) ? { ...result, isLocked } : result;
  }

  /**
   * Returns true if a version may be a candidate. A version that is too new must be in the lock file or a patch. A
   * yanked one may also be requested by its exact number, with its build metadata, even if it is too new.
   */
  #mayBeUsed(summary: Summary, precise: PreciseVersion | null): boolean {
    const isTooNew = (this.problem.publishAge?.tooNew(summary) ?? null) !== null;
    if ((!summary.yanked && !isTooNew) || this.#order.isPreferred(summary)) return true;
    if (!summary.yanked || precise === null) return false;
    precise.onYanked(precise.to);
    return precise.to.text === summary.id.version.text;
  }

  /** Returns the cached candidates of a name in a source. */
  #poolOf(source: SourceId, name: string): Pool {
    let names = this.#pools.get(source);
    if (names === undefined) {
      names = new Map();
      this.#pools.set(source, names);
    }
    let pool = names.get(name);
    if (pool === undefined) {
      pool = {
        byRequirement: new Map(),
        byLockedVersion: new Map(),
        byDeclaration: new Map(),
        best: new Map(),
      };
      names.set(name, pool);
    }
    return pool;
  }

  /** Warns if the dependencies of a `paths` override are not `overridden`, those of the package that it replaces. */
  #warnOfOverride(override: Summary, overridden: readonly ComparedDependency[]): void {
    const warning = overrideWarning(override.id.name, override.dependencies, overridden);
    if (warning !== null) this.#observer?.warn?.(warning);
  }

  /** Adds the replacements of candidates (`[replace]`) to `replacedBy`. Returns what to load first; null if nothing. */
  #addReplacements(candidates: readonly Summary[]): PendingQuery | null {
    const { replacements } = this.problem;
    if (replacements.length === 0) return null;
    for (const summary of candidates) {
      // A replacement is not replaced in turn.
      const result = findReplacement(summary, replacements, (dependency) => this.#find(dependency));
      if (isMissing(result)) return result;
      const [replacement] = result;
      if (replacement === undefined || isSameSource(replacement.id.source, summary.id.source)) continue;
      this.replacedBy.set(summary, replacement);
    }
    return null;
  }
}

function resolveError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
