/** Whether a run leaves the pipes that it writes to as they were: they belong to other programs as well. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isStandalone } from './program.ts';

/** Only there a descriptor says how it is open, and only Node loads a program before another one. */
export const tellsPipes = process.platform === 'linux' && !isStandalone;

/** Runs the program with these variables; true if neither pipe was made non-blocking. `folder` is for a file. */
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
