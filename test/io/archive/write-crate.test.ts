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
import type { ArchiveFile } from '../../../src/io/archive/archive-plan.ts';
import { readTar } from '../../../src/io/archive/read-tar.ts';
import { writeCrate } from '../../../src/io/archive/write-crate.ts';
import { projectRoot } from '../../helpers/project-root.ts';
import { BELOW_A_FILE, NOT_FOUND, onWindows, osWords } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const GENERATED = ['Cargo.toml', 'Cargo.lock', '.cargo_vcs_info.json'];
const never = new AbortController().signal;

let temp: TempDir;
let path: string;
beforeEach(() => {
  temp = makeTempDir('crate');
  path = join(temp.path, 'out', 'a-1.0.0.crate');
});
afterEach(() => temp.remove());

/** Writes a file to disk and returns its archive entry. */
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

/** Waits until the archive has its first bytes. A large file is only partly read by then. */
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
    'writes the same tar and gzip header as cargo (not on Windows, which has no modes)',
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

  test('returns the file count, both sizes and the checksum', async () => {
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

  test.skipIf(onWindows)(
    'takes the executable bit from the owner only (not on Windows: no modes of files)',
    async () => {
      const files = [copied('a', '', 0o744), copied('b', '', 0o655), copied('c', '', 0o500)];
      await writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never });
      const modes = [...readTar(gunzipSync(readFileSync(path)))].map(({ mode }) => mode);
      expect(modes).toEqual([0o755, 0o644, 0o755]);
    },
  );

  test('keeps the older archive if a file is missing', async () => {
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

  test('reads files before its turn, but writes nothing yet', async () => {
    let consumeRateLimit = (): void => {};
    const turn = new Promise<void>((resolve) => {
      consumeRateLimit = resolve;
    });
    let onRead = (): void => {};
    const read = new Promise<void>((resolve) => {
      onRead = resolve;
    });
    const files = [copied('src/lib.rs', Buffer.alloc(200_000, 1))];
    const writing = writeCrate(files, { path, topFolder: 'a-1.0.0', signal: never, turn, onRead });
    await read;
    expect(existsSync(dirname(path))).toBe(false);
    consumeRateLimit();
    expect((await writing).compressedBytes).toBe(statSync(path).size);
  });

  test('leaves nothing behind if its turn is rejected', async () => {
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

  test('refuses folders', async () => {
    const folder = join(temp.path, 'folder');
    mkdirSync(folder);
    expect(await pack(folder)).toBe(`could not archive source file \`${folder}\` / ${osWords('EISDIR')}`);
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(onWindows)('refuses pipes (not on Windows: no devices as files)', async () => {
    const pipe = join(temp.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await pack(pipe)).toBe(`could not archive source file \`${pipe}\` / it is not a regular file`);
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['grows', (file: string) => appendFileSync(file, 'more')],
    ['shrinks', (file: string) => truncateSync(file, 10)],
  ])('refuses a file that %s while it is read', async (_, change) => {
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

  test('leaves nothing behind if it is aborted', async () => {
    const controller = new AbortController();
    const files = [copied('big', randomBytes(8_000_000))];
    const written = failure(writeCrate(files, { path, topFolder: 'a-1.0.0', signal: controller.signal }));
    await begun();
    controller.abort(new Error('enough'));
    expect(await written).toBe('enough');
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("reports in cargo's words that the output folder cannot be created", async () => {
    writeFileSync(join(temp.path, 'out'), 'a file');
    const said = await failure(writeCrate([], { path, topFolder: 'a-1.0.0', signal: never }));
    expect(said.slice(0, said.indexOf(' / '))).toBe(`failed to open: ${path}`);
    expect(said.slice(said.indexOf(' / '))).toMatch(BELOW_A_FILE);
  });

  test.skipIf(onWindows)(
    'leaves no archive if it reaches the file size limit (not on Windows: the test limits sizes with `ulimit`)',
    async () => {
      const file = join(temp.path, 'random');
      writeFileSync(file, randomBytes(4_000_000));
      // Limits files to 1 MiB. Ignoring SIGXFSZ turns the signal into an error.
      const script = `ulimit -f 1024; trap '' XFSZ; exec "$@"`;
      await expect(packInChild(file, ['bash', '-c', script, 'bash'])).rejects.toThrow(
        'File too large (os error 27)',
      );
      expect(readdirSync(dirname(path))).toEqual([]);
    },
  );
});

interface Packed {
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly peakKilobytes: number;
}

/** Packs one file to `path` in a separate process, which `starter` starts. */
async function packInChild(file: string, starter: readonly string[] = []): Promise<Packed> {
  const script = join(projectRoot, 'scripts', 'run-ts.mjs');
  const program = [process.execPath, script, join(import.meta.dirname, 'pack-file.ts'), file, path];
  const [command = '', ...args] = [...starter, ...program];
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout);
}

// On a busy machine, Node collects garbage later, so one measurement can be twice as high as the others.
test('writeCrate packs a gibibyte with less than 200 MiB of memory', { retry: 2 }, async () => {
  const file = join(temp.path, 'holes');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 30);
  const { bytes, compressedBytes, peakKilobytes } = await packInChild(file);
  expect(bytes).toBe(2 ** 30);
  expect(compressedBytes).toBeLessThan(2 ** 21);
  expect(peakKilobytes).toBeLessThan(200 * 1024);
});
