/** The versions of a package that messages and reports name. */
import type { SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import type { Version } from '../version/version.ts';
import { CandidateOrder } from './candidate-order.ts';
import type { RejectedCandidate } from './failure.ts';
import type { LockedDependency } from './locked-dependency.ts';
import {
  isMissing,
  type MissingSummary,
  type Problem,
  type RejectedVersion,
  type SummaryTable,
  UNKNOWN,
} from './problem.ts';
import { isPatched, isPrecisely, type VersionFilter, VersionLookup } from './version-lookup.ts';

/** Finds the versions that a source offers, for messages and reports, and the reasons why some may not be used. */
export class OfferedVersions {
  readonly #problem: Problem;
  readonly #table: SummaryTable;
  readonly #lookup: VersionLookup;
  readonly #order: CandidateOrder;

  constructor(problem: Problem, table: SummaryTable) {
    this.#problem = problem;
    this.#table = table;
    this.#lookup = new VersionLookup(problem, table);
    this.#order = new CandidateOrder(problem);
  }

  /** Returns the versions accepted by `matches` that some dependency could use, best first; or what to load first. */
  query(source: SourceId, name: string, matches: VersionFilter): readonly Summary[] | MissingSummary {
    const precise = this.#lookup.preciseFor(source, name, () => true);
    const isRequested = (version: Version): boolean => precise === null || isPrecisely(version, precise);
    // Without network, one version on disk excludes all others, even if it does not match. The version of `--precise`
    // is queried even if it cannot be used.
    const offered = this.#lookup.find({
      source,
      name,
      matches: this.#problem.offline || precise !== null ? isRequested : matches,
      read: (accepts) => this.#table.atHand(source, name, accepts),
      fallback: precise === null ? matches : isRequested,
    });
    if (isMissing(offered)) return offered;
    if (precise !== null && offered.some(({ id, yanked }) => yanked && isRequested(id.version))) {
      precise.onYanked(precise.to);
    }
    const patches = this.#lookup.patches(source, name, matches);
    const others = offered.filter(
      (summary) =>
        isRequested(summary.id.version) &&
        !summary.yanked &&
        matches(summary.id.version) &&
        !isPatched(summary, patches),
    );
    return [...patches, ...this.#order.sort(others)];
  }

  /**
   * Returns true if a yanked version is known: the requested one with `update --precise`, and only a downloaded one
   * without network.
   */
  hasYanked(source: SourceId, name: string): boolean {
    const precise = this.#lookup.preciseFor(source, name, () => true);
    const isRequested = (version: Version): boolean => precise === null || isPrecisely(version, precise);
    const known = this.#table.atHand(source, name, isRequested);
    return (
      known !== UNKNOWN &&
      known.some(
        ({ id, yanked }) =>
          yanked &&
          isRequested(id.version) &&
          (!this.#problem.offline || this.#table.isDownloaded(source, name, id.version)),
      )
    );
  }

  /** Returns true if `update --precise` determines the version of a dependency. */
  isPrecise(dependency: LockedDependency): boolean {
    return this.#lookup.requirement(dependency).precise !== null;
  }

  /** Returns the versions that match a requirement but may not be used, oldest first. */
  rejected(dependency: LockedDependency): readonly RejectedCandidate[] {
    const { matches, precise } = this.#lookup.requirement(dependency);
    const matching = this.#lookup.findFor(dependency, matches);
    const unusable = isMissing(matching)
      ? []
      : matching.map((summary) => this.#rejectedCandidate(summary, { isPrecise: precise !== null }));
    const unreadable = this.#table
      .rejected(dependency.source, dependency.declared.name)
      .filter(({ version }) => matches(version))
      .map((rejected) => ({ version: rejected.version, why: describeRejection(rejected), isTooNew: false }));
    return [...unusable, ...unreadable].sort((a, b) => compareVersions(a.version, b.version));
  }

  /** Describes why a version that matches may not be used. `isPrecise`: `update --precise` requests it. */
  #rejectedCandidate(summary: Summary, { isPrecise }: { readonly isPrecise: boolean }): RejectedCandidate {
    const tooNew = this.#problem.publishAge?.tooNew(summary) ?? null;
    // `--precise` may select a yanked version. If it is too new as well, that is the reason.
    const isYanked = summary.yanked && (tooNew === null || !isPrecise);
    const { version } = summary.id;
    if (isYanked) return { version, why: ' is yanked', isTooNew: false };
    if (tooNew === null) return { version, why: ' is unavailable', isTooNew: false };
    const why = ` is too new (published ${tooNew.published}, minimum age ${tooNew.minimum})`;
    return { version, why, isTooNew: true };
  }
}

/** Describes why cargo cannot read an entry of an index. */
function describeRejection({ reason }: RejectedVersion): string {
  if (reason.kind === 'invalid-entry') return `'s index entry is invalid`;
  return reason.rustVersion === null
    ? ` requires a Cargo version that supports index version ${reason.indexVersion}`
    : ` requires cargo ${reason.rustVersion}`;
}
