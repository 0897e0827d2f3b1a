/** Reasons why packages do not have newer versions. Cargo Book: Dependency Resolution. */
import { present } from '../errors/assert.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { isRegistry, isSameSource } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { matchesReq } from '../version/matches-req.ts';
import {
  isRustVersionCompatible,
  parseRustVersion,
  type PartialVersion,
} from '../version/partial-version.ts';
import type { VersionReq } from '../version/requirement.ts';
import { type MissingSummary, type Problem, type SummaryTable, UNKNOWN } from './problem.ts';
import type { Resolution } from './resolution.ts';

/** The reason why a newer version was not chosen. */
export type HoldReason =
  /** A package that depends on it does not accept the version. */
  | { readonly kind: 'requirement'; readonly of: PackageId; readonly requirement: string }
  /** It needs a newer Rust than the workspace supports, and supported versions are preferred. */
  | { readonly kind: 'rust-version'; readonly supported: PartialVersion }
  /** It was published too recently; `minimum` is as configured. */
  | { readonly kind: 'publish-age'; readonly minimum: string }
  /** It is a pre-release, and no requirement names one. */
  | { readonly kind: 'pre-release' }
  | { readonly kind: 'yanked' }
  /** It is not on disk, and the network may not be used. */
  | { readonly kind: 'offline' }
  /** `update --precise` requests another version. */
  | { readonly kind: 'precise' }
  /** The lock file has another version, which was not to change. */
  | { readonly kind: 'lockfile' }
  /** It fits here, but not with the other chosen packages. */
  | { readonly kind: 'conflict' };

/** A newer version that was not chosen. */
export interface HeldBackVersion {
  readonly summary: Summary;
  /** Never empty. */
  readonly reasons: readonly HoldReason[];
}

/** A package that has newer versions. */
export interface HeldBackPackage {
  readonly id: PackageId;
  /** Newest first. Only the newest of those with the same kinds of reasons. Never empty. */
  readonly newer: readonly HeldBackVersion[];
}

/** A package, and its requirement on another package. */
interface Dependent {
  readonly of: PackageId;
  readonly req: VersionReq;
}

/** A package of the resolution, with its dependents. */
interface ChosenPackage {
  readonly id: PackageId;
  readonly dependents: readonly Dependent[];
}

/** The resolved problem, and the packages of the lock file that could change. */
export interface HeldBackContext {
  readonly problem: Problem;
  readonly table: SummaryTable;
  /** Keys of packages that were unlocked; null for all. */
  readonly toUnlock: ReadonlySet<string> | null;
  /** Keys of the previous packages of the lock file. */
  readonly before: ReadonlySet<string>;
}

/** Returns the packages from registries that have newer versions, and the packages to load before calling it again. */
export function findHeldBack(
  resolution: Resolution,
  context: HeldBackContext,
): { readonly packages: readonly HeldBackPackage[]; readonly missingSummaries: readonly MissingSummary[] } {
  const dependents = dependentsOf(resolution);
  const packages: HeldBackPackage[] = [];
  const missingSummaries: MissingSummary[] = [];
  for (const [index, { id }] of resolution.packages.entries()) {
    if (!isRegistry(id.source)) continue;
    const { source, name } = id;
    const all = context.table.atHand(source, name, (version) => compareVersions(version, id.version) > 0);
    if (all === UNKNOWN) {
      missingSummaries.push({ source, name });
      continue;
    }
    const chosen: ChosenPackage = { id, dependents: present(dependents[index], 'the list of dependents') };
    const newer = all
      .filter((summary) => compareVersions(summary.id.version, id.version) > 0)
      .sort((a, b) => compareVersions(b.id.version, a.id.version))
      .map((summary) => ({ summary, reasons: reasonsOf(summary, chosen, context) }));
    const [first, ...others] = newestOfEachKind(newer);
    if (first !== undefined) packages.push({ id, newer: [first, ...others] });
  }
  return { packages, missingSummaries };
}

/** Returns the dependents of each package, by its index. */
function dependentsOf({ packages }: Resolution): readonly (readonly Dependent[])[] {
  const dependents = packages.map((): Dependent[] => []);
  for (const { id, edges } of packages) {
    for (const { to, dependencies } of edges) {
      for (const { req } of dependencies) dependents[to]?.push({ of: id, req });
    }
  }
  return dependents;
}

/** Returns the reasons why `candidate`, a newer version of the chosen package, was not chosen. */
function reasonsOf(
  candidate: Summary,
  { id: chosen, dependents }: ChosenPackage,
  { problem, table, toUnlock, before }: HeldBackContext,
): readonly HoldReason[] {
  const { version, name, source } = candidate.id;
  const reasons: HoldReason[] = [];
  for (const { of, req } of dependents) {
    if (matchesReq(req, version)) continue;
    const release = { ...version, pre: '', text: `${version.major}.${version.minor}.${version.patch}` };
    // The version numbers match; only being a pre-release excludes it.
    if (version.pre !== '' && matchesReq(req, release)) continue;
    reasons.push({ kind: 'requirement', of, requirement: req.text });
  }
  if (version.pre !== '' && dependents.some(({ req }) => !matchesReq(req, version))) {
    reasons.push({ kind: 'pre-release' });
  }
  if (candidate.yanked) reasons.push({ kind: 'yanked' });
  const unsupported = unsupportedRust(candidate, problem.rustVersions);
  if (unsupported !== null) reasons.push({ kind: 'rust-version', supported: unsupported });
  const tooNew = problem.publishAge?.tooNew(candidate) ?? null;
  if (tooNew !== null) reasons.push({ kind: 'publish-age', minimum: tooNew.minimum });
  if (problem.offline && !table.isDownloaded(source, name, version)) reasons.push({ kind: 'offline' });
  if (reasons.length > 0) return reasons;
  // The version could be chosen, so one reason remains.
  const isPrecise = problem.precise?.some(
    (entry) => entry.name === name && isSameSource(entry.source, source),
  );
  if (isPrecise === true) return [{ kind: 'precise' }];
  const isLocked = toUnlock !== null && before.has(chosen.key) && !toUnlock.has(chosen.key);
  return [{ kind: isLocked ? 'lockfile' : 'conflict' }];
}

/** Returns the first supported version of Rust that is too old for a package; null if there is none. */
function unsupportedRust(
  { rustVersion }: Summary,
  supported: readonly PartialVersion[],
): PartialVersion | null {
  if (rustVersion === null) return null;
  const required = parseRustVersion(rustVersion);
  return supported.find((available) => !isRustVersionCompatible(required, available)) ?? null;
}

/** Returns the newest version for each set of kinds of reasons. `newer` is sorted, newest first. */
function newestOfEachKind(newer: readonly HeldBackVersion[]): readonly HeldBackVersion[] {
  const seen = new Set<string>();
  return newer.filter(({ reasons }) => {
    const kinds = Array.from(new Set(reasons.map(({ kind }) => kind))).join(' ');
    if (seen.has(kinds)) return false;
    seen.add(kinds);
    return true;
  });
}
