/** Changes that a new resolution makes to a lock file, as cargo reports them. */
import { present } from '../errors/assert.ts';
import { describePackage } from '../package-id/describe.ts';
import { isRegistry } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import {
  betterVersionNote,
  type ChangeNote,
  isBetterThan,
  publishAgeNote,
  rustVersionNote,
} from './change-note.ts';
import { comparePackages, type PackageChange } from './compare-packages.ts';
import { OfferedVersions } from './offered-versions.ts';
import type { PublishAge } from './publish-age.ts';
import {
  isMissing,
  type Previous,
  type Problem,
  type SummaryTable,
  UNKNOWN,
  type MissingSummary,
} from './problem.ts';
import { requiredRustVersions } from './required-rust-version.ts';
import type { Resolution } from './resolution.ts';

/** Number of digits of a commit in messages, as in cargo. */
const SHORT_COMMIT = 8;

/** A package of the lock file before or after, as the report shows it. */
export interface LockChange extends Omit<PackageChange, 'index'> {
  /** `aa v1.0.0`, or `aa v1.0.0 -> v1.1.0`. */
  readonly text: string;
  readonly note: ChangeNote | null;
  /** True if a better version exists. */
  readonly isBehind: boolean;
}

/** The report, computed lazily. */
export interface LockReport {
  /** Number of new and changed packages. */
  readonly count: number;
  /** Text after `Locking`. */
  readonly summary: string;
  /**
   * The changes to report, each computed on demand. Stops at the first one that needs missing summaries, and returns
   * what to load for the rest.
   */
  readonly changes: Generator<LockChange, readonly MissingSummary[]>;
}

/** Inputs of the report. */
export interface LockChangesOptions {
  /** The previous lock file; null if there was none. */
  readonly previous: Previous | null;
  readonly problem: Problem;
  readonly table: SummaryTable;
  /** Lowest `rust-version` of the members; null if none has one. */
  readonly lowestRustVersion: PartialVersion | null;
  /** The version of rustc; null if there is none. */
  readonly rustc: PartialVersion | null;
  /** Finds versions that are too new, even if they may be chosen; null if none are. */
  readonly publishAge: PublishAge | null;
  /** `new`: added and changed packages without members. `all`: every package before and after. */
  readonly scope: 'new' | 'all';
}

/**
 * Compares a resolution with the previous lock file, in cargo's order. Notes name versions that were not chosen, which
 * may have to be loaded first.
 */
export function lockChanges(resolution: Resolution, options: LockChangesOptions): LockReport {
  const { previous, problem, rustc, scope } = options;
  const honorsRustVersion = problem.rustVersions.length > 0;
  const members = new Set(problem.roots.map(({ summary }) => summary.id.key));
  const all = comparePackages(resolution, previous);
  const newChanges = all.filter(
    (change) => isNewOrChanged(change) && (scope === 'all' || !members.has(change.id.key)),
  );
  const lowest = honorsRustVersion ? (options.lowestRustVersion ?? rustc) : null;
  const changes = describeChanges(scope === 'all' ? all : newChanges, resolution, { ...options, members });
  const count = newChanges.length;
  return { count, summary: lockingText(count, lowest, options.publishAge), changes };
}

/** Yields the changes in order. Stops and returns the summaries to load if a note needs missing ones. */
function* describeChanges(
  changes: readonly PackageChange[],
  resolution: Resolution,
  options: LockChangesOptions & { readonly members: ReadonlySet<string> },
): LockReport['changes'] {
  const { problem, table, rustc, members, publishAge } = options;
  if (changes.length === 0) return [];
  const honorsRustVersion = problem.rustVersions.length > 0;
  const required = honorsRustVersion
    ? requiredRustVersions(resolution, problem.roots, rustc)
    : resolution.packages.map(() => rustc);
  const direct = directPackages(resolution, members);
  const offered = new OfferedVersions(problem, table);
  for (const [position, { index, ...change }] of changes.entries()) {
    const { id } = change;
    const isDirect = index !== null && direct.has(index);
    // Like cargo, queries the source of a removed package too, although none of its versions is better.
    const isBetter = index === null ? () => false : isBetterThan(id.version, { isDirect });
    const alternatives: readonly Summary[] | MissingSummary = isRegistry(id.source)
      ? offered.query(id.source, id.name, isBetter)
      : [];
    if (isMissing(alternatives)) return missingSummariesOf(changes.slice(position), table);
    const text = describeChange(change);
    if (index === null) {
      yield { ...change, text, note: null, isBehind: false };
      continue;
    }
    const chosen = present(resolution.packages[index], 'a package of the resolution').summary;
    const requiredRust = required[index] ?? null;
    const better = betterVersionNote(chosen, { alternatives, isDirect, requiredRust, publishAge });
    const warning = rustVersionNote(chosen, requiredRust) ?? publishAgeNote(chosen, publishAge);
    yield { ...change, text, note: warning ?? better, isBehind: better !== null };
  }
  return [];
}

/** Returns the packages from registries that are missing in the table. */
function missingSummariesOf(
  changes: readonly PackageChange[],
  table: SummaryTable,
): readonly MissingSummary[] {
  const ids = changes.map(({ id }) => id).filter(({ source }) => isRegistry(source));
  const unknown = ids.filter(({ source, name }) => table.atHand(source, name, () => false) === UNKNOWN);
  return unknown.map(({ source, name }) => ({ source, name }));
}

/** Returns true for new and changed packages, which cargo counts after `Locking`. */
function isNewOrChanged({ kind }: PackageChange): boolean {
  return kind !== 'removed' && kind !== 'unchanged';
}

/** Returns the text after `Locking`. */
function lockingText(
  count: number,
  rustVersion: PartialVersion | null,
  publishAge: PublishAge | null,
): string {
  const plural = count === 1 ? '' : 's';
  const rust = rustVersion === null ? '' : ` Rust ${rustVersion.text}`;
  const asOf = publishAge?.asOf ?? null;
  const age = asOf === null ? '' : ` as of ${asOf}`;
  return `${count} package${plural} to highest${rust} compatible version${plural}${age}`;
}

/** Returns a package, or the change from its previous version or commit. */
function describeChange({ id, from }: Omit<PackageChange, 'index'>): string {
  if (from === null) return describePackage(id);
  const { version, source } = id;
  const to = source.kind === 'git' ? `#${(source.precise ?? '').slice(0, SHORT_COMMIT)}` : `v${version.text}`;
  return `${describePackage(from)} -> ${to}`;
}

/** Returns the indexes of members and their direct dependencies. */
function directPackages({ packages }: Resolution, members: ReadonlySet<string>): ReadonlySet<number> {
  const direct = new Set<number>();
  for (const [index, { id, edges }] of packages.entries()) {
    if (!members.has(id.key)) continue;
    direct.add(index);
    for (const { to } of edges) direct.add(packages[to]?.replacement ?? to);
  }
  return direct;
}
