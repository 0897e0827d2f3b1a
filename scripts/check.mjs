// `npm run check`: runs every gate except the tests, two at a time. Prints one line for each gate and, at the end, the
// output of those that failed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setUp } from './set-up.mjs';

const root = path.dirname(import.meta.dirname);
const linted = ['src', 'test', 'scripts', 'bench', 'bin', 'docs/.vitepress'].filter((folder) =>
  existsSync(path.join(root, folder)),
);

const GATES = [
  ['types', 'tsc'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', ...linted],
  ['imports', 'scripts/check-layers.mjs'],
  ['doc comments', 'scripts/check-doc-comments.mjs'],
  ['command reference', 'scripts/command-reference.mjs'],
  ['wording', 'scripts/check-wording.mjs'],
  ['format', 'biome', 'format', '.'],
  ['dead code and dependencies', 'knip', '--no-progress'],
  ['package shape', 'publint', '--strict'],
  // The library is ESM, which every supported release of Node can also load with `require`.
  ['package types', 'attw', '--pack', '.', '--quiet', '--ignore-rules', 'cjs-resolves-to-esm'],
];

function runGate([name, command, ...args]) {
  const isOurs = command.endsWith('.mjs');
  const [file, ...rest] = isOurs
    ? [process.execPath, path.join(root, command), ...args]
    : [path.join('node_modules', '.bin', command), ...args];
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, rest, {
      cwd: root,
      // On Windows npm installs commands as shell scripts. Our own scripts need no shell, and their paths may contain a
      // blank.
      shell: process.platform === 'win32' && !isOurs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const end = (passed) => {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
      resolve({ name, passed, output });
    };
    child.on('error', (error) => {
      output += error.message;
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

if (!setUp()) process.exit(1);
const waiting = [...GATES];
const results = [];
async function work() {
  for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift())
    results.push(await runGate(gate));
}
await Promise.all([work(), work()]);

const failed = results.filter(({ passed }) => !passed);
for (const { name, output } of failed) console.log(`\n--- ${name} ---\n${output.trim()}`);
console.log(
  failed.length === 0
    ? `\nAll ${results.length} checks passed.`
    : `\n${failed.length} of ${results.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
