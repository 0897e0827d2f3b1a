import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Answer, maskStderr } from '../helpers/answer.ts';
import { tsregProgram } from '../helpers/program.ts';
import { readRecorded } from '../helpers/recorded.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { readFixtures } from '../helpers/scenario-file.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const wanted = new Set([
  'metadata/gold-single-package',
  'metadata/gold-virtual-workspace',
  'metadata/git-dependencies',
  'metadata/alternative-registry',
  'metadata/platforms',
  'metadata/rust-versions',
]);

/**
 * Replaces the paths of tsreg's own folders with those of the shared ones. Without `flock` and `perl`, tsreg cannot
 * lock the shared folders and downloads to its own.
 */
function inSharedHome(answer: Answer): Answer {
  const shared = (text: string): string => text.replaceAll('/tsreg/unshared/', '/');
  return { ...answer, stdout: shared(answer.stdout), stderr: shared(answer.stderr) };
}

/** tsreg promises to need no cargo, no rustc and no shell tools. */
describe.skipIf(onWindows)(
  'a PATH with only node and git (not on Windows: the test needs symbolic links)',
  () => {
    const temp = makeTempDir('bare-path');
    const bin = path.join(temp.path, 'bin');
    let server: RegistryServer;
    beforeAll(async () => {
      mkdirSync(bin);
      symlinkSync(process.execPath, path.join(bin, 'node'));
      symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), path.join(bin, 'git'));
      server = await startRegistryServer();
    });
    afterAll(async () => {
      await server.close();
      temp.remove();
    });

    const fixtures = readFixtures().filter(({ name }) => wanted.has(name));
    it.for(fixtures)(
      'gives the recorded results for $name',
      async ({ sandboxName, dir, scenario }, { expect }) => {
        const recorded = readRecorded(dir);
        const sandbox = new Sandbox(scenario, path.join(temp.path, sandboxName), server);
        const program = tsregProgram({ TSREG_COMPAT: 'cargo', PATH: bin });
        sandbox.start();
        for (const run of scenario.runs) {
          const answer = inSharedHome(sandbox.portable(await sandbox.run(program, run)));
          const expected = recorded?.get(run.name);
          expect.soft(answer.stdout, run.name).toBe(expected?.stdout);
          expect.soft(answer.lock, run.name).toBe(expected?.lock);
          expect.soft(answer.status, run.name).toBe(expected?.status);
          expect.soft(maskStderr(answer.stderr), run.name).toBe(maskStderr(expected?.stderr ?? ''));
        }
        expect(fixtures.length).toBe(wanted.size);
      },
    );
  },
);
