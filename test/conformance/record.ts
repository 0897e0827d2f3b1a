// Records what real cargo answers to every fixture: npm run record [NAME…]
import path from 'node:path';
import { type RecordedAnswer, writeRecorded } from '../helpers/recorded.ts';
import { startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { readFixtures } from '../helpers/scenario-file.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { maskStderr } from '../helpers/answer.ts';
import { findOracle } from './oracle.ts';
import { forEachConcurrently } from './pool.ts';

const wanted = process.argv.slice(2);
const oracle = findOracle();
const server = await startRegistryServer();
const temp = makeTempDir('record');
const fixtures = readFixtures().filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await forEachConcurrently(fixtures, 2, async ({ name, dir, scenario }) => {
  const sandbox = new Sandbox(scenario, path.join(temp.path, name), server);
  const answers = new Map<string, RecordedAnswer>();
  sandbox.start();
  for (const run of scenario.runs) {
    const answer = sandbox.portable(await sandbox.run(oracle, run));
    answers.set(run.name, { ...answer, stderr: maskStderr(answer.stderr) });
    if ((answer.status !== 0) !== (scenario.failures === true)) {
      console.log(`${name} › ${run.name}: status ${answer.status}\n${answer.stderr}`);
    }
  }
  writeRecorded(dir, answers);
  sandbox.remove();
});
console.log(`recorded ${fixtures.length} fixtures`);
await server.close();
temp.remove();
