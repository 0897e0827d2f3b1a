/** Packages that the workspace of the working folder has, or depends on. Cargo Book: cargo info. */
import type { PackageCache } from '../../disk/package-cache.ts';
import { TsregError } from '../../errors/error.ts';
import { matchesPackageIdSpec, type PackageIdSpec } from '../../package-id/package-id-spec.ts';
import { type OperationContext, type Report, reportTo } from '../../report/report.ts';
import { reportSnippets } from '../../report/report-snippets.ts';
import type { Resolution } from '../../resolve/resolution.ts';
import type { PackageCatalog } from '../../sources/catalog.ts';
import type { Summary } from '../../summary/summary.ts';
import { compareVersions } from '../../version/compare-versions.ts';
import {
  comparePartialVersions,
  parseRustVersion,
  type PartialVersion,
} from '../../version/partial-version.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { LockFile } from '../lock/lock-file.ts';
import { LockPass } from '../lock/lock-pass.ts';
import { type LockOptions, type LockRun, startLockRun } from '../lock/lock-run.ts';
import { lockWorkspace } from '../lock/resolve-workspace.ts';

/** What a package is to a workspace: one of its own, or one that its members lead to. */
export type Relation = 'member' | 'dependency';

/** A package that a specification names in a workspace. */
export interface FoundPackage {
  readonly summary: Summary;
  readonly relation: Relation;
  /** True if the lock file had it already: then what is on disk of its registry is good enough. */
  readonly isLocked: boolean;
}

/** The workspace of the working folder; null if there is none, or none that can be read. */
export function openInfoWorkspace(options: LockOptions, context: OperationContext): LockRun | null {
  try {
    return startLockRun(options, context);
  } catch (error) {
    passOver(error, context.report);
    return null;
  }
}

/**
 * The package that `spec` names: a member, else the highest version among what the package of the working folder
 * depends on, else among what any member depends on, else in the whole lock file, which is brought up to date for
 * that. null if there is none, or if the workspace cannot be resolved. `catalog` is what was used for it, if anything.
 */
export async function findInWorkspace(
  spec: PackageIdSpec,
  run: LockRun,
  cache: PackageCache,
): Promise<{ readonly found: FoundPackage | null; readonly catalog: PackageCatalog | null }> {
  const { workspace } = run;
  const member = workspace.members.find(({ summary }) => matchesPackageIdSpec(spec, summary.id));
  if (member !== undefined) {
    const found = { summary: member.summary, relation: 'member', isLocked: false } as const;
    return { found, catalog: null };
  }
  const { resolved, catalog } = await resolve(run, cache);
  if (resolved === null) return { found: null, catalog };
  const { resolution, locked } = resolved;
  const members = workspace.members.map(({ summary }) => summary);
  const groups = [
    () => dependenciesOf(nearestPackages(workspace), resolution),
    () => dependenciesOf(members, resolution),
    () => resolution.packages.map(({ summary }) => summary),
  ];
  for (const group of groups) {
    const summary = highest(group().filter(({ id }) => matchesPackageIdSpec(spec, id)));
    if (summary === null) continue;
    return {
      found: { summary, relation: 'dependency', isLocked: locked.has(summary.id.key) },
      catalog,
    };
  }
  return { found: null, catalog };
}

/** The Rust that the package of the working folder promises to support, else the lowest that a member does; else null. */
export function supportedRustVersion(workspace: Workspace): PartialVersion | null {
  const promised = (summaries: readonly Summary[]): readonly PartialVersion[] =>
    summaries.flatMap(({ rustVersion }) => (rustVersion === null ? [] : [parseRustVersion(rustVersion)]));
  const [nearest] = promised(nearestPackages(workspace));
  if (nearest !== undefined) return nearest;
  const all = promised(workspace.members.map(({ summary }) => summary));
  return all.toSorted(comparePartialVersions)[0] ?? null;
}

/** The package of the working folder, if it is in one. */
function nearestPackages({ currentManifest, members }: Workspace): readonly Summary[] {
  return members.filter((member) => member === currentManifest).map(({ summary }) => summary);
}

interface ResolvedLock {
  readonly resolution: Resolution;
  /** Keys of the packages that the lock file had before. */
  readonly locked: ReadonlySet<string>;
}

/** A catalog that was asked in vain has been asked all the same. */
async function resolve(
  run: LockRun,
  cache: PackageCache,
): Promise<{ readonly resolved: ResolvedLock | null; readonly catalog: PackageCatalog | null }> {
  let catalog: PackageCatalog | null = null;
  try {
    const opened = run.open({ cache, earlier: null });
    catalog = opened.catalog;
    // `lockWorkspace` reads it again, and says what is wrong with path packages.
    const { lockfile } = new LockFile({ ...opened, pass: new LockPass(opened, reportTo({})) }).read();
    const { lockPass } = await lockWorkspace(opened, run.context);
    const locked = new Set(lockfile?.packages.map(({ id }) => id.key));
    return { resolved: { resolution: lockPass, locked }, catalog };
  } catch (error) {
    passOver(error, run.context.report);
    return { resolved: null, catalog };
  }
}

/** Packages that some depend on directly, replaced ones by what replaces them. */
function dependenciesOf(dependents: readonly Summary[], { packages }: Resolution): readonly Summary[] {
  return dependents.flatMap(({ id }) => {
    const edges = packages.find((each) => each.id.key === id.key)?.edges ?? [];
    return edges.flatMap(({ to }) => packages[packages[to]?.replacement ?? to]?.summary ?? []);
  });
}

/** The highest version; of several equal ones the last. */
function highest(summaries: readonly Summary[]): Summary | null {
  return summaries.reduce<Summary | null>(
    (best, each) => (best !== null && compareVersions(best.id.version, each.id.version) > 0 ? best : each),
    null,
  );
}

/** A workspace that cannot be used counts for none. What is wrong in its files is shown all the same. */
function passOver(error: unknown, report: Report): void {
  if (!(error instanceof TsregError) || error.code === 'bug' || error.code === 'aborted') throw error;
  reportSnippets(error, report);
}
