// `npm test`: sets up, runs every test (or those whose file names contain an argument), and ends with the line `N
// passed, N failed, N skipped`. The exit status is 0 only if tests ran and none failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setUp } from './set-up.mjs';

const root = path.dirname(import.meta.dirname);
if (!setUp()) {
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

const results = path.join(root, '.tmp', `tests-${process.pid}.json`);
mkdirSync(path.dirname(results), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);

const counts = { passed: 0, failed: 0, skipped: 0 };
if (existsSync(results)) {
  for (const file of JSON.parse(readFileSync(results, 'utf8')).testResults) {
    const failedBefore = counts.failed;
    for (const { status: outcome } of file.assertionResults)
      counts[outcome === 'passed' || outcome === 'failed' ? outcome : 'skipped'] += 1;
    // A file that cannot be loaded has no tests, and counts as one failure.
    if (file.status === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  rmSync(results);
}
// Other errors of vitest, such as one outside of any test, are a failure too.
const ran = counts.passed + counts.failed + counts.skipped;
if (status !== 0 && ran > 0 && counts.failed === 0) counts.failed = 1;
if (ran === 0) console.error('no tests ran');

console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = status === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1;
