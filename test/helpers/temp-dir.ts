import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An empty folder that `remove` or `using` removes. Its path contains no links and no short names. */
export interface TempDir extends Disposable {
  readonly path: string;
  remove(): void;
}

/** Creates an empty folder in the system's temporary folder. */
export function makeTempDir(label: string): TempDir {
  const dir = realpathSync.native(mkdtempSync(path.join(os.tmpdir(), `tsreg-${label}-`)));
  const remove = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  return { path: dir, remove, [Symbol.dispose]: remove };
}
