import { execFileSync, execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveFile } from '../../src/archive/archive-plan.ts';
import { readTar } from '../../src/archive/read-tar.ts';
import { writeCrate } from '../../src/archive/write-crate.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { BELOW_A_FILE, NOT_FOUND, onWindows, osWords } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const GENERATED = ['Cargo.toml', 'Cargo.lock', '.cargo_vcs_info.json'];
const never = new AbortController().signal;

let temp: TempDir;
let path: string;
beforeEach(() => {
  temp = makeTempDir('crate');
  path = join(temp.path, 'out', 'a-1.0.0.crate');
});
afterEach(() => temp.remove());

/** A file on disk, ready to be packed. */
function copied(name: string, data: string | Uint8Array, mode = 0o644): ArchiveFile {
  const file = join(temp.path, 'package', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data);
  chmodSync(file, mode);
  return { path: name, content: { kind: 'copy', path: file } };
}

function generated(name: string, text: string): ArchiveFile {
  return { path: name, content: { kind: 'generate', bytes: Buffer.from(text) } };
}

/** Waits until the archive is being written; no more than a part of a large file has been read then. */
async function begun(): Promise<void> {
  const isBegun = (): boolean => {
    const [name] = existsSync(dirname(path)) ? readdirSync(dirname(path)) : [];
    return name !== undefined && statSync(join(dirname(path), name)).size > 0;
  };
  while (!isBegun()) await setImmediate();
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return messages(error).join(' / ');
  }
  return 'it did not fail';
}

function messages(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messages(error.cause)] : [];
}

