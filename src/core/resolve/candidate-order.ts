/** The order in which the resolver tries the versions of a package. Cargo Book: Dependency Resolution. */
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { isRustVersionCompatible, parseRustVersion } from '../version/partial-version.ts';
import { matchesPackage } from './matches-package.ts';
import type { Problem } from './problem.ts';

/** Added to the rank of a preferred package: more than any number of wanted versions of Rust. */
const PREFERRED_RANK = 1e6;

/**
 * The order of candidates: those of the lock file and patches, then those that support most of the wanted versions of
 * Rust, then the newest.
 */
export class CandidateOrder {
  readonly #problem: Problem;
  /** Results of `#rustVersionCount` by `rust-version`. */
  readonly #rustVersionCounts = new Map<string, number>();

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /** Sorts in place, best first. */
  sort(summaries: Summary[]): readonly Summary[] {
    if (summaries.length < 2) return summaries;
    // Only ranks above 0, so that the usual case needs no lookups.
    const ranks = new Map<Summary, number>();
    for (const summary of summaries) {
      const rank = (this.isPreferred(summary) ? PREFERRED_RANK : 0) + this.#rustVersionCount(summary);
      if (rank > 0) ranks.set(summary, rank);
    }
    if (ranks.size === 0) return summaries.sort((a, b) => compareVersions(b.id.version, a.id.version));
    return summaries.sort(
      (a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || compareVersions(b.id.version, a.id.version),
    );
  }

  /** Returns true for a package of the lock file or of a patch. */
  isPreferred({ id }: Summary): boolean {
    const { locks, patches } = this.#problem;
    return (
      locks.preferred.has(id.key) || patches.dependencies.some((dependency) => matchesPackage(dependency, id))
    );
  }

  /** Returns how many of the wanted versions of Rust a package supports. */
  #rustVersionCount({ rustVersion }: Summary): number {
    const { rustVersions } = this.#problem;
    if (rustVersion === null) return rustVersions.length;
    if (rustVersions.length === 0) return 0;
    let count = this.#rustVersionCounts.get(rustVersion);
    if (count === undefined) {
      const required = parseRustVersion(rustVersion);
      count = rustVersions.filter((available) => isRustVersionCompatible(required, available)).length;
      this.#rustVersionCounts.set(rustVersion, count);
    }
    return count;
  }
}
