// `npm run targets`: writes the table of targets, from the output of rustc.
// Use the rustc of the reference release: see "Move to another release" in docs/compatibility.md. Then change the
// release in target-table.ts, which also explains `s` and `t`.
// RUSTC names a rustc other than the first on the PATH. A nightly rustc is run as if it were stable.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../src/core/platform/target-cfg.json', import.meta.url));

/** Runs rustc and returns the lines that it prints. */
async function rustc(...args) {
  const env = { ...process.env, RUSTC_BOOTSTRAP: '-1' };
  const { stdout } = await run(process.env.RUSTC ?? 'rustc', args, { env });
  return stdout.split('\n').filter((line) => line !== '');
}

const targets = await rustc('--print', 'target-list');
const values = new Map();
const waiting = targets.values();
const ask = async () => {
  for (const target of waiting) values.set(target, await rustc('--print', 'cfg', '--target', target));
};
await Promise.all(Array.from({ length: availableParallelism() }, ask));

const counts = new Map();
for (const target of targets)
  for (const line of values.get(target)) counts.set(line, (counts.get(line) ?? 0) + 1);
// The most frequent lines come first, because they get the shortest numbers.
const lines = Array.from(counts.keys()).sort((a, b) => counts.get(b) - counts.get(a));
const numbers = new Map(lines.map((line, index) => [line, index]));
const table = {
  s: lines,
  t: Object.fromEntries(
    targets.map((target) => [target, values.get(target).map((line) => numbers.get(line))]),
  ),
};
writeFileSync(file, `${JSON.stringify(table)}\n`);