describe('writeCrate', () => {
  test.skipIf(onWindows)(
    'writes the archive that cargo wrote (not on Windows, which has no modes)',
    async () => {
      const topFolder = 'odd-names-0.1.0+build.7';
      const recorded = readFileSync(join(import.meta.dirname, 'recorded', `${topFolder}.crate`));
      const tar = gunzipSync(recorded);
      const files = [...readTar(tar)].map((entry): ArchiveFile => {
        const name = entry.path.slice(topFolder.length + 1);
        return GENERATED.includes(name)
          ? { path: name, content: { kind: 'generate', bytes: entry.data } }
          : copied(name, entry.data, entry.mode & 0o777);
      });
      path = join(temp.path, `${topFolder}.crate`);
      await writeCrate(files, { path, topFolder, signal: never });
      const written = readFileSync(path);
      expect(gunzipSync(written).equals(tar)).toBe(true);
      const head = 10 + `${topFolder}.crate\0`.length;
      expect(written.subarray(0, head)).toEqual(recorded.subarray(0, head));
    },
  );

  test('counts files, their bytes and those of the archive', async () => {
    const files = [generated('Cargo.toml', 'toml'), copied('src/lib.rs', 'lib'), copied('empty', '')];
    const written = await writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never });
    const archive = readFileSync(path);
    expect(written).toEqual({
      fileCount: 3,
      bytes: 7,
      compressedBytes: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
    });
  });

  test.skipIf(onWindows)('propagates the bit of the owner alone (not on Windows)', async () => {
    const files = [copied('a', '', 0o744), copied('b', '', 0o655), copied('c', '', 0o500)];
    await writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never });
    const modes = [...readTar(gunzipSync(readFileSync(path)))].map(({ mode }) => mode);
    expect(modes).toEqual([0o755, 0o644, 0o755]);
  });

  test('a file that is not there leaves the older archive', async () => {
    mkdirSync(dirname(path));
    writeFileSync(path, 'older');
    const missing = join(temp.path, 'gone');
    const files: ArchiveFile[] = [
      copied('src/lib.rs', Buffer.alloc(3_000_000, 1)),
      { path: 'gone', content: { kind: 'copy', path: missing } },
    ];
    expect(await failure(writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never }))).toBe(
      `failed to open for archiving: \`${missing}\` / ${NOT_FOUND}`,
    );
    expect(readFileSync(path, 'utf8')).toBe('older');
    expect(readdirSync(dirname(path))).toEqual(['a-1.0.0.crate']);
  });

  test('files are read before its turn, and nothing is written', async () => {
    let takeTurn = (): void => {};
    const turn = new Promise<void>((resolve) => {
      takeTurn = resolve;
    });
    let onRead = (): void => {};
    const read = new Promise<void>((resolve) => {
      onRead = resolve;
    });
    const files = [copied('src/lib.rs', Buffer.alloc(200_000, 1))];
    const writing = writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never, turn, onRead });
    await read;
    expect(existsSync(dirname(path))).toBe(false);
    takeTurn();
    expect((await writing).compressedBytes).toBe(statSync(path).size);
  });

  test('of a turn that does not come nothing is left', async () => {
    const turn = Promise.reject(new Error('the one before it'));
    const files = [copied('src/lib.rs', randomBytes(5_000_000))];
    const writing = writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never, turn });
    expect(await failure(writing)).toBe('the one before it');
    expect(existsSync(dirname(path))).toBe(false);
  });

  const pack = async (file: string): Promise<string> =>
    failure(
      writeCrate([{ path: 'x', content: { kind: 'copy', path: file } }], {
        path,
        topFolder: 'a-1.0.0',
        signal: never,
      }),
    );

  test('folders are refused', async () => {
    const folder = join(temp.path, 'folder');
    mkdirSync(folder);
    expect(await pack(folder)).toBe(`could not archive source file \`${folder}\` / ${osWords('EISDIR')}`);
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(onWindows)('pipes are refused (not on Windows)', async () => {
    const pipe = join(temp.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await pack(pipe)).toBe(`could not archive source file \`${pipe}\` / it is not a regular file`);
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['grows', (file: string) => appendFileSync(file, 'more')],
    ['shrinks', (file: string) => truncateSync(file, 10)],
  ])('a file that %s while it is read is refused', async (_, change) => {
    const file = copied('big', randomBytes(8_000_000));
    const source = file.content.kind === 'copy' ? file.content.path : '';
    const written = failure(writeCrate([file], { path, topFolder: 'a-1.0.0', signal: never }));
    await begun();
    change(source);
    expect(await written).toBe(
      `could not archive source file \`${source}\` / the file changed while it was read`,
    );
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('an interrupted run leaves nothing', async () => {
    const controller = new AbortController();
    const files = [copied('big', randomBytes(8_000_000))];
    const written = failure(writeCrate(files, { path, topFolder: 'a-1.0.0', signal: controller.signal }));
    await begun();
    controller.abort(new Error('enough'));
    expect(await written).toBe('enough');
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('a folder that cannot be written is said as cargo says it', async () => {
    writeFileSync(join(temp.path, 'out'), 'a file');
    const said = await failure(writeCrate([], { path, topFolder: 'a-1.0.0', signal: never }));
    expect(said.slice(0, said.indexOf(' / '))).toBe(`failed to open: ${path}`);
    expect(said.slice(said.indexOf(' / '))).toMatch(BELOW_A_FILE);
  });

  test.skipIf(onWindows)('a disk that takes no more leaves no archive (not on Windows)', async () => {
    const file = join(temp.path, 'random');
    writeFileSync(file, randomBytes(4_000_000));
    // Files may have 1 MiB, and whoever wants more gets an error instead of a signal.
    const script = `ulimit -f 1024; trap '' XFSZ; exec "$@"`;
    await expect(packInChild(file, ['bash', '-c', script, 'bash'])).rejects.toThrow(
      'File too large (os error 27)',
    );
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

interface Packed {
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly peakKilobytes: number;
}

/** Packs one file to `path` in a process of its own, started by `starter`. */
async function packInChild(file: string, starter: readonly string[] = []): Promise<Packed> {
  const script = join(projectRoot, 'scripts', 'run-ts.mjs');
  const program = [process.execPath, script, join(import.meta.dirname, 'pack-file.ts'), file, path];
  const [command = '', ...args] = [...starter, ...program];
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout);
}

test('a gibibyte needs no more memory than a small package', async () => {
  const file = join(temp.path, 'holes');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 30);
  const { bytes, compressedBytes, peakKilobytes } = await packInChild(file);
  expect(bytes).toBe(2 ** 30);
  expect(compressedBytes).toBeLessThan(2 ** 21);
  expect(peakKilobytes).toBeLessThan(200 * 1024);
});
