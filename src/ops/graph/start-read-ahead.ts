/** Whether a second thread is worth its start. */
import type { Config } from '../../config/config.ts';
import type { RecordStore } from '../../derived/store.ts';
import { joinPath, parentFolder } from '../../files/path.ts';
import { ancestors } from '../../workspace/find-manifest.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import { expectedPackages } from './expected-packages.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { ThreadStart } from './read-ahead-thread.ts';

/** Fewer are not worth it: to start a thread and load its program takes as long as to read some sixty manifests. */
const MIN_PACKAGES = 100;

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
  return readAhead(lockFile, config, { onStart: () => beforeLongWork(true) });
}

/**
 * Starts to read what a lock file (absolute path) names; null if there is too little of it, or no second thread to be
 * had.
 */
export async function readAhead(
  lockFile: string,
  config: Config,
  start: ThreadStart,
): Promise<ReadAhead | null> {
  const packages = expectedPackages(lockFile, config);
  if (packages.length < MIN_PACKAGES) return null;
  const { ReadAheadThread } = await import('./read-ahead-thread.ts');
  const thread = ReadAheadThread.start(start);
  if (thread === null) return null;
  // Much of the program, which is loaded while the thread starts.
  const { ReadAhead } = await import('./read-ahead.ts');
  try {
    return new ReadAhead(thread, packages, config);
  } catch (error) {
    // There is no memory to share with it: then nothing is read ahead.
    thread.close();
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function nearestLockFile(manifestPath: string, files: WorkspaceRun['files']): string | null {
  for (const folder of ancestors(parentFolder(manifestPath))) {
    const path = joinPath(folder, 'Cargo.lock');
    if (files.kind(path) === 'file') return path;
  }
  return null;
}
