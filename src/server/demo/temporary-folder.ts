import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContextAsync } from '../../core/errors/error.ts';

/** A folder that exists until it is removed. */
export interface TemporaryFolder {
  /** Absolute path. */
  readonly path: string;
  /** Removes the folder with everything in it. */
  remove(): Promise<void>;
}

/** Creates a folder in the system's folder for temporary files. Only this user can read it. Rejects with `io`. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await withContextAsync('failed to create a temporary folder', () =>
    mkdtemp(join(tmpdir(), 'tsreg-demo-')),
  );
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
