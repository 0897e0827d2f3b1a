/** `fetch`: puts the packages of the lock file on disk. Cargo Book: cargo fetch. */
import { reachablePackages } from '../metadata/reach.ts';
import type { OperationContext } from '../report/report.ts';
import { checkManifests, manifestWarnings } from '../workspace/manifest-warnings.ts';
import { compileTargets } from './compile-targets.ts';
import { type LockOptions, startLockRun } from './lock-run.ts';
import { missingTarget } from './missing-values.ts';
import { lockWorkspace } from './resolve-workspace.ts';

/** What the command line of `fetch` asks for. */
export interface FetchOptions extends Omit<LockOptions, 'ignoreRustVersion'> {
  /** Targets that packages are needed for, null for everything. An empty list is refused. */
  readonly targets: readonly string[] | null;
}

/** A package on disk. */
export interface PackageOnDisk {
  readonly name: string;
  readonly version: string;
  /** Absolute folder that holds its `Cargo.toml`. */
  readonly root: string;
}

/** Brings `Cargo.lock` up to date, and downloads and unpacks what is missing; gives all that is needed, by id. */
export async function fetchPackages(
  options: FetchOptions,
  context: OperationContext,
): Promise<readonly PackageOnDisk[]> {
  const { config, targets } = options;
  const flagProblem = targets?.length === 0 ? missingTarget(config) : null;
  const run = startLockRun({ ...options, ignoreRustVersion: false, flagProblem }, context);
  const { workspace } = run;
  for (const warning of manifestWarnings(workspace)) context.report.warning(warning);
  checkManifests(workspace);
  const opened = run.open();
  const { catalog } = opened;
  const { lockPass } = await lockWorkspace(opened, run.context);
  const compiled = await compileTargets(targets ?? [], config);
  const members = new Set(workspace.members.map(({ summary }) => summary.id.key));
  const roots = Array.from(lockPass.packages.entries()).flatMap(([index, { id }]) =>
    members.has(id.key) ? [index] : [],
  );
  const indexes = reachablePackages(
    lockPass,
    roots,
    (dependency) => targets === null || compiled.triples.some((_, target) => compiled.isUsed(dependency, target)),
  );
  const needed = indexes.flatMap((index) => lockPass.packages[index]?.summary ?? []);
  const fetched = await catalog.fetchPackages(needed);
  return fetched.map((each) => {
    const { id } = catalog.manifestOf(each).summary;
    return { name: id.name, version: id.version.text, root: each.root };
  });
}
