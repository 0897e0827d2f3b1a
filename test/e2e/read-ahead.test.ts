import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { ReadAhead } from '../../src/ops/graph/read-ahead.ts';
import { readAhead } from '../../src/ops/graph/start-read-ahead.ts';
import { SourceTable } from '../../src/package-id/source-table.ts';
import { makePackageId } from '../../src/package-id/package-id.ts';
import { reportTo } from '../../src/report/report.ts';
import { parseVersion } from '../../src/version/version.ts';
import { builtLibrary } from '../helpers/built-library.ts';
import { buildCrate } from '../helpers/crate.ts';
import { leavesPipes, tellsPipes } from '../helpers/left-pipes.ts';
import { isStandalone, runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { packagesHome } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** Enough for a thread to be worth its start. */
const NAMES = Array.from({ length: 120 }, (_, index) => `dep-${String(index).padStart(3, '0')}`);

// The standalone executable has it inside.
const keepsCompiled = process.getuid !== undefined && !isStandalone;

const temp = makeTempDir('read-ahead');
const root = path.join(temp.path, 'ws');
const home = path.join(temp.path, 'home');
let server: RegistryServer;
/** The registry's folder of unpacked packages. */
let src: string;
/** What was said before there was a lock file, and so without a thread. */
let fetched: RunResult;

beforeAll(async () => {
  server = await startRegistryServer();
  const crates = NAMES.map((name) => buildCrate({ name, version: '1.0.0' }, () => ''));
  server.mount('alt', { crates });
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  const dependencies = NAMES.map((each) => `${each} = { version = "1", registry = "alt" }\n`).join('');
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${dependencies}`,
  );
  writeFileSync(path.join(home, 'config.toml'), `registries.alt.index = "sparse+${server.url}/alt/"\n`);
  fetched = await ask();
  const [registry = ''] = readdirSync(path.join(packagesHome(home), 'registry', 'src'));
  src = path.join(packagesHome(home), 'registry', 'src', registry);
}, 60_000);
afterAll(async () => {
  await server.close();
  temp.remove();
});

async function ask(env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  rmSync(path.join(home, 'tsreg', 'compiled'), { recursive: true, force: true });
  return askAnew(env);
}

/** What is kept of the program may be used. */
async function askAnew(env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  rmSync(path.join(home, 'tsreg', 'derived'), { recursive: true, force: true });
  const args = ['metadata', '--format-version', '1'];
  const program = tsregProgram({ CARGO_HOME: home, NODE_COMPILE_CACHE: '' });
  return runProgram(program, args, { cwd: root, env });
}

describe.runIf(availableParallelism() > 1)('where a lock file names many packages', () => {
  it('a thread reads them, and nothing else comes of it', async () => {
    const { status, stdout, stderr } = await ask({ NODE_DEBUG: 'worker' });
    expect(status).toBe(0);
    // The standalone executable's runtime says nothing of its threads.
    if (!isStandalone) expect(stderr).toContain('create new worker');
    expect(stdout).toBe(fetched.stdout);
  });

  it.skipIf(isStandalone)(
    'it is started before the rest of the program is read, which is read once (under Node)',
    async () => {
      const hook = path.join(temp.path, 'order.cjs');
      writeFileSync(
        hook,
        `const fs = require('node:fs');
        const threads = require('node:worker_threads');
        const say = (text) => fs.appendFileSync(__filename + '.txt', text + ' ');
        const { readFileSync } = fs;
        fs.readFileSync = (file, ...options) => {
          const name = /(read-manifests|load-metadata)[.]cjs$/.exec(file)?.[1];
          if (name !== undefined && threads.isMainThread) say(name);
          return readFileSync(file, ...options);
        };
        threads.Worker = class extends threads.Worker {
          constructor(...options) {
            say('thread');
            super(...options);
          }
        };`,
      );
      await ask({ NODE_OPTIONS: `--require=${hook}` });
      expect(readFileSync(`${hook}.txt`, 'utf8')).toBe('thread load-metadata read-manifests ');
    },
  );

  it.runIf(tellsPipes)(
    'the pipes of the program are left as they are: writing waits for the reader (on Linux, under Node)',
    async () => {
      expect(await leavesPipes(temp.path, ask)).toBe(true);
    },
  );

  it.runIf(keepsCompiled)('what V8 makes of the programs of both threads is kept, and taken', async () => {
    const folder = path.join(home, 'tsreg', 'compiled');
    const kept = (): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.compiled'));
    const inodes = (): readonly number[] => kept().map((name) => statSync(path.join(folder, name)).ino);
    await ask();
    // A run that ends before the thread has written its program leaves that to the next.
    for (let runs = 0; kept().length < 5 && runs < 20; runs += 1) await askAnew();
    expect(kept().map((name) => name.split(/-[0-9a-f]{16}-/)[0])).toEqual([
      ...['load-metadata', 'main', 'metadata', 'read-ahead', 'read-manifests'],
    ]);
    const before = inodes();
    expect((await askAnew()).stdout).toBe(fetched.stdout);
    expect(inodes()).toEqual(before);
  });

  it.skipIf(isStandalone)(
    'none does where nothing is on disk: then there are others that unpack',
    async () => {
      rmSync(path.join(packagesHome(home), 'registry'), { recursive: true });
      const { stdout, stderr } = await ask({ NODE_DEBUG: 'worker' });
      expect(stdout).toBe(fetched.stdout);
      expect(stderr.split('create new worker').length - 1).toBe(Math.min(availableParallelism(), 4));
    },
  );

  it('none does once they are known', async () => {
    await ask();
    const args = ['metadata', '--format-version', '1', '--features', 'default'];
    writeFileSync(path.join(root, 'Cargo.toml'), '\n', { flag: 'a' });
    const { stderr } = await runProgram(tsregProgram({ CARGO_HOME: home }), args, {
      cwd: root,
      env: { NODE_DEBUG: 'worker' },
    });
    expect(stderr).not.toContain('create new worker');
  });

  it('a lock file that spells the registry otherwise changes nothing', async () => {
    const lockFile = path.join(root, 'Cargo.lock');
    const text = readFileSync(lockFile, 'utf8');
    writeFileSync(lockFile, text.replaceAll('/alt/"', '/alt"'));
    const { status, stdout } = await ask();
    expect([status, stdout]).toEqual([0, fetched.stdout]);
    expect((await ask()).stdout).toBe(fetched.stdout);
    writeFileSync(lockFile, text);
  });

  it('the library gives the same, also many times at once', async () => {
    const { metadata } = await builtLibrary();
    const env = { CARGO_HOME: home, TSREG_CACHE: 'off', PATH: process.env['PATH'] };
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => metadata({ cwd: root, env, report: {} })),
    );
    for (const { bytes } of answers) expect(`${Buffer.from(bytes).toString()}\n`).toBe(fetched.stdout);
  });

  it('of several that are wrong the first is told of', async () => {
    const wrong = [NAMES[117], NAMES[3], NAMES[60]].map((name) =>
      path.join(src, `${name}-1.0.0`, 'Cargo.toml'),
    );
    for (const each of wrong) writeFileSync(each, '[package]\n');
    const { status, stderr } = await ask();
    for (const each of wrong)
      writeFileSync(
        each,
        `[package]\nname = "${path.basename(path.dirname(each), '-1.0.0')}"\nversion = "1.0.0"\n`,
      );
    expect(status).toBe(101);
    expect(stderr).toContain('dep-003');
    expect(stderr).not.toMatch(/dep-060|dep-117/);
  });
});

describe.runIf(availableParallelism() > 1)('a thread that reads ahead', () => {
  const program = path.join(projectRoot, 'dist', 'lib', 'read-ahead-worker.js');
  const start = (lockFile = path.join(root, 'Cargo.lock')): Promise<ReadAhead | null> =>
    readAhead(lockFile, loadConfig({ cwd: root, env: { CARGO_HOME: home }, report: reportTo({}) }), {
      program,
    });
  const sources = new SourceTable();
  const place = (name: string, index = `sparse+${server.url}/alt/`): Parameters<ReadAhead['content']> => {
    const version = parseVersion('1.0.0');
    const id = makePackageId(name, version, sources.forRegistryIndex(index));
    const summary = {
      ...{ id, dependencies: [], features: new Map(), links: null, rustVersion: null },
      ...{ checksum: null, yanked: false },
    };
    return [summary, { id, root: path.join(src, `${name}-1.0.0`) }];
  };

  it('gives what it has read, as long as that has not changed', async () => {
    await delay(30);
    const ahead = await start();
    const [changed, kept] = [place('dep-000'), place('dep-001')];
    await ahead?.arrive(sources);
    expect(ahead?.leaves(changed[1].root)).toBe(false);
    expect(ahead?.content(...kept)?.view.libraryName).toBe('dep_001');
    expect(ahead?.content(...changed)?.view.libraryName).toBe('dep_000');
    writeFileSync(path.join(changed[1].root, 'Cargo.toml'), '\n', { flag: 'a' });
    expect(ahead?.content(...changed)).toBe(null);
    ahead?.close();
  });

  it('is done without where there is no memory to share', async () => {
    class NoMemory {
      constructor() {
        throw new RangeError('Array buffer allocation failed');
      }
    }
    vi.stubGlobal('SharedArrayBuffer', NoMemory);
    try {
      expect(await start()).toBe(null);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('says nothing of another registry whose packages are in the same folder', async () => {
    const ahead = await start();
    await ahead?.arrive(sources);
    expect(ahead?.content(...place('dep-001'))?.view.libraryName).toBe('dep_001');
    expect(ahead?.content(...place('dep-001', 'sparse+http://127.0.0.1:1/'))).toBe(null);
    ahead?.close();
  });

  it('is of no use where the run met another spelling of a registry first', async () => {
    const ahead = await start();
    const met = new SourceTable();
    const id = makePackageId(
      'dep-001',
      parseVersion('1.0.0'),
      met.forRegistryIndex(`sparse+${server.url}/alt`),
    );
    await ahead?.arrive(met);
    const [summary, fetchedPackage] = place('dep-001');
    expect(ahead?.content({ ...summary, id }, fetchedPackage)).toBe(null);
    expect(ahead?.content(summary, fetchedPackage)).toBe(null);
    ahead?.close();
  });

  it('leaves to others what they take first', async () => {
    const ahead = await start();
    const last = place('dep-119');
    expect(ahead?.leaves(last[1].root)).toBe(true);
    expect(ahead?.leaves(last[1].root)).toBe(false);
    expect(ahead?.leaves('/elsewhere')).toBe(true);
    await ahead?.arrive(sources);
    expect(ahead?.content(...last)).toBe(null);
    ahead?.close();
  });

  it('keeps nobody waiting that ends it', async () => {
    const ahead = await start();
    ahead?.close();
    await ahead?.arrive(sources);
    expect(ahead?.content(...place('dep-119'))).toBe(null);
  });

  it('is not started for few packages, or none', async () => {
    const few = path.join(temp.path, 'few.lock');
    writeFileSync(
      few,
      '[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://example.com/a"\n',
    );
    expect(await start(few)).toBe(null);
    expect(await start(path.join(temp.path, 'none.lock'))).toBe(null);
  });
});
