/** What a new resolution changes in a lock file, as cargo reports it. */
import { compareBytes } from '../files/compare-bytes.ts';
import { describePackage } from '../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import { compareSources, isRegistry } from '../package-id/source-id.ts';
import { comparePrecedence } from '../version/compare-versions.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import { Candidates, isWant } from './candidates.ts';
import { changeNote, type ChangeNote, isBetterThan } from './change-note.ts';
import type { Previous, Problem, SummaryTable, Want } from './problem.ts';
import { requiredRustVersions } from './required-rust-version.ts';
import type { Resolution } from './resolution.ts';

/** One line of the report. */
export interface LockChange {
  readonly verb: 'Adding' | 'Updating' | 'Downgrading';
  /** `aa v1.0.0`, or `aa v1.0.0 -> v1.1.0`. */
  readonly text: string;
  readonly note: ChangeNote | null;
}

/** The whole report; `count` 0 means that nothing is said. */
export interface LockReport {
  readonly kind: 'done';
  /** Packages that are new or changed, members left out. */
  readonly count: number;
  /** Text behind `Locking`. */
  readonly summary: string;
  readonly lines: readonly LockChange[];
}

/** What the report depends on. */
export interface LockChangesOptions {
  /** The lock file before; null if there was none. */
  readonly previous: Previous | null;
  /** What was resolved. */
  readonly problem: Problem;
  readonly table: SummaryTable;
  /** Lowest `rust-version` of the members; null if none has one. */
  readonly lowestRustVersion: PartialVersion | null;
  /** The version of rustc; null if there is none. */
  readonly rustc: PartialVersion | null;
}

/** The difference between two resolutions at one package. */
interface Change {
  readonly verb: LockChange['verb'];
  readonly index: number;
  readonly text: string;
}

/**
 * The `Locking` report. Without a previous lock file only packages with a note are listed, with one all
 * that changed. The notes tell of versions that were not chosen, which may have to be loaded first.
 */
export function lockChanges(
  resolution: Resolution,
  options: LockChangesOptions,
): LockReport | { readonly kind: 'needs'; readonly wants: readonly Want[] } {
  const { previous, problem, table, rustc } = options;
  const honorsRustVersion = problem.rustVersions.length > 0;
  const members = new Set(problem.roots.map(({ summary }) => summary.id.key));
  const changes = findChanges(resolution, previous).filter(
    ({ index }) => !members.has(resolution.packages[index]?.id.key ?? ''),
  );
  if (changes.length === 0) return { kind: 'done', count: 0, summary: '', lines: [] };
  const required = honorsRustVersion
    ? requiredRustVersions(resolution, problem.roots, rustc)
    : resolution.packages.map(() => rustc);
  const direct = directPackages(resolution, members);
  const candidates = new Candidates(problem, table);
  const wants: Want[] = [];
  const lines: LockChange[] = [];
  for (const { verb, index, text } of changes) {
    const changed = resolution.packages[index];
    if (changed === undefined) continue;
    const { id, summary } = changed;
    const isDirect = direct.has(index);
    const alternatives = isRegistry(id.source)
      ? candidates.queryVersions(id.source, id.name, isBetterThan(id.version, { isDirect }))
      : [];
    if (isWant(alternatives)) {
      wants.push(alternatives);
      continue;
    }
    const note = changeNote(summary, { alternatives, isDirect, requiredRust: required[index] ?? null });
    if (previous !== null || note !== null) lines.push({ verb, text, note });
  }
  if (wants.length > 0) return { kind: 'needs', wants };
  const lowest = honorsRustVersion ? (options.lowestRustVersion ?? rustc) : null;
  return { kind: 'done', count: changes.length, summary: lockingText(changes.length, lowest), lines };
}

function lockingText(count: number, rustVersion: PartialVersion | null): string {
  const plural = count === 1 ? '' : 's';
  const rust = rustVersion === null ? '' : ` Rust ${rustVersion.text}`;
  return `${count} package${plural} to latest${rust} compatible version${plural}`;
}

/** Packages that are not in the previous resolution, by name and source, each with what it replaces. */
function findChanges(resolution: Resolution, previous: Previous | null): readonly Change[] {
  interface Group {
    readonly removed: PackageId[];
    readonly added: { readonly id: PackageId; readonly index: number }[];
  }
  const groups = new Map<string, Group>();
  const groupOf = ({ name, source }: PackageId): Group => {
    const key = `${name} ${source.unpinnedKey}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { removed: [], added: [] }));
    return group;
  };
  const before = new Map((previous?.packages ?? []).map((id) => [id.key, id]));
  const after = new Map(resolution.packages.map(({ id }) => [id.key, id]));
  for (const id of before.values()) if (!isUnchanged(id, after)) groupOf(id).removed.push(id);
  for (const [index, { id }] of resolution.packages.entries()) {
    if (!isUnchanged(id, before)) groupOf(id).added.push({ id, index });
  }
  const changes: (Change & { readonly id: PackageId })[] = [];
  for (const { removed, added } of groups.values()) {
    const [old] = removed;
    const isReplaced = old !== undefined && removed.length === 1 && added.length === 1;
    for (const { id, index } of added) {
      changes.push(
        isReplaced
          ? {
              verb: comparePrecedence(old.version, id.version) > 0 ? 'Downgrading' : 'Updating',
              index,
              id,
              text: `${describePackage(old)} -> ${versionOrCommit(id)}`,
            }
          : { verb: 'Adding', index, id, text: describePackage(id) },
      );
    }
  }
  return changes.sort(
    (a, b) =>
      compareBytes(a.id.name, b.id.name) ||
      compareSources(a.id.source, b.id.source) ||
      comparePackageIds(a.id, b.id),
  );
}

/** True if a package is in the other resolution, from the same commit. */
function isUnchanged(id: PackageId, others: ReadonlyMap<string, PackageId>): boolean {
  const other = others.get(id.key);
  return other !== undefined && (isRegistry(id.source) || other.source.precise === id.source.precise);
}

function versionOrCommit({ version, source }: PackageId): string {
  return source.kind === 'git' ? `#${(source.precise ?? '').slice(0, 8)}` : `v${version.text}`;
}

/** Indexes of the members and of what they depend on themselves. */
function directPackages({ packages }: Resolution, members: ReadonlySet<string>): ReadonlySet<number> {
  const direct = new Set<number>();
  for (const [index, { id, edges }] of packages.entries()) {
    if (!members.has(id.key)) continue;
    direct.add(index);
    for (const { to } of edges) direct.add(packages[to]?.replacement ?? to);
  }
  return direct;
}
