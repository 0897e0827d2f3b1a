/** `outdated`: finds dependencies that have newer versions. */
import { failureText } from '../../io/disk/failure-text.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { reachablePackages } from '../../core/document/reach.ts';
import { isRegistry } from '../../core/package-id/source-id.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { findOutdated, type OutdatedContext, type OutdatedPackages } from '../../core/resolve/outdated.ts';
import { packagesToUnlock } from '../../core/resolve/packages-to-unlock.ts';
import { previousOfLockfile } from '../../core/resolve/previous.ts';
import type { Resolution } from '../../core/resolve/resolution.ts';
import type { PatchEntry } from '../../core/resolve/select-patches.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import { LockFile } from '../shared/lock/lock-file.ts';
import { LockPass } from '../shared/lock/lock-pass.ts';
import { type LockOptions, type LockRun, startLockRun } from '../shared/lock/lock-run.ts';
import type { LockWorkspaceOptions } from '../shared/lock/resolve-workspace.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import type { PackageSelection } from '../shared/workspace/package-selection.ts';
import { selectPackages } from '../shared/workspace/select-packages.ts';
import { specOptions } from '../shared/workspace/spec-options.ts';
import { type OutdatedDocument, outdatedDocument } from './document.ts';

/** The command-line options of `outdated`. */
export interface OutdatedOptions extends LockOptions, PackageSelection {
  /** True to also check the dependencies of dependencies. */
  readonly all: boolean;
  readonly ignoreRustVersion: boolean;
}

/** The result of `outdated`. */
export interface OutdatedResult extends Pick<OutdatedPackages, 'checked' | 'packages'> {
  /** Why an update is impossible, so that the compatible versions are unknown; null if it is possible. */
  readonly updateError: string | null;
  readonly document: OutdatedDocument;
}

/** The resolutions to compare, and why there is no updated one. */
interface Resolutions extends Pick<OutdatedContext, 'current' | 'updated'> {
  readonly updateError: string | null;
}

/**
 * Compares the lock file with the versions in the registries. Writes no lock file: without one, or if it is out of date,
 * the current versions are those that it would get. Throws `lockfile` if it would change and a flag forbids that.
 */
export async function outdated(options: OutdatedOptions, context: OperationContext): Promise<OutdatedResult> {
  const run = startLockRun(options, context);
  const { workspace } = run;
  const members = workspace.members.map(({ summary }) => summary);
  if (options.listsPackages) throw missingSpec(members.map(({ id }) => id.name));
  const { existingPath } = specOptions(options.config, options.config.files);
  const selected = selectPackages(options.packages, workspace, { report: context.report, existingPath });
  const opened = run.open();
  try {
    const resolutions = await resolveTwice(opened, { run, members });
    const dependents = dependentsOf(
      resolutions.current,
      selected.map(({ summary }) => summary),
      options,
    );
    const { checked, packages } = await findAllOutdated(dependents, resolutions, opened.catalog);
    const keys = new Set(members.map(({ id }) => id.key));
    const { updateError } = resolutions;
    const document = outdatedDocument(packages, { updateError, isMember: ({ key }) => keys.has(key) });
    return { checked, packages, updateError, document };
  } finally {
    opened.rustVersion.stop();
  }
}

/**
 * Resolves the workspace as the lock file does, and as it would after an update of all packages from registries. That can
 * be impossible, for example if a version was yanked.
 */
async function resolveTwice(
  opened: LockWorkspaceOptions,
  { run, members }: { readonly run: LockRun; readonly members: readonly Summary[] },
): Promise<Resolutions> {
  let knownPatches: readonly PatchEntry[] | null = null;
  const options = { ...opened, patches: () => (knownPatches ??= opened.patches()) };
  const pass = new LockPass(options, run.context.report);
  const lockFile = new LockFile({ ...options, pass });
  const { text, lockfile } = lockFile.read();
  // The second resolution needs new index data, so the first one should not load older data.
  for (const { id } of lockfile?.packages ?? []) {
    if (isRegistry(id.source)) opened.catalog.loader.refresh(id.source);
  }
  const current = await pass.solve(lockfile);
  // Throws if the lock file would change and must not.
  lockFile.plan(current.lockfile, text);
  const previous = previousOfLockfile(current.lockfile);
  const unlocked = packagesToUnlock(previous, { named: null, isRecursive: false, members });
  // Repositories stay at their commits: the report leaves them out, and fetching them takes long.
  const isFromRegistry = new Set(
    previous.packages.filter(({ source }) => isRegistry(source)).map(({ key }) => key),
  );
  const toUnlock = new Set(Array.from(unlocked).filter((key) => isFromRegistry.has(key)));
  // The first pass has reported all problems.
  try {
    const updated = await new LockPass(options, reportTo({})).solve(current.lockfile, { toUnlock });
    return { current: current.resolution, updated: updated.resolution, updateError: null };
  } catch (error) {
    if (!(error instanceof TsregError) || error.code !== 'resolve') throw error;
    return { current: current.resolution, updated: null, updateError: failureText(error) };
  }
}

/** Returns the indexes of the packages whose dependencies to check: the selected members; all that they reach for `all`. */
function dependentsOf(
  resolution: Resolution,
  selected: readonly Summary[],
  { all }: Pick<OutdatedOptions, 'all'>,
): readonly number[] {
  const indexes = new Map(resolution.packages.map(({ id }, index) => [id.key, index]));
  const members = selected.map(({ id }) => present(indexes.get(id.key), 'a member of the resolution'));
  return all ? reachablePackages(resolution, members, () => true) : members;
}

/** Finds the outdated packages. Loads the summaries that this needs. */
async function findAllOutdated(
  dependents: readonly number[],
  resolutions: Pick<OutdatedContext, 'current' | 'updated'>,
  { table, loader }: PackageCatalog,
): Promise<OutdatedPackages> {
  for (;;) {
    const found = findOutdated(dependents, { ...resolutions, table });
    if (found.missingSummaries.length === 0) return found;
    await loader.load(found.missingSummaries);
  }
}
