import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MTIME_GRANULARITY_MS } from '../../src/io/disk/fingerprint.ts';
import { buildCrate } from '../helpers/crate.ts';
import {
  type Program,
  type RunResult,
  runProgram,
  tsregProgram,
  withoutRootRights,
} from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { SmallWorkspace } from '../helpers/small-workspace.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const NAMES = ['aa', 'bb', 'cc', 'dd'];

describe('a home folder', { timeout: 120_000 }, () => {
  const temp = makeTempDir('hostile-home');
  const program = tsregProgram();
  let server: RegistryServer;
  beforeAll(async () => {
    server = await startRegistryServer();
    const files = { 'src/lib.rs': `// ${'long '.repeat(2000)}\n` };
    const crates = NAMES.map((name) => buildCrate({ name, version: '1.0.0', files }, () => ''));
    server.mount('alt', { crates });
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  function small(name: string): SmallWorkspace {
    return new SmallWorkspace(path.join(temp.path, name), `sparse+${server.url}/alt/`, {
      dependencies: Object.fromEntries(NAMES.map((each) => [each, '1'])),
    });
  }

  function run(
    { cwd, home }: SmallWorkspace,
    asked: Program = program,
    args: readonly string[] = [],
  ): Promise<RunResult> {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, CARGO_HOME: home };
    return runProgram(asked, ['metadata', '--format-version', '1', ...args], { cwd, env });
  }

  /** Runs the program until its result is cached. Files that were just fetched are too new for a cached result. */
  async function cachedRun(workspace: SmallWorkspace): Promise<RunResult> {
    await run(workspace);
    await sleep(2 * MTIME_GRANULARITY_MS);
    const result = await run(workspace);
    expect(workspace.results()).toHaveLength(1);
    return result;
  }

  it('stays intact when several runs fill it at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const workspace = small(`at-once-${round}`);
      const results = await Promise.all(Array.from({ length: 4 }, () => run(workspace)));
      const [first] = results;
      expect(first?.status, first?.stderr).toBe(0);
      for (const { status, stdout } of results) expect([status, stdout]).toEqual([0, first?.stdout]);
      expect((await run(workspace)).stdout).toBe(first?.stdout);
      expect(workspace.results().filter((file) => file.endsWith('.tmp'))).toEqual([]);
      expect(await workspace.ask('off')).toBe(first?.stdout.trimEnd());
    }
  });

  it('gives correct results while several runs write its cache', async () => {
    const workspace = small('changing');
    const text = readFileSync(workspace.manifest, 'utf8');
    const { stdout } = await run(workspace);
    for (let round = 0; round < 4; round += 1) {
      const description = `description = "${round}"\n[dependencies]`;
      writeFileSync(workspace.manifest, text.replace('[dependencies]', description));
      const wanted = stdout.replace(/("name":"p",.*?)"description":null/, `$1"description":"${round}"`);
      for (const answer of await Promise.all([run(workspace), run(workspace), run(workspace)]))
        expect(answer).toMatchObject({ status: 0, stdout: wanted });
    }
  });

  it.skipIf(onWindows)(
    'gives the same results when it is read-only (not on Windows: no modes of files)',
    async () => {
      const workspace = small('read-only');
      const { stdout } = await cachedRun(workspace);
      const folders = readdirSync(workspace.home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ parentPath, name }) => path.join(parentPath, name));
      const cache = path.join(workspace.home, 'tsreg');
      const bound = withoutRootRights(program);
      for (const isKnown of [true, false]) {
        if (!isKnown) rmSync(cache, { recursive: true });
        const closed = [workspace.home, ...folders].filter((folder) => existsSync(folder));
        for (const folder of closed) chmodSync(folder, 0o555);
        try {
          for (const round of ['first', 'second']) {
            const answer = await run(workspace, bound, ['--offline']);
            expect(answer, `${round}, ${isKnown}`).toMatchObject({ status: 0, stdout });
          }
          // The changed manifest leads to another result, which cannot be cached.
          const text = readFileSync(workspace.manifest, 'utf8');
          writeFileSync(workspace.manifest, text.replace('0.1.0', '0.2.0'));
          expect((await run(workspace, bound, ['--no-deps'])).stdout).toContain('"version":"0.2.0"');
          writeFileSync(workspace.manifest, text);
          if (!isKnown) expect(existsSync(cache)).toBe(false);
        } finally {
          for (const folder of closed) chmodSync(folder, 0o755);
        }
      }
    },
  );

  it.skipIf(onWindows)(
    'on a full disk loses only cached results (not on Windows: the test limits sizes with `ulimit`)',
    async () => {
      const workspace = small('full');
      const { stdout } = await cachedRun(workspace);
      const cache = path.join(workspace.home, 'tsreg', 'cache');
      for (const blocks of [0, 1]) {
        rmSync(cache, { recursive: true });
        expect(await run(workspace, withFileSize(blocks))).toMatchObject({ status: 0, stdout, stderr: '' });
        expect(filesBelow(cache).filter((file) => statSync(file).size > 0)).toEqual([]);
        expect(await run(workspace)).toMatchObject({ status: 0, stdout });
        expect(workspace.results()).toHaveLength(1);
      }
    },
  );

  it.skipIf(onWindows)(
    'is filled by the next run after a run without disk space (not on Windows: the test limits sizes with `ulimit`)',
    async () => {
      const wanted = small('roomy');
      const { stdout } = await run(wanted);
      for (const blocks of [0, 4]) {
        const workspace = small(`short-of-${blocks}`);
        const short = await run(workspace, withFileSize(blocks));
        expect(short, `${blocks} blocks`).toMatchObject({ status: 101, stdout: '' });
        expect(short.stderr).toMatch(/^error: .*\n\nCaused by:\n(?:.*\n)*.*\(os error 27\)\n$/m);
        const next = await run(workspace);
        expect(next.status, next.stderr).toBe(0);
        expect(
          next.stdout.replaceAll(workspace.cwd, wanted.cwd).replaceAll(workspace.home, wanted.home),
        ).toBe(stdout);
      }
    },
  );

  function filesBelow(folder: string): readonly string[] {
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.flatMap((each) => (each.isFile() ? [path.join(each.parentPath, each.name)] : []));
  }

  /** Returns the program with a limit on file sizes in kilobytes. A write beyond the limit fails. */
  function withFileSize(blocks: number): Program {
    const limited = ['bash', '-c', `ulimit -f ${blocks}; exec "$@"`, 'bash'] as const;
    return { ...program, command: [...limited, ...program.command] };
  }
});
