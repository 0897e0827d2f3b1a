import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLockFile } from '../../../src/io/disk/read-lock-file.ts';
import { replaceLockFile } from '../../../src/io/disk/replace-lock-file.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { expectMode, onWindows } from '../../helpers/system.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cargo-lock-'));
  mkdirSync(join(folder, 'ws'));
  path = join(folder, 'ws', 'Cargo.lock');
});
afterEach(() => {
  chmodSync(join(folder, 'ws'), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const replace = (from: string | null, to: string): Promise<boolean> =>
  replaceLockFile(path, { from, to }, recordingContext().context);

async function failure(from: string | null): Promise<string[]> {
  const messages: string[] = [];
  try {
    await replace(from, 'new');
  } catch (error) {
    for (let at: unknown = error; at instanceof Error; at = at.cause) messages.push(at.message);
  }
  return messages;
}

/** Returns false for a user who can bypass file modes, such as root. */
function obeysModes(): boolean {
  const file = join(mkdtempSync(join(tmpdir(), 'modes-')), 'file');
  writeFileSync(file, '', { mode: 0 });
  try {
    readFileSync(file);
    return false;
  } catch {
    return true;
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}

describe('replaceLockFile', () => {
  test('creates a missing file, but keeps a file that another process changed first', async () => {
    expect(readLockFile(path)).toBeNull();
    expect(await replace(null, 'new')).toBe(true);
    expect(await replace(null, 'newer')).toBe(false);
    expect(await replace('other', 'newer')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(await replace('new', 'newer')).toBe(true);
    expect(readdirSync(join(folder, 'ws'))).toEqual(['Cargo.lock']);
  });

  test.skipIf(onWindows)(
    'creates the missing target of a link (not on Windows: links need rights there)',
    async () => {
      symlinkSync('../real', path);
      expect(readLockFile(path)).toBeNull();
      expect(await replace(null, 'new')).toBe(true);
      expect(lstatSync(path).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('new');
      expect(readdirSync(join(folder, 'ws'))).toEqual(['Cargo.lock']);
    },
  );

  test.skipIf(onWindows)(
    'fails in a missing folder and for a link to itself (not on Windows: links need rights there)',
    async () => {
      symlinkSync('../nowhere/real', path);
      const open = `failed to open: ${path}`;
      expect(await failure(null)).toEqual([
        `failed to write ${path}`,
        open,
        'No such file or directory (os error 2)',
      ]);
      rmSync(path);
      symlinkSync('Cargo.lock', path);
      expect(readLockFile(path)).toBeNull();
      expect(await failure(null)).toEqual([
        `failed to write ${path}`,
        open,
        expect.stringMatching(/^Too many levels of symbolic links \(os error \d+\)$/),
      ]);
    },
  );

  test('keeps hard links and the mode', async () => {
    writeFileSync(path, 'a longer text than the new one', { mode: 0o600 });
    linkSync(path, join(folder, 'other'));
    expect(await replace('a longer text than the new one', 'new')).toBe(true);
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('new');
    expectMode(path, 0o600);
  });

  test.skipIf(!obeysModes())(
    'replaces a file in a read-only folder (not as root, who can write everywhere)',
    async () => {
      writeFileSync(path, 'old');
      chmodSync(join(folder, 'ws'), 0o555);
      expect(await replace('old', 'new')).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe('new');
    },
  );

  test.skipIf(!obeysModes())(
    'reports why it cannot write the file (not as root, who can write everywhere)',
    async () => {
      writeFileSync(path, 'old', { mode: 0o444 });
      expect(await failure('old')).toEqual([
        `failed to write ${path}`,
        `failed to open: ${path}`,
        'Permission denied (os error 13)',
      ]);
      rmSync(path);
      chmodSync(join(folder, 'ws'), 0o555);
      expect(await failure(null)).toEqual([
        `failed to write ${path}`,
        `failed to open: ${path}`,
        'Permission denied (os error 13)',
      ]);
    },
  );
});
