import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import type { CrateDecl } from '../helpers/crate.ts';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const many = Array.from({ length: 6 }, (_, at): CrateDecl => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (__, n) => [`src/m${n}.rs`, 'x'.repeat(2000)]));
  return { name: `crate-${at}`, version: '1.0.0', registry: 'alt', files: { 'src/lib.rs': '', ...files } };
});

const scenario: Scenario = {
  about: 'A package with several dependencies from a sparse registry.',
  registries: { alt: { kind: 'sparse' } },
  crates: many,
  files: {
    'Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${many
      .map(({ name }) => `${name} = { version = "1", registry = "alt" }\n`)
      .join('')}`,
    'src/lib.rs': '',
  },
  runs: [],
};

/** Returns the parts of a result that must be right after a kill. Temporary files may remain. */
function essence(answer: Answer): Answer {
  const home = answer.home.filter((line) => !/\/\.[^/]*\.tmp(?:\/| )/.test(line));
  return { ...answer, stderr: '', home };
}

const run: RunDecl = { name: 'run' };

describe('a killed run', { timeout: 240_000 }, () => {
  const temp = makeTempDir('killed');
  const program = tsregProgram({ TSREG_COMPAT: 'cargo' });
  let server: RegistryServer;
  beforeAll(async () => {
    server = await startRegistryServer();
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  /** Starts the program in the sandbox and kills it once `when` resolves. Returns whether it was still running. */
  async function kill(sandbox: Sandbox, when: () => Promise<void>): Promise<boolean> {
    const [file, ...first] = program.command;
    const child = spawn(file, [...first, 'metadata', '--format-version', '1'], {
      cwd: sandbox.places.workspace,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: sandbox.places.base,
        CARGO_HOME: sandbox.places.home,
        ...program.env,
      },
      stdio: 'ignore',
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => {
      child.on('exit', (_, signal) => resolve(signal));
    });
    await Promise.race([when(), ended]);
    child.kill('SIGKILL');
    return (await ended) === 'SIGKILL';
  }

  it('during a download leaves no partial file that the next run uses', async () => {
    const sandbox = new Sandbox(scenario, path.join(temp.path, 'download'), server);
    sandbox.start();
    const right = await sandbox.ask(program, run);
    expect(right.status).toBe(0);
    sandbox.start();
    sandbox.apply({ name: 'slow', faults: { alt: [{ path: 'download', kind: 'slow', delayMs: 50 }] } });
    const before = server.requests.length;
    const wasKilled = await kill(sandbox, async () => {
      const isAsked = (): boolean =>
        server.requests.slice(before).some((request) => request.path.endsWith('/download'));
      while (!isAsked()) await sleep(5);
      await sleep(120);
    });
    expect(wasKilled).toBe(true);
    const next = await sandbox.run(program, { name: 'next', faults: {} });
    expect(essence(next)).toEqual(essence(right));
  });

  it('at any moment leaves a complete lock file or none, and the next run succeeds', async () => {
    const sandbox = new Sandbox(scenario, path.join(temp.path, 'moments'), server);
    sandbox.start();
    const lockFile = path.join(sandbox.places.workspace, 'Cargo.lock');
    const started = Date.now();
    const right = await sandbox.ask(program, run);
    let spanMs = Date.now() - started;
    expect(right.status).toBe(0);
    const older = 'version = 4\n\n[[package]]\nname = "p"\nversion = "0.0.1"\n';
    const moments = 16;
    let killed = 0;
    for (let at = 0; at < moments; at += 1) {
      sandbox.start();
      if (at % 2 === 0) writeFileSync(lockFile, older);
      const begun = Date.now();
      const part = (((at * 7) % moments) + 1) / moments;
      if (await kill(sandbox, () => sleep(spanMs * part))) killed += 1;
      // The run finished before the kill: later runs are faster than the first one.
      else spanMs = Date.now() - begun;
      const left = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : null;
      expect([at % 2 === 0 ? older : null, right.lock]).toContain(left);
      const next = await sandbox.ask(program, run);
      expect(essence(next)).toEqual(essence(right));
    }
    expect(killed).toBeGreaterThan(moments / 4);
  });
});
