/** Finds packages in the workspace of the working folder and among its dependencies. Cargo Book: cargo info. */
import { present } from '../../core/errors/assert.ts';
import type { PackageCache } from '../../io/disk/package-cache.ts';
import { TsregError } from '../../core/errors/error.ts';
import { matchesPackageIdSpec, type PackageIdSpec } from '../../core/package-id/package-id-spec.ts';
import { type OperationContext, type Report, reportTo } from '../../core/report/report.ts';
import { reportSnippets } from '../../core/report/report-snippets.ts';
import type { Resolution } from '../../core/resolve/resolution.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import type { Summary } from '../../core/summary/summary.ts';
import {
  comparePartialVersions,
  parseRustVersion,
  type PartialVersion,
} from '../../core/version/partial-version.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { latestVersion } from './versions.ts';
import { LockFile } from '../shared/lock/lock-file.ts';
import { LockPass } from '../shared/lock/lock-pass.ts';
import { type LockRun, type LockRunOptions, startLockRun } from '../shared/lock/lock-run.ts';
import { lockWorkspace } from '../shared/lock/resolve-workspace.ts';

/** The relation of a package to a workspace. Dependencies include indirect ones. */
export type Relation = 'member' | 'dependency';

/** A package of a workspace that matches a specification. */
export interface WorkspaceMatch {
  readonly summary: Summary;
  readonly relation: Relation;
  /** True if the lock file already had the package. Then index data on disk is sufficient. */
  readonly isLocked: boolean;
}

/** Opens the workspace of the working folder. Returns null if there is none, or if it cannot be read. */
export function openInfoWorkspace(options: LockRunOptions, context: OperationContext): LockRun | null {
  try {
    return startLockRun(options, context);
  } catch (error) {
    ignoreUnusable(error, context.report);
    return null;
  }
}

/**
 * Finds the package that matches `spec`: a member, else the highest version among the dependencies of the current
 * package, else of all members, else in the whole lock file. Unless a member matches, brings the lock file up to date.
 * `match` is null if there is none, or if the workspace cannot be resolved. `catalog` is null if none was opened.
 */
export async function findInWorkspace(
  spec: PackageIdSpec,
  run: LockRun,
  cache: PackageCache,
): Promise<{ readonly match: WorkspaceMatch | null; readonly catalog: PackageCatalog | null }> {
  const { workspace } = run;
  const member = workspace.members.find(({ summary }) => matchesPackageIdSpec(spec, summary.id));
  if (member !== undefined) {
    const match = { summary: member.summary, relation: 'member', isLocked: false } as const;
    return { match, catalog: null };
  }
  const { resolved, catalog } = await resolveLock(run, cache);
  if (resolved === null) return { match: null, catalog };
  const { resolution, locked } = resolved;
  const members = workspace.members.map(({ summary }) => summary);
  const groups = [
    () => dependenciesOf(currentPackages(workspace), resolution),
    () => dependenciesOf(members, resolution),
    () => resolution.packages.map(({ summary }) => summary),
  ];
  for (const group of groups) {
    const summary = latestVersion(group().filter(({ id }) => matchesPackageIdSpec(spec, id)));
    if (summary === null) continue;
    return {
      match: { summary, relation: 'dependency', isLocked: locked.has(summary.id.key) },
      catalog,
    };
  }
  return { match: null, catalog };
}

/** Returns the `rust-version` of the current package, else the lowest of a member; null if none has one. */
export function supportedRustVersion(workspace: Workspace): PartialVersion | null {
  const declared = (summaries: readonly Summary[]): readonly PartialVersion[] =>
    summaries.flatMap(({ rustVersion }) => (rustVersion === null ? [] : [parseRustVersion(rustVersion)]));
  const [current] = declared(currentPackages(workspace));
  if (current !== undefined) return current;
  const all = declared(workspace.members.map(({ summary }) => summary));
  return all.toSorted(comparePartialVersions)[0] ?? null;
}

/** Returns the package of the working folder; empty if there is none. */
function currentPackages({ currentManifest, members }: Workspace): readonly Summary[] {
  return members.filter((member) => member === currentManifest).map(({ summary }) => summary);
}

/** The resolved dependencies of a workspace. */
interface ResolvedLock {
  readonly resolution: Resolution;
  /** Keys of the packages in the previous lock file. */
  readonly locked: ReadonlySet<string>;
}

/** Resolves the workspace. Returns the catalog even after a failure, because it may have queried registries. */
async function resolveLock(
  run: LockRun,
  cache: PackageCache,
): Promise<{ readonly resolved: ResolvedLock | null; readonly catalog: PackageCatalog | null }> {
  let catalog: PackageCatalog | null = null;
  try {
    const opened = run.open({ cache, earlier: null });
    catalog = opened.catalog;
    // `lockWorkspace` reads the file again, and reports problems of path packages then.
    const { lockfile } = new LockFile({ ...opened, pass: new LockPass(opened, reportTo({})) }).read();
    const { lockResolution } = await lockWorkspace(opened, run.context);
    const locked = new Set(lockfile?.packages.map(({ id }) => id.key));
    return { resolved: { resolution: lockResolution, locked }, catalog };
  } catch (error) {
    ignoreUnusable(error, run.context.report);
    return { resolved: null, catalog };
  }
}

/** Returns the direct dependencies of packages. A replacement stands for the package that it replaces. */
function dependenciesOf(dependents: readonly Summary[], { packages }: Resolution): readonly Summary[] {
  return dependents.flatMap(({ id }) => {
    const dependent = present(
      packages.find((candidate) => candidate.id.key === id.key),
      'a member of the resolution',
    );
    return dependent.edges.map(
      ({ to }) => present(packages[packages[to]?.replacement ?? to], 'a package of the resolution').summary,
    );
  });
}

/** Ignores that a workspace cannot be used, but reports the wrong lines in its files. Throws all other errors again. */
function ignoreUnusable(error: unknown, report: Report): void {
  if (!(error instanceof TsregError) || error.code === 'bug' || error.code === 'aborted') throw error;
  reportSnippets(error, report);
}
