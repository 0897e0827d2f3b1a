import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maskStderr } from '../helpers/answer.ts';
import { tsregProgram } from '../helpers/program.ts';
import { idsOf, readOlderIds, readRecorded, recordable } from '../helpers/recorded.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { readFixtures } from '../helpers/scenario-file.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** Compares every fixture with the recorded results of cargo on Linux, including messages, links and colours. */
describe
  .skipIf(onWindows)
  .concurrent('recorded results of cargo (not on Windows, where they differ)', { timeout: 120_000 }, () => {
    const temp = makeTempDir('fixtures');
    let server: RegistryServer;
    beforeAll(async () => {
      server = await startRegistryServer();
    });
    afterAll(async () => {
      await server.close();
      temp.remove();
    });

    const fixtures = readFixtures();
    it('include at least 60 failing runs', () => {
      expect(fixtures.length).toBeGreaterThan(0);
      const failures = fixtures.filter(({ scenario }) => scenario.failures === true);
      expect(failures.reduce((sum, { scenario }) => sum + scenario.runs.length, 0)).toBeGreaterThanOrEqual(
        60,
      );
    });

    it.for(fixtures)('match for $name', async ({ sandboxName, dir, scenario }, { expect: check }) => {
      const recorded = readRecorded(dir);
      const olderIds = readOlderIds(dir);
      if (recorded === null) throw new Error('nothing is recorded: npm run record');
      check([...recorded.keys()]).toEqual(scenario.runs.map((run) => run.name));
      if (scenario.failures === true)
        check([...recorded.values()].map(({ status }) => status)).not.toContain(0);
      const sandbox = new Sandbox(scenario, path.join(temp.path, sandboxName), server);
      const program = tsregProgram({ TSREG_COMPAT: 'cargo' });
      sandbox.start();
      try {
        for (const run of scenario.runs) {
          sandbox.apply(run);
          const restoreBefore = sandbox.saveLockFiles();
          const answer = recordable(sandbox.portable(await sandbox.ask(program, run)));
          const expected = recorded.get(run.name);
          check
            .soft({ run: run.name, ...answer, stderr: maskStderr(answer.stderr) })
            .toEqual({ run: run.name, ...expected, stderr: maskStderr(expected?.stderr ?? '') });
          const ids = olderIds.get(run.name);
          if (ids === undefined) continue;
          const restoreAfter = sandbox.saveLockFiles();
          restoreBefore();
          const older = sandbox.portable(await sandbox.ask(program, run, ['--package-id-format', 'legacy']));
          restoreAfter();
          check.soft({ run: run.name, ids: idsOf(older.stdout) }).toEqual({ run: run.name, ids });
        }
      } finally {
        sandbox.remove();
      }
    });
  });
