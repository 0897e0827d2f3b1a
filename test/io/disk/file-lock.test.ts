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
import {
  acquireFileLock,
  type FileLock,
  NO_LOCKING,
  waitForFileLock,
} from '../../../src/io/disk/file-lock.ts';
import { PackageCache } from '../../../src/io/disk/package-cache.ts';
import { reportTo } from '../../../src/core/report/report.ts';
import { holdElsewhere, isLockedForOthers } from '../../helpers/held-lock.ts';
import { projectRoot } from '../../helpers/project-root.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { onWindows } from '../../helpers/system.ts';

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
  describe.skipIf(!hasProgram(program))(`acquireFileLock with ${program} (if it is installed)`, () => {
    test('keeps other processes out until the lock is released', async () => {
      onlyPrograms(program);
      const file = join(folder, 'deep', 'file');
      const { context } = recordingContext();
      const lock = (await acquireFileLock(file, options, context)) as FileLock;
      expect(isLockedForOthers(file)).toBe(true);
      lock.release();
      expect(isLockedForOthers(file)).toBe(false);
    });

    test('waits for another holder and reports it once', async () => {
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

    test('lets waitForFileLock wait for a lock without taking it', async () => {
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

    test('allows several shared locks, which keep exclusive ones out', async () => {
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

test.skipIf(onWindows)(
  'a file on the PATH does not look like a program that cannot be started (not on Windows: it takes no locks)',
  async () => {
    onlyPrograms();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    process.env.PATH += `:${file}`;
    const { context } = recordingContext();
    expect(await acquireFileLock(file, options, context)).toBe(NO_LOCKING);
  },
);

test('acquireFileLock returns NO_LOCKING without flock and perl', async () => {
  onlyPrograms();
  const { context } = recordingContext();
  expect(await acquireFileLock(join(folder, 'file'), options, context)).toBe(NO_LOCKING);
});

test.skipIf(onWindows)(
  'acquireFileLock stops waiting on an abort (not on Windows: tsreg takes no locks of cargo there)',
  async () => {
    const file = join(folder, 'file');
    const { context: idle } = recordingContext();
    const holder = (await acquireFileLock(file, options, idle)) as FileLock;
    const controller = new AbortController();
    const { context } = recordingContext(controller.signal);
    const waiting = acquireFileLock(file, options, context);
    setTimeout(() => controller.abort(new Error('stop')), 50);
    await expect(waiting).rejects.toThrow('stop');
    holder.release();
  },
);

test.skipIf(onWindows)(
  'acquireFileLock locks the new file if the file was replaced while it waited (not on Windows: tsreg takes no locks of cargo there)',
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
  test.skipIf(onWindows)(
    'shares a lock among nested and overlapping holders (not on Windows: tsreg takes no locks of cargo there)',
    async () => {
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
    },
  );

  test.skipIf(onWindows)(
    'releases the lock if a holder fails (not on Windows: tsreg takes no locks of cargo there)',
    async () => {
      const { context } = recordingContext();
      const cache = new PackageCache(folder, context);
      await expect(cache.hold(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(isLockedForOthers(join(folder, '.package-cache'))).toBe(false);
    },
  );

  test('uses its own home if locking is impossible, and reports that once with -v', async () => {
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
    'locks a home whose lock file is read-only (not on Windows, and not as root, who can write everywhere)',
    async () => {
      writeFileSync(join(folder, '.package-cache'), '');
      chmodSync(join(folder, '.package-cache'), 0o444);
      const { context } = recordingContext();
      const cache = new PackageCache(folder, context);
      await cache.hold(async () => expect(isLockedForOthers(join(folder, '.package-cache'))).toBe(true));
    },
  );
});

test('waitForFileLock creates a missing file and reports nothing', async () => {
  const file = join(folder, 'deep', 'file');
  const { context, lines } = recordingContext();
  await waitForFileLock(file, 'package cache', context);
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(lines).toEqual([]);
});

/** A shell in a separate process namespace, as in a container. */
const CONTAINED = ['unshare', '--pid', '--fork', '--mount-proc', 'sh', '-c'] as const;

function contained(script: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const [program, ...rest] = CONTAINED;
  return spawnSync(program, [...rest, script, 'sh', ...args], { cwd: projectRoot, encoding: 'utf8' });
}

test.skipIf(contained('flock --version').status !== 0)(
  'waitForFileLock waits in a container for the lock of a program that exited (needs unshare and flock)',
  () => {
    const [file, program] = [join(folder, 'file'), join(folder, 'wait.ts')];
    writeFileSync(
      program,
      `import { waitForFileLock } from ${JSON.stringify(join(projectRoot, 'src/io/disk/file-lock.ts'))};
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
  'waitForFileLock fails for a path that cannot be opened (not on Windows, where a folder can be)',
  async () => {
    const { context } = recordingContext();
    await expect(waitForFileLock(folder, 'x', context)).rejects.toThrow('failed to open: ');
  },
);
