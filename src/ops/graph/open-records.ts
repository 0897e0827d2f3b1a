/** What an earlier run left of a workspace, as far as it still holds. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { checkOutputDirectories } from '../../config/target-directory.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import { type RecalledWorkspace, recallWorkspace } from '../../derived/workspace-record.ts';
import { readLockFileBytes } from '../../disk/read-lock-file.ts';
import { TsregError } from '../../errors/error.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import { SourceReplacement } from '../../sources/source-replacement.ts';
import { registriesOf } from '../lock/registries-of.ts';
import type { KeptDependencies } from './kept-dependencies.ts';
import { isPlain, type WorkspaceRun } from '../workspace/workspace-run.ts';

/**
 * The workspace of a run; null if anything that was read of it has changed that does not belong to one member alone.
 * Throws `DamagedRecordError`, and where what the configuration says of its root is wrong.
 */
export function openWorkspaceRecord(run: WorkspaceRun, store: RecordStore): RecalledWorkspace | null {
  const { options, manifestPath, files } = run;
  const { config } = options;
  const file = store.read('workspace', manifestPath);
  if (file === null) return null;
  const workspace = recallWorkspace(file, {
    ...{ manifestPath, files, registry: registriesOf(config) },
    edits: () => store.read('edits', manifestPath),
  });
  if (workspace !== null) checkOutputDirectories(config, workspace.root);
  return workspace;
}

/** What is kept of the packages of a lock file. */
export interface LockedDependencies extends RecalledDependencies {
  /** True if every source is still the same and need not be asked, and every file of an index is the same. */
  readonly hold: () => boolean;
}

/**
 * The dependencies of a workspace, of which nobody has asked yet whether they hold; null if its lock file has changed.
 * Throws `DamagedRecordError`, and where the `[http]` table is wrong.
 */
export function openDependencyRecord(
  { root, sources }: Pick<RecalledWorkspace, 'root' | 'sources'>,
  run: WorkspaceRun,
  kept: KeptDependencies,
): LockedDependencies | null {
  if (!isPlain(run)) return null;
  const lockFile = readLockFileBytes(join(root, 'Cargo.lock'));
  const dependencies = lockFile === null ? null : kept.recallFor(lockFile);
  if (dependencies === null) return null;
  // What is wrong with the settings of downloads is told though nothing is downloaded.
  run.options.config.http();
  return { ...dependencies, hold: () => hold(dependencies, sources, run) };
}

/** As `LockedDependencies.hold`. */
function hold(
  { sources, packages }: RecalledDependencies,
  table: SourceTable,
  { options, onDisk }: WorkspaceRun,
): boolean {
  const replacement = new SourceReplacement(options.config, table);
  return (
    sources.every(
      ({ original, actual, files }) =>
        replacement.actualOf(original) === actual && files.every((stamp) => onDisk.holds(stamp)),
    ) && packages.every(({ index }) => index === null || onDisk.holds(index))
  );
}

/**
 * An answer; null where anything is wrong, which is found again, and told in its place, where everything is read anew:
 * until then nothing is said of settings either.
 */
export async function unlessWrong<T>(config: Config, answer: () => Promise<T | null>): Promise<T | null> {
  try {
    return await config.attempt(answer);
  } catch (error) {
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}
