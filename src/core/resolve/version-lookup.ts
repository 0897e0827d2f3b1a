/** Lookups in the table of summaries, limited to the versions that patches, `--precise` and a missing network allow. */
import { isSameSource, type SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import type { LockedDependency } from './locked-dependency.ts';
import {
  ABSENT,
  isMissing,
  type MissingSummary,
  type PreciseVersion,
  type Problem,
  type SummaryTable,
  UNKNOWN,
} from './problem.ts';

/** The shared result for packages without versions. */
export const NO_SUMMARIES: readonly Summary[] = [];

/** Returns true for the versions that a query asks for. */
export type VersionFilter = (version: Version) => boolean;

/** A query for the versions of one package. */
export interface VersionQuery {
  readonly source: SourceId;
  readonly name: string;
  readonly matches: VersionFilter;
  /** Reads the versions from the table. May return others too. */
  readonly read: (accepts: VersionFilter) => readonly Summary[] | typeof UNKNOWN;
  /** Without network, the versions to return if none that matches is on disk. By default, `matches`. */
  readonly fallback?: VersionFilter;
}

/** The versions that a dependency accepts. */
export interface Requirement {
  /** Accepts what the declaration or the lock file allows. */
  readonly declares: VersionFilter;
  /** Also excludes what `update --precise` excludes. */
  readonly matches: VersionFilter;
  readonly precise: PreciseVersion | null;
}

/** Looks versions up. Does not check whether they are yanked or too new, and does not sort them. */
export class VersionLookup {
  readonly #problem: Problem;
  readonly #table: SummaryTable;

  constructor(problem: Problem, table: SummaryTable) {
    this.#problem = problem;
    this.#table = table;
  }

  /** Returns one version in a list; an empty list if it does not exist. */
  exact(source: SourceId, name: string, version: Version): readonly Summary[] | MissingSummary {
    const summary = this.#table.exact(source, name, version);
    if (summary === UNKNOWN) return { source, name };
    return summary === ABSENT ? [] : [summary];
  }

  /**
   * Returns the versions that match. Without network, returns those on disk; if there are none, those of `fallback`.
   */
  find({
    source,
    name,
    matches,
    read,
    fallback = matches,
  }: VersionQuery): readonly Summary[] | MissingSummary {
    const readMatching = (accepts: VersionFilter): readonly Summary[] | MissingSummary => {
      const summaries = read(accepts);
      return summaries === UNKNOWN ? { source, name } : summaries.filter(({ id }) => accepts(id.version));
    };
    if (!this.#problem.offline) return readMatching(matches);
    const table = this.#table;
    const known = table.downloaded?.(source, name, matches) ?? UNKNOWN;
    const downloaded =
      known === UNKNOWN
        ? readMatching((version) => matches(version) && table.isDownloaded(source, name, version))
        : known;
    return isMissing(downloaded) || downloaded.length > 0 ? downloaded : readMatching(fallback);
  }

  /** Returns the versions of a dependency's package that match. */
  findFor(
    { source, declared, isOfOwnIndex }: LockedDependency,
    matches: VersionFilter,
  ): readonly Summary[] | MissingSummary {
    const { name } = declared;
    return this.find({
      source,
      name,
      matches,
      read: (accepts) =>
        isOfOwnIndex ? this.#table.atHand(source, name, accepts) : this.#table.all(source, name, accepts),
    });
  }

  /** Returns the patches of a package that match. */
  patches(source: SourceId, name: string, matches: VersionFilter): readonly Summary[] {
    const patched = this.#problem.patches.bySource.get(source.canonicalUrl);
    if (patched === undefined) return NO_SUMMARIES;
    return patched.summaries.filter(({ id }) => id.name === name && matches(id.version));
  }

  /** Returns the versions that a dependency accepts. */
  requirement({ source, declared, locked }: LockedDependency): Requirement {
    const declares = (version: Version): boolean =>
      locked === null ? matchesReq(declared.req, version) : locked.text === version.text;
    const precise = this.preciseFor(source, declared.name, declares);
    if (precise === null) return { declares, matches: declares, precise };
    return { declares, matches: (version) => declares(version) && isPrecisely(version, precise), precise };
  }

  /** Returns the `update --precise` entry for a requirement that accepts the previous version; null if none. */
  preciseFor(source: SourceId, name: string, accepts: VersionFilter): PreciseVersion | null {
    const { precise = [] } = this.#problem;
    const entry = precise.find(
      (candidate) => candidate.name === name && isSameSource(candidate.source, source),
    );
    return entry !== undefined && accepts(entry.from) ? entry : null;
  }
}

/** Returns true for the version that `update --precise` requests. */
export function isPrecisely(version: Version, { to }: PreciseVersion): boolean {
  return (
    version.major === to.major &&
    version.minor === to.minor &&
    version.patch === to.patch &&
    version.pre === to.pre &&
    (to.build === '' || version.build === to.build)
  );
}

/** Returns true if a patch has the version of a package, and so replaces it. */
export function isPatched({ id }: Summary, patches: readonly Summary[]): boolean {
  return patches.some((patch) => patch.id.version.text === id.version.text);
}
