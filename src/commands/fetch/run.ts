/** `fetch`: puts the packages of the lock file on disk. Cargo Book: cargo fetch. */
import { visitPackages } from '../../core/document/reach.ts';
import { present } from '../../core/errors/assert.ts';
import { comparePackageIds } from '../../core/package-id/package-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { reportManifests } from '../../io/workspace/report-manifests.ts';
import { compileTargets } from '../shared/platform/compile-targets.ts';
import { type LockOptions, startLockRun } from '../shared/lock/lock-run.ts';
import { missingTarget } from '../shared/workspace/missing-values.ts';
import { lockWorkspace } from '../shared/lock/resolve-workspace.ts';

/** The command-line options of `fetch`. */
export interface FetchOptions extends LockOptions {
  /** Targets to fetch packages for; null for all packages. An empty list is an error. */
  readonly targets: readonly string[] | null;
}

/** A package on disk. */
export interface PackageOnDisk {
  readonly name: string;
  readonly version: string;
  /** Absolute path of the folder that contains its `Cargo.toml`. */
  readonly root: string;
}

/**
 * Brings `Cargo.lock` up to date, and downloads and unpacks missing packages. Returns all packages that the targets
 * need, sorted by id. Throws with cargo's messages.
 */
export async function fetchPackages(
  options: FetchOptions,
  context: OperationContext,
): Promise<readonly PackageOnDisk[]> {
  const { config, targets } = options;
  const flagError = targets?.length === 0 ? missingTarget(config) : null;
  const run = startLockRun({ ...options, ignoreRustVersion: false, flagError }, context);
  const { workspace } = run;
  reportManifests(workspace, context.report);
  const opened = run.open();
  const { catalog } = opened;
  const { lockResolution } = await lockWorkspace(opened, run.context);
  // As in cargo, errors of the network settings come before those of targets.
  config.http();
  const compiled = await compileTargets(targets ?? [], config, context);
  const indexes = new Map(lockResolution.packages.map(({ id }, index) => [id.key, index]));
  const visited = visitPackages(
    lockResolution,
    workspace.members.map(({ summary }) =>
      present(indexes.get(summary.id.key), 'a member of the resolution'),
    ),
    (dependency) =>
      targets === null || compiled.triples.some((_, target) => compiled.isUsed(dependency, target)),
  );
  const needed = Array.from(
    visited,
    (index) => present(lockResolution.packages[index], 'a package of the resolution').summary,
  );
  const fetched = await catalog.fetchPackages(needed, { keepsOrder: true });
  return fetched
    .map((onDisk) => ({ id: catalog.manifestOf(onDisk).summary.id, root: onDisk.root }))
    .sort((a, b) => comparePackageIds(a.id, b.id))
    .map(({ id, root }) => ({ name: id.name, version: id.version.text, root }));
}
