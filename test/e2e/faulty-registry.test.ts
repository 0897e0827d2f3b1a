import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import type { CrateDecl } from '../helpers/crate.ts';
import { tsregProgram } from '../helpers/program.ts';
import { type Fault, type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const crates: CrateDecl[] = [
  { name: 'top', version: '1.0.0', registry: 'alt', deps: ['below ^1'] },
  { name: 'below', version: '1.0.0', registry: 'alt', files: { 'src/lib.rs': 'x'.repeat(50_000) } },
];

const scenario: Scenario = {
  about: 'A package with two dependencies from a sparse registry.',
  config: '[net]\nretry = 1\n',
  registries: { alt: { kind: 'sparse' } },
  crates,
  files: {
    'Cargo.toml':
      '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ntop = { version = "1", registry = "alt" }\n',
    'src/lib.rs': '',
  },
  runs: [],
};

const places = [
  { at: 'config.json', path: 'config.json' },
  { at: 'index', path: 'be/lo/below' },
  { at: 'download', path: 'dl/below' },
];

/** Faults that a run survives, if necessary with a retry. */
const passing: { name: string; fault: Fault }[] = [
  { name: 'a slow server', fault: { kind: 'slow', delayMs: 100 } },
  { name: 'a cut connection', fault: { kind: 'cut', times: 1 } },
  { name: 'a body shorter than it says', fault: { kind: 'long', times: 1 } },
  { name: 'a compressed body', fault: { kind: 'compressed' } },
  { name: '500', fault: { kind: 'status', status: 500, times: 1 } },
  { name: '503', fault: { kind: 'status', status: 503, times: 1 } },
  {
    name: '429 with Retry-After',
    fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 1 },
  },
];

/** Faults that persist. */
const lasting: { name: string; fault: Fault; only?: string }[] = [
  { name: 'a cut connection', fault: { kind: 'cut' } },
  { name: 'a refused connection', fault: { kind: 'refuse' } },
  { name: '500', fault: { kind: 'status', status: 500 } },
  { name: 'a flipped byte', fault: { kind: 'flip' }, only: 'download' },
  { name: 'half a body of that length', fault: { kind: 'short' }, only: 'download' },
  { name: 'something else', fault: { kind: 'replace', body: 'something else' }, only: 'download' },
  { name: 'no gzip where it says so', fault: { kind: 'gzip' } },
  { name: 'half of a gzip body', fault: { kind: 'gzip-cut' } },
];

const run: RunDecl = { name: 'run' };

describe.concurrent('a run against a faulty registry', () => {
  const temp = makeTempDir('faulty');
  const program = tsregProgram({ TSREG_COMPAT: 'cargo' });
  let server: RegistryServer;
  beforeAll(async () => {
    server = await startRegistryServer();
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  let count = 0;
  async function play(fault: Fault): Promise<{ right: Answer; faulty: Answer; after: Answer }> {
    count += 1;
    const sandbox = new Sandbox(scenario, path.join(temp.path, `case-${count}`), server);
    sandbox.start();
    const right = await sandbox.run(program, run);
    expect(right.status).toBe(0);
    sandbox.start();
    const faulty = await sandbox.run(program, { ...run, faults: { alt: [fault] } });
    const after = await sandbox.run(program, { ...run, faults: {} });
    sandbox.remove();
    return { right, faulty, after };
  }

  for (const { at, path: where } of places) {
    it.for(passing)(`succeeds after $name at the ${at} once`, async ({ fault }) => {
      const { right, faulty, after } = await play({ ...fault, path: where });
      expect(faulty.stderr).not.toContain('internal error');
      expect({ ...faulty, stderr: '' }).toEqual({ ...right, stderr: '' });
      expect({ ...after, stderr: '' }).toEqual({ ...right, stderr: '' });
    });

    const here = lasting.filter(({ only }) => only === undefined || only === at);
    it.for(here)(`fails if $name persists at the ${at}, and the next run succeeds`, async ({ fault }) => {
      const { right, faulty, after } = await play({ ...fault, path: where });
      expect(faulty.status).toBe(101);
      expect(faulty.stdout).toBe('');
      expect(faulty.stderr).toMatch(/^error: /m);
      expect(faulty.stderr).not.toContain('internal error');
      expect({ ...after, stderr: '' }).toEqual({ ...right, stderr: '' });
    });
  }
});
