/** Changes that a new resolution makes to a lock file, as cargo reports them. */
import { compareBytes } from '../files/compare-bytes.ts';
import { describePackage } from '../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import { compareSources, isRegistry } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { comparePrecedence } from '../version/compare-versions.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import { Candidates } from './candidates.ts';
import {
  betterVersionNote,
  type ChangeNote,
  isBetterThan,
  publishAgeNote,
  rustVersionNote,
} from './change-note.ts';
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

/** The change to a package. */
export type ChangeKind = 'added' | 'removed' | 'upgraded' | 'downgraded' | 'unchanged';

/** A package of the lock file before or after. */
export interface LockChange {
  readonly kind: ChangeKind;
  /** The new ID; the old one if the package is removed. */
  readonly id: PackageId;
  /** The package that it replaces, if that is unambiguous; else null. */
  readonly from: PackageId | null;
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

/** The difference between two resolutions in one package. */
export interface PackageChange extends Pick<LockChange, 'kind' | 'id' | 'from'> {
  /** Index into the resolution; null if removed. */
  readonly index: number | null;
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
  const isAbout = scope === 'all' ? () => true : ({ id }: PackageChange): boolean => !members.has(id.key);
  const fresh = all.filter((change) => isFresh(change) && isAbout(change));
  const lowest = honorsRustVersion ? (options.lowestRustVersion ?? rustc) : null;
  const changes = followChanges(scope === 'all' ? all : fresh, resolution, { ...options, members });
  return { count: fresh.length, summary: lockingText(fresh.length, lowest, options.publishAge), changes };
}

function* followChanges(
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
  const candidates = new Candidates(problem, table);
  for (const [at, { index, ...change }] of changes.entries()) {
    const { id } = change;
    const chosen = index === null ? null : (resolution.packages[index]?.summary ?? null);
    const isDirect = index !== null && direct.has(index);
    const isBetter = chosen === null ? () => false : isBetterThan(id.version, { isDirect });
    const alternatives: readonly Summary[] | MissingSummary = isRegistry(id.source)
      ? candidates.queryVersions(id.source, id.name, isBetter)
      : [];
    if (isMissing(alternatives)) return wantsOf(changes.slice(at), table);
    const requiredRust = index === null ? null : (required[index] ?? null);
    const better =
      chosen === null
        ? null
        : betterVersionNote(chosen, { alternatives, isDirect, requiredRust, publishAge });
    const own =
      chosen === null ? null : (rustVersionNote(chosen, requiredRust) ?? publishAgeNote(chosen, publishAge));
    const text = describeChange(change);
    yield { ...change, text, note: own ?? better, isBehind: better !== null };
  }
  return [];
}

/** Returns the packages from registries that are missing in the table. */
function wantsOf(changes: readonly PackageChange[], table: SummaryTable): readonly MissingSummary[] {
  const ids = changes.map(({ id }) => id).filter(({ source }) => isRegistry(source));
  const unknown = ids.filter(({ source, name }) => table.atHand(source, name, () => false) === UNKNOWN);
  return unknown.map(({ source, name }) => ({ source, name }));
}

/** Returns true for new and changed packages. */
function isFresh({ kind }: Pick<LockChange, 'kind'>): boolean {
  return kind !== 'removed' && kind !== 'unchanged';
}

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

/**
 * Returns every package before and after, sorted by name and source. Within one source, removed packages come first.
 */
export function comparePackages(resolution: Resolution, previous: Previous | null): readonly PackageChange[] {
  interface Group {
    readonly removed: PackageChange[];
    readonly added: PackageChange[];
    readonly unchanged: PackageChange[];
  }
  const groups = new Map<string, Group>();
  const groupOf = ({ name, source }: PackageId): Group => {
    const key = `${name} ${source.unpinnedKey}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { removed: [], added: [], unchanged: [] }));
    return group;
  };
  const before = new Map((previous?.packages ?? []).map((id) => [id.key, id]));
  const after = new Map(resolution.packages.map(({ id }) => [id.key, id]));
  for (const id of before.values()) {
    if (!isUnchanged(id, after)) groupOf(id).removed.push({ kind: 'removed', id, from: null, index: null });
  }
  for (const [index, { id }] of resolution.packages.entries()) {
    const group = groupOf(id);
    if (isUnchanged(id, before)) group.unchanged.push({ kind: 'unchanged', id, from: null, index });
    else group.added.push({ kind: 'added', id, from: null, index });
  }
  const sorted = Array.from(groups.values(), ({ removed, added, unchanged }): readonly PackageChange[] => {
    const byId = (changes: PackageChange[]): PackageChange[] =>
      changes.sort((a, b) => comparePackageIds(a.id, b.id));
    const [old] = removed;
    const [change] = added;
    const isReplaced = removed.length === 1 && added.length === 1;
    if (!isReplaced || old === undefined || change === undefined) {
      return [...byId(removed), ...byId(added), ...byId(unchanged)];
    }
    const isOlder = comparePrecedence(old.id.version, change.id.version) > 0;
    const replaced: PackageChange = { ...change, kind: isOlder ? 'downgraded' : 'upgraded', from: old.id };
    return [replaced, ...byId(unchanged)];
  });
  return sorted
    .sort(([a], [b]) =>
      a === undefined || b === undefined
        ? 0
        : compareBytes(a.id.name, b.id.name) || compareSources(a.id.source, b.id.source),
    )
    .flat();
}

/** Returns true if the other resolution has the package, from the same commit. */
function isUnchanged(id: PackageId, others: ReadonlyMap<string, PackageId>): boolean {
  const other = others.get(id.key);
  return other !== undefined && (isRegistry(id.source) || other.source.precise === id.source.precise);
}

function describeChange({ id, from }: Pick<PackageChange, 'id' | 'from'>): string {
  if (from === null) return describePackage(id);
  const { version, source } = id;
  const to = source.kind === 'git' ? `#${(source.precise ?? '').slice(0, 8)}` : `v${version.text}`;
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
