/** Whether a second thread is worth its start. */
import type { RecordStore } from '../../derived/store.ts';
import { joinPath, parentFolder } from '../../files/path.ts';
import { ancestors } from '../../workspace/find-manifest.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import type { ReadAhead } from './read-ahead.ts';

/**
 * Starts to read packages before the workspace is, of the lock file that will most likely be its: the nearest above its
 * manifest. null if there is none, or `store` has what an earlier run made of its packages.
 */
export async function startReadAhead(
  { manifestPath, files, options, beforeLongWork }: WorkspaceRun,
  store: RecordStore | null,
): Promise<ReadAhead | null> {
  const { lockfilePath: given, config } = options;
  const lockFile = given ?? nearestLockFile(manifestPath, files);
  if (lockFile === null || store?.has('dependencies', parentFolder(lockFile)) === true) return null;
  const { ReadAhead } = await import('./read-ahead.ts');
  return ReadAhead.start(lockFile, config, { onStart: () => beforeLongWork(true) });
}

function nearestLockFile(manifestPath: string, files: WorkspaceRun['files']): string | null {
  for (const folder of ancestors(parentFolder(manifestPath))) {
    const path = joinPath(folder, 'Cargo.lock');
    if (files.kind(path) === 'file') return path;
  }
  return null;
}
