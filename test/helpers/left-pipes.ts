/** Checks that a run leaves the mode of its output pipes unchanged, because other programs use them too. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isStandalone } from './program.ts';

/** True if the check works: only Linux shows the flags of a descriptor, and only Node can preload a script. */
export const tellsPipes = process.platform === 'linux' && !isStandalone;

/**
 * Calls `run` with variables for the program. Returns true if neither pipe's flags changed. `folder` is for temporary
 * files.
 */
export async function leavesPipes(
  folder: string,
  run: (env: { readonly NODE_OPTIONS: string }) => Promise<unknown>,
): Promise<boolean> {
  const hook = path.join(folder, 'pipes.cjs');
  writeFileSync(
    hook,
    `const { isMainThread } = require('node:worker_threads');
    const flags = (fd) => require('node:fs').readFileSync('/proc/self/fdinfo/' + fd, 'utf8');
    const before = [1, 2].map(flags).join('');
    if (isMainThread) process.on('exit', () => {
      require('node:fs').writeFileSync(__filename + '.same', String([1, 2].map(flags).join('') === before));
    });`,
  );
  await run({ NODE_OPTIONS: `--require=${hook}` });
  return readFileSync(`${hook}.same`, 'utf8') === 'true';
}
