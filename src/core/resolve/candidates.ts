/** Packages that can satisfy a dependency, best first. Cargo Book: Dependency Resolution. */
import { TsregError } from '../errors/error.ts';
import { makePackageId } from '../package-id/package-id.ts';
import { isSameSource, type SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import { CandidateOrder } from './candidate-order.ts';
import { dependencyKey } from './dependency-key.ts';
import type { RejectedCandidate } from './failure.ts';
import { findReplacement } from './find-replacement.ts';
import { lockDependency, type LockedDependency } from './locked-dependency.ts';
import { type ComparedDependency, overrideWarning } from './override-warning.ts';
import {
  ABSENT,
  type QueryObserver,
  isMissing,
  type PreciseVersion,
  type Problem,
  type SummaryTable,
  UNKNOWN,
  type MissingSummary,
} from './problem.ts';

const NO_SUMMARIES: readonly Summary[] = [];

/** Candidates of one name in one source, best first. */
interface Pool {
  readonly byRequirement: Map<string, readonly Summary[]>;
  readonly byLockedVersion: Map<string, readonly Summary[]>;
  /** By `dependencyKey`, for candidates found in index files on disk. They hold only for equal declarations. */
  readonly byDeclaration: Map<string, readonly Summary[]>;
  /** The first candidate alone, by requirement. */
  readonly best: Map<string, Summary>;
}

/** A query that the table cannot answer yet. */
export interface PendingQuery extends MissingSummary {
  /** True if the lock file names the version, or if the dependency is in the index of its owner. */
  readonly isLocked: boolean;
}

/** Finds candidates for one resolution in the table, and caches them. */
export class Candidates {
  readonly problem: Problem;
  readonly table: SummaryTable;
  /** `[replace]`: the replacement of each replaced summary. */
  readonly replacedBy = new Map<Summary, Summary>();
  readonly #pools = new Map<SourceId, Map<string, Pool>>();
  readonly #order: CandidateOrder;

  readonly #observer: QueryObserver | null;
  /** Keys of the members' sources. */
  readonly #memberSources: ReadonlySet<string>;
  /** Sources that got an unlocked query, so that they use their current index. */
  readonly #queriedUnlocked = new Set<SourceId>();

  /** True if only the table determines candidates. */
  readonly #isPlain: boolean;

  /** `observer` receives each new query. */
  constructor(problem: Problem, table: SummaryTable, observer: QueryObserver | null = null) {
    this.problem = problem;
    this.table = table;
    this.#observer = observer;
    this.#order = new CandidateOrder(problem);
    this.#memberSources = new Set(
      observer === null ? [] : problem.roots.map(({ summary }) => summary.id.source.key),
    );
    const { patches, replacements, overrides } = problem;
    this.#isPlain = patches.bySource.size === 0 && replacements.length === 0 && overrides.size === 0;
  }

  /** Returns every candidate, best first. Throws `resolve` for an invalid `[replace]` or `paths`. */
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
    const found = this.#find(dependency);
    const replaced = isMissing(found) ? found : this.#replace(found);
    if (isMissing(replaced)) return replaced;
    if (this.#isFromDisk(dependency)) byDeclaration.set(dependencyKey(dependency), replaced);
    else cache.set(key, replaced);
    return replaced;
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
    const found = preferred.length > 0 ? preferred : this.query(dependency);
    const [first = null] = isMissing(found) ? [] : found;
    if (first !== null && key !== null) best.set(key, first);
    return first;
  }

  /** Returns the known lock file versions that an unlocked dependency accepts, best first. */
  #preferred(dependency: LockedDependency): readonly Summary[] | PendingQuery {
    const { source, declared, locked } = dependency;
    const { locks, offline } = this.problem;
    if (locked !== null || !offline || !this.#isPlain) return NO_SUMMARIES;
    const { name, req } = declared;
    const isPreferred = (version: Version): boolean =>
      matchesReq(req, version) && locks.preferred.has(makePackageId(name, version, source).key);
    const found = this.#ask(dependency, () => {
      const known = this.table.downloaded?.(source, name, isPreferred) ?? UNKNOWN;
      return known === UNKNOWN ? NO_SUMMARIES : known;
    });
    return isMissing(found) ? found : this.#order.sort(found.filter((each) => this.#mayBeUsed(each, null)));
  }

  #isFromDisk({ source, isOfOwnIndex }: LockedDependency): boolean {
    return isOfOwnIndex && this.#observer !== null && !this.#queriedUnlocked.has(source);
  }

  #cacheKey(dependency: LockedDependency): string {
    const { locked, declared } = dependency;
    // Each dependency gets its own warning about the override.
    if (this.problem.overrides.has(declared.name)) return dependencyKey(dependency);
    if (locked !== null) return locked.text;
    return declared.req.acceptsAny ? '' : declared.req.text;
  }

  /** Returns the versions accepted by `matches` that some dependency could use, best first. */
  queryVersions(
    source: SourceId,
    name: string,
    matches: (version: Version) => boolean,
  ): readonly Summary[] | MissingSummary {
    const precise = this.#preciseFor(source, name, () => true);
    const isThere = (version: Version): boolean => precise === null || isPrecisely(version, precise);
    // Without network, one version on disk excludes all others, even if it does not match. The version of `--precise`
    // is queried even if it cannot be used.
    const isAsked = this.problem.offline || precise !== null ? isThere : matches;
    const own = this.#usable(isAsked, (accepts) => this.table.atHand(source, name, accepts), {
      source,
      name,
      otherwise: precise === null ? matches : isThere,
    });
    if (isMissing(own)) return own;
    if (precise !== null && own.some(({ id, yanked }) => yanked && isThere(id.version))) {
      precise.onYanked(precise.to);
    }
    const patches = this.#patches(source, name, matches);
    const others = own.filter(
      (summary) =>
        isThere(summary.id.version) &&
        !summary.yanked &&
        matches(summary.id.version) &&
        !hasVersionOf(patches, summary),
    );
    return [...patches, ...this.#order.sort(others)];
  }

  /**
   * Returns true if a yanked version is known: the requested one with `update --precise`, and only a downloaded one
   * without network.
   */
  hasYanked(source: SourceId, name: string): boolean {
    const precise = this.#preciseFor(source, name, () => true);
    const isAsked = (version: Version): boolean => precise === null || isPrecisely(version, precise);
    const known = this.table.atHand(source, name, isAsked);
    return (
      known !== UNKNOWN &&
      known.some(
        ({ id, yanked }) =>
          yanked &&
          isAsked(id.version) &&
          (!this.problem.offline || this.table.isDownloaded(source, name, id.version)),
      )
    );
  }

  /** Returns true if `update --precise` determines the version of a dependency. */
  isPrecise(dependency: LockedDependency): boolean {
    return this.#requirement(dependency).precise !== null;
  }

  /** Returns the versions that match a requirement but may not be used, oldest first. */
  rejected(dependency: LockedDependency): readonly RejectedCandidate[] {
    const { source, declared } = dependency;
    const { matches } = this.#requirement(dependency);
    const rejected: RejectedCandidate[] = [];
    const usable = this.#usableOf(dependency, matches);
    if (!isMissing(usable)) {
      for (const summary of usable) {
        const tooNew = this.problem.publishAge?.tooNew(summary) ?? null;
        const isYanked = summary.yanked && (tooNew === null || !this.isPrecise(dependency));
        const why = isYanked
          ? ' is yanked'
          : tooNew === null
            ? ' is unavailable'
            : ` is too new (published ${tooNew.published}, minimum age ${tooNew.minimum})`;
        rejected.push({ version: summary.id.version, why, isTooNew: !isYanked && tooNew !== null });
      }
    }
    for (const { version, reason } of this.table.rejected(source, declared.name)) {
      if (!matches(version)) continue;
      const why =
        reason.kind === 'invalid-entry'
          ? `'s index entry is invalid`
          : reason.rustVersion !== null
            ? ` requires cargo ${reason.rustVersion}`
            : ` requires a Cargo version that supports index version ${reason.indexVersion}`;
      rejected.push({ version, why, isTooNew: false });
    }
    return rejected.sort((a, b) => compareVersions(a.version, b.version));
  }

  /** Finds the candidates without applying `[replace]`. */
  #find(dependency: LockedDependency): readonly Summary[] | PendingQuery {
    const { declared, locked, source } = dependency;
    const { name } = declared;
    if (locked !== null && this.#isPlain) {
      // Most queries are for a version that the lock file fixes.
      const found = this.#ask(dependency, () => this.#exact(source, name, locked));
      const summary = isMissing(found) ? undefined : found[0];
      return summary === undefined || this.#mayBeUsed(summary, null) ? found : [];
    }
    const { matches, precise, declares } = this.#requirement(dependency);
    const override = this.problem.overrides.get(name);
    const patches = this.#patches(source, name, declares);
    const [patch] = patches;
    if (patch !== undefined && patches.length === 1 && locked !== null) {
      if (override === undefined) return [patch];
      const { locks, patches: all } = this.problem;
      const real = patch.dependencies.map((own) => lockDependency(own, patch.id, locks, all));
      this.#warnOfOverride(override, real);
      return [override];
    }
    const own = this.#ask(dependency, () =>
      locked === null ? this.#usableOf(dependency, matches) : this.#exact(source, name, locked),
    );
    if (isMissing(own)) return own;
    const usable = own.filter((summary) => this.#mayBeUsed(summary, precise));
    if (override !== undefined) {
      if (patches.length > 0) throw resolveError('found patches and a path override');
      if (usable.length > 1) throw resolveError('found an override with a non-locked list');
      const [replaced] = usable;
      // Unlike a patch's, the dependencies of the source's package are compared unlocked.
      const real = replaced?.dependencies.map((declared) => ({ declared, locked: null }));
      if (real !== undefined) this.#warnOfOverride(override, real);
      return [override];
    }
    if (patches.length === 0) return this.#order.sort(usable);
    const others = usable.filter((summary) => !hasVersionOf(patches, summary));
    return this.#order.sort([...patches, ...others]);
  }

  /** Queries the table, after telling the observer. */
  #ask(
    { locked, source, isOfOwnIndex }: LockedDependency,
    question: () => readonly Summary[] | MissingSummary,
  ): readonly Summary[] | PendingQuery {
    const isLocked = locked !== null || isOfOwnIndex;
    const observer = this.#memberSources.has(source.key) ? null : this.#observer;
    observer?.beginQuery(source, isLocked);
    if (!isLocked) this.#queriedUnlocked.add(source);
    const result = question();
    return isMissing(result) ? { ...result, isLocked } : result;
  }

  /** Returns what a dependency declares, and what `update --precise` leaves of it. */
  #requirement({ source, declared, locked }: LockedDependency): {
    readonly declares: (version: Version) => boolean;
    readonly matches: (version: Version) => boolean;
    readonly precise: PreciseVersion | null;
  } {
    const declares = (version: Version): boolean =>
      locked === null ? matchesReq(declared.req, version) : locked.text === version.text;
    const precise = this.#preciseFor(source, declared.name, declares);
    if (precise === null) return { declares, matches: declares, precise };
    return { declares, matches: (version) => declares(version) && isPrecisely(version, precise), precise };
  }

  /** Returns the `update --precise` entry for a requirement that accepts the previous version. */
  #preciseFor(source: SourceId, name: string, accepts: (version: Version) => boolean): PreciseVersion | null {
    const { precise = [] } = this.problem;
    const found = precise.find((each) => each.name === name && isSameSource(each.source, source));
    return found !== undefined && accepts(found.from) ? found : null;
  }

  /**
   * Returns true if a version may be a candidate. A version that is too new must be in the lock file or a patch. A yanked
   * one may also be requested by its exact number, with its build metadata, even if it is too new.
   */
  #mayBeUsed(summary: Summary, precise: PreciseVersion | null): boolean {
    const isTooNew = (this.problem.publishAge?.tooNew(summary) ?? null) !== null;
    if ((!summary.yanked && !isTooNew) || this.#order.isPreferred(summary)) return true;
    if (!summary.yanked || precise === null) return false;
    precise.onYanked(precise.to);
    return precise.to.text === summary.id.version.text;
  }

  #usableOf(
    { source, declared, isOfOwnIndex }: LockedDependency,
    matches: (version: Version) => boolean,
  ): readonly Summary[] | MissingSummary {
    const { table } = this;
    const { name } = declared;
    return this.#usable(
      matches,
      (accepts) => (isOfOwnIndex ? table.atHand(source, name, accepts) : table.all(source, name, accepts)),
      { source, name },
    );
  }

  /**
   * Returns the versions that match. Without network, returns those on disk; if there are none, those that match
   * `otherwise`.
   */
  #usable(
    matches: (version: Version) => boolean,
    ask: (accepts: (version: Version) => boolean) => readonly Summary[] | typeof UNKNOWN,
    {
      source,
      name,
      otherwise = matches,
    }: MissingSummary & { readonly otherwise?: (version: Version) => boolean },
  ): readonly Summary[] | MissingSummary {
    const all = (accepts: (version: Version) => boolean): readonly Summary[] | MissingSummary => {
      const found = ask(accepts);
      return found === UNKNOWN ? { source, name } : found.filter(({ id }) => accepts(id.version));
    };
    if (!this.problem.offline) return all(matches);
    const { table } = this;
    const known = table.downloaded?.(source, name, matches) ?? UNKNOWN;
    const downloaded =
      known === UNKNOWN
        ? all((version) => matches(version) && table.isDownloaded(source, name, version))
        : known;
    return isMissing(downloaded) || downloaded.length > 0 ? downloaded : all(otherwise);
  }

  #exact(source: SourceId, name: string, version: Version): readonly Summary[] | MissingSummary {
    const summary = this.table.exact(source, name, version);
    if (summary === UNKNOWN) return { source, name };
    return summary === ABSENT ? [] : [summary];
  }

  #patches(source: SourceId, name: string, matches: (version: Version) => boolean): readonly Summary[] {
    const patched = this.problem.patches.bySource.get(source.canonicalUrl);
    if (patched === undefined) return NO_SUMMARIES;
    return patched.summaries.filter(({ id }) => id.name === name && matches(id.version));
  }

  #poolOf(source: SourceId, name: string): Pool {
    let names = this.#pools.get(source);
    if (names === undefined) this.#pools.set(source, (names = new Map()));
    let pool = names.get(name);
    if (pool === undefined) {
      pool = {
        ...{ byRequirement: new Map(), byLockedVersion: new Map(), byDeclaration: new Map() },
        best: new Map(),
      };
      names.set(name, pool);
    }
    return pool;
  }

  #warnOfOverride(override: Summary, real: readonly ComparedDependency[]): void {
    const warning = overrideWarning(override.id.name, override.dependencies, real);
    if (warning !== null) this.#observer?.warn?.(warning);
  }

  /** Applies `[replace]` to `found`, and stores the replacements. */
  #replace(found: readonly Summary[]): readonly Summary[] | PendingQuery {
    const { replacements } = this.problem;
    if (replacements.length === 0) return found;
    for (const summary of found) {
      // A replacement is not replaced in turn.
      const result = findReplacement(summary, replacements, (dependency) => this.#find(dependency));
      if (isMissing(result)) return result;
      const [replacement] = result;
      if (replacement === undefined || isSameSource(replacement.id.source, summary.id.source)) continue;
      this.replacedBy.set(summary, replacement);
    }
    return found;
  }
}

/** Returns true for the version that `update --precise` requests. */
function isPrecisely(version: Version, { to }: PreciseVersion): boolean {
  return (
    version.major === to.major &&
    version.minor === to.minor &&
    version.patch === to.patch &&
    version.pre === to.pre &&
    (to.build === '' || version.build === to.build)
  );
}

function hasVersionOf(patches: readonly Summary[], { id }: Summary): boolean {
  return patches.some((patch) => patch.id.version.text === id.version.text);
}

function resolveError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
