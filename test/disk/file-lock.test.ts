import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireFileLock, type FileLock, NO_LOCKING, waitForFileLock } from '../../src/disk/file-lock.ts';
import { PackageCache } from '../../src/disk/package-cache.ts';
import { reportTo } from '../../src/report/report.ts';
import { holdElsewhere, isLockedForOthers } from '../helpers/held-lock.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { recordingContext } from '../helpers/recording-report.ts';
import { onWindows } from '../helpers/system.ts';

let folder: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the rest of the test with only the named programs on the path. */
function onlyPrograms(...names: string[]): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of names) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(found, join(bin, name));
  }
  process.env.PATH = bin;
}

function hasProgram(name: string): boolean {
  return !onWindows && spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0;
}

const options = { mode: 'exclusive', description: 'package cache' } as const;

for (const program of ['flock', 'perl'])
  describe.skipIf(!hasProgram(program))(`with ${program} (where there is one)`, () => {
    test('others see the lock until it is released', async () => {
      onlyPrograms(program);
      const file = join(folder, 'deep', 'file');
      const { context } = recordingContext();
      const lock = (await acquireFileLock(file, options, context)) as FileLock;
      expect(isLockedForOthers(file)).toBe(true);
      lock.release();
      expect(isLockedForOthers(file)).toBe(false);
    });

    test('waits for another holder and says so once', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const other = await holdElsewhere(file, join(folder, 'held'));
      onlyPrograms(program);
      const { context, lines } = recordingContext();
      const started = performance.now();
      const lock = (await acquireFileLock(file, options, context)) as FileLock;
      expect(performance.now() - started).toBeGreaterThan(150);
      expect(lines).toEqual(['Blocking waiting for file lock on package cache']);
      lock.release();
      other.kill();
    });

    test('waits for a lock without taking it', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const other = await holdElsewhere(file, join(folder, 'held'));
      onlyPrograms(program);
      const { context, lines } = recordingContext();
      const started = performance.now();
      await waitForFileLock(file, 'package cache', context);
      expect(performance.now() - started).toBeGreaterThan(150);
      expect(lines).toEqual(['Blocking waiting for file lock on package cache']);
      expect(isLockedForOthers(file)).toBe(false);
      other.kill();
    });

    test('shared locks agree with each other and not with an exclusive one', async () => {
      onlyPrograms(program);
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const { context, lines } = recordingContext();
      const shared = { mode: 'shared', description: 'x' } as const;
      const first = (await acquireFileLock(file, shared, context)) as FileLock;
      const second = (await acquireFileLock(file, shared, context)) as FileLock;
      expect(lines).toEqual([]);
      expect(isLockedForOthers(file)).toBe(true);
      first.release();
      second.release();
    });
  });

test('without any program there is no locking', async () => {
  onlyPrograms();
  const { context } = recordingContext();
  expect(await acquireFileLock(join(folder, 'file'), options, context)).toBe(NO_LOCKING);
});

test.skipIf(onWindows)('an abort ends the waiting (not on Windows)', async () => {
  const file = join(folder, 'file');
  const { context: idle } = recordingContext();
  const holder = (await acquireFileLock(file, options, idle)) as FileLock;
  const controller = new AbortController();
  const { context } = recordingContext(controller.signal);
  const waiting = acquireFileLock(file, options, context);
  setTimeout(() => controller.abort(new Error('stop')), 50);
  await expect(waiting).rejects.toThrow('stop');
  holder.release();
});

test.skipIf(onWindows)(
  'a file that was replaced while waiting is locked in its new place (not on Windows)',
  async () => {
    const file = join(folder, 'file');
    const { context } = recordingContext();
    const holder = (await acquireFileLock(file, options, context)) as FileLock;
    const waiting = acquireFileLock(file, options, context);
    await sleep(100);
    writeFileSync(join(folder, 'new'), 'new');
    renameSync(join(folder, 'new'), file);
    holder.release();
    const lock = (await waiting) as FileLock;
    expect(readFileSync(lock.fd, 'utf8')).toBe('new');
    expect(isLockedForOthers(file)).toBe(true);
    lock.release();
  },
);

