// Records the results of real cargo for every fixture: npm run record [NAME…]
// `--older-ids` records only the ids of each document, and only of successful runs. `CARGO` must then be the last
// release that printed ids in the older format.
import path from 'node:path';
import { CARGO_RELEASE } from '../../src/core/version/cargo-release.ts';
import {
  type DocumentIds,
  idsOf,
  recordable,
  type RecordedAnswer,
  writeOlderIds,
  writeRecorded,
} from '../helpers/recorded.ts';
import { startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { readFixtures } from '../helpers/scenario-file.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { maskStderr } from '../helpers/answer.ts';
import { findOracle } from './oracle.ts';
import { forEachConcurrently } from './pool.ts';

const olderRelease = '1.76.0';
const isOlder = process.argv.includes('--older-ids');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const oracle = findOracle(isOlder ? olderRelease : CARGO_RELEASE);
const server = await startRegistryServer();
const temp = makeTempDir('record');
const fixtures = readFixtures().filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await forEachConcurrently(fixtures, 2, async ({ name, sandboxName, dir, scenario }) => {
  const sandbox = new Sandbox(scenario, path.join(temp.path, sandboxName), server);
  const answers = new Map<string, RecordedAnswer>();
  const ids = new Map<string, DocumentIds>();
  sandbox.start();
  for (const run of scenario.runs) {
    const answer = sandbox.portable(await sandbox.run(oracle, run));
    if (isOlder) {
      if (answer.status === 0) ids.set(run.name, idsOf(answer.stdout));
      continue;
    }
    answers.set(run.name, recordable({ ...answer, stderr: maskStderr(answer.stderr) }));
    if ((answer.status !== 0) !== (scenario.failures === true)) {
      console.log(`${name} › ${run.name}: status ${answer.status}\n${answer.stderr}`);
    }
  }
  if (isOlder) writeOlderIds(dir, ids);
  else writeRecorded(dir, answers);
  sandbox.remove();
});
console.log(`recorded ${fixtures.length} fixtures`);
await server.close();
temp.remove();
