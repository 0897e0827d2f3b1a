// `npm start`: sets up, then runs the demonstration. `npm start -- ARGS` runs `tsreg ARGS` in the folder where npm was
// called.
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { setUp } from './set-up.mjs';

const root = path.dirname(import.meta.dirname);
const args = process.argv.slice(2);

if (!setUp()) process.exit(1);
if (args.length === 0) {
  const { runDemo } = await import('./demo.mjs');
  process.exitCode = await runDemo();
} else {
  const { status, signal, error } = spawnSync(process.execPath, [path.join(root, 'bin/tsreg.js'), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 128 + constants.signals[signal];
}