describe('PackageCache', () => {
  test.skipIf(onWindows)('nested and overlapping holders share one lock (not on Windows)', async () => {
    const { context, lines } = recordingContext();
    const cache = new PackageCache(folder, context);
    const file = join(folder, '.package-cache');
    const seen: boolean[] = [];
    await Promise.all([
      cache.hold(async (home) => {
        expect(home).toBe(folder);
        await cache.hold(async () => sleep(30));
        seen.push(isLockedForOthers(file));
      }),
      cache.hold(async () => sleep(10)),
    ]);
    seen.push(isLockedForOthers(file));
    expect(seen).toEqual([true, false]);
    expect(lines).toEqual([]);
  });

  test.skipIf(onWindows)('a failing holder gives the lock back (not on Windows)', async () => {
    const { context } = recordingContext();
    const cache = new PackageCache(folder, context);
    await expect(cache.hold(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(isLockedForOthers(join(folder, '.package-cache'))).toBe(false);
  });

  test('a machine without locks writes to folders of its own, and says so once with -v', async () => {
    onlyPrograms();
    const lines: string[] = [];
    const report = reportTo({ verbose: (verb, text) => void lines.push(`${verb} ${text}`) });
    const cache = new PackageCache(folder, { ...recordingContext().context, report });
    expect(await cache.hold(async (home) => home)).toBe(cache.ownHome);
    expect(await cache.hold(async (home) => home)).toBe(cache.ownHome);
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(/^Locking (?:needs the program flock or perl|is not possible on Windows); /);
  });

  test.skipIf(onWindows || process.getuid?.() === 0)(
    'a home that only may be read is locked shared (not on Windows, and not as root, who may write everywhere)',
    async () => {
      writeFileSync(join(folder, '.package-cache'), '');
      chmodSync(join(folder, '.package-cache'), 0o444);
      const { context } = recordingContext();
      const cache = new PackageCache(folder, context);
      await cache.hold(async () => expect(isLockedForOthers(join(folder, '.package-cache'))).toBe(true));
    },
  );
});

test('a file that nobody has locked is made, and nothing is said', async () => {
  const file = join(folder, 'deep', 'file');
  const { context, lines } = recordingContext();
  await waitForFileLock(file, 'package cache', context);
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(lines).toEqual([]);
});

/** A shell in a namespace of processes of its own, as in a container. */
const CONTAINED = ['unshare', '--pid', '--fork', '--mount-proc', 'sh', '-c'] as const;

function contained(script: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const [program, ...rest] = CONTAINED;
  return spawnSync(program, [...rest, script, 'sh', ...args], { cwd: projectRoot, encoding: 'utf8' });
}

test.skipIf(contained('flock --version').status !== 0)(
  'in a container, too, a lock is waited for that a program took which has ended (with unshare and flock)',
  () => {
    const [file, program] = [join(folder, 'file'), join(folder, 'wait.ts')];
    writeFileSync(
      program,
      `import { waitForFileLock } from ${JSON.stringify(join(projectRoot, 'src/disk/file-lock.ts'))};
       const status = (verb: string, text: string) => { console.log(verb, text); process.exit(); };
       const context = { env: process.env, signal: new AbortController().signal, report: { status } };
       waitForFileLock(process.argv[2] ?? '', 'it', context).then(() => console.log('free'));`,
    );
    const wait = 'exec 9>>"$1"; flock 9; node scripts/run-ts.mjs "$2" "$1" 9>&-';
    const { stdout, stderr } = contained(wait, file, program);
    expect([stdout, stderr]).toEqual(['Blocking waiting for file lock on it\n', '']);
  },
);

test.skipIf(onWindows)(
  'what cannot be opened cannot be waited for (not on Windows, where a folder can)',
  async () => {
    const { context } = recordingContext();
    await expect(waitForFileLock(folder, 'x', context)).rejects.toThrow('failed to open: ');
  },
);
