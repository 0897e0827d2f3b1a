import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveFile } from '../../../src/io/archive/archive-plan.ts';
import { readTar } from '../../../src/io/archive/read-tar.ts';
import { unpackCrate } from '../../../src/io/archive/unpack-crate.ts';
import { writeCrate } from '../../../src/io/archive/write-crate.ts';
import { expectMode, NOT_FOUND } from '../../helpers/system.ts';
import { packTar, type TarEntry } from '../../helpers/tar.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const { signal } = new AbortController();

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('unpack-crate');
});
afterEach(() => temp.remove());

function messages(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messages(error.cause)] : [];
}

async function unpack(crate: string, topFolder: string): Promise<string> {
  return unpackCrate(crate, { parent: join(temp.path, 'package'), topFolder, signal });
}

async function refusal(archive: Buffer): Promise<string> {
  const crate = join(temp.path, 'bad.crate');
  writeFileSync(crate, archive);
  return unpack(crate, 'a-1.0.0').then(
    () => 'it did not fail',
    (error: unknown) => messages(error).slice(1).join(' / '),
  );
}

describe('unpackCrate', () => {
  test('unpacks a crate that cargo packed, with long names and modes', async () => {
    const topFolder = 'odd-names-0.1.0+build.7';
    const crate = join(import.meta.dirname, 'recorded', `${topFolder}.crate`);
    const before = Date.now() - 60_000;
    const root = await unpack(crate, topFolder);
    expect(root).toBe(join(temp.path, 'package', topFolder));
    const entries = [...readTar(gunzipSync(readFileSync(crate)))];
    for (const entry of entries) {
      const file = join(temp.path, 'package', entry.path);
      expect(readFileSync(file).equals(entry.data)).toBe(true);
      expectMode(file, entry.mode);
      expect(statSync(file).mtimeMs).toBeGreaterThan(before);
    }
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(files.length).toBe(entries.length);
  });

  test('restores large and empty files unchanged', async () => {
    const sizes = [0, 1, 511, 512, 513, 262_144, 700_001, 0];
    const files = sizes.map((size, index): ArchiveFile => {
      const bytes = randomBytes(size);
      return { path: `d/${index}`, content: { kind: 'generate', bytes } };
    });
    const crate = join(temp.path, 'a-1.0.0.crate');
    await writeCrate(files, { path: crate, topFolder: 'a-1.0.0', signal });
    const root = await unpack(crate, 'a-1.0.0');
    for (const { path, content } of files) {
      const bytes = content.kind === 'generate' ? content.bytes : Buffer.alloc(0);
      expect(readFileSync(join(root, path)).equals(bytes)).toBe(true);
    }
  });

  test('removes an older folder of the same name', async () => {
    const old = join(temp.path, 'package', 'a-1.0.0', 'src', 'old.rs');
    mkdirSync(dirname(old), { recursive: true });
    writeFileSync(old, 'old');
    const crate = join(temp.path, 'a-1.0.0.crate');
    await writeCrate([], { path: crate, topFolder: 'a-1.0.0', signal });
    await unpack(crate, 'a-1.0.0');
    expect(readdirSync(join(temp.path, 'package'))).toEqual([]);
  });

  test.each<[string, TarEntry, string]>([
    ['a way out', { path: 'a-1.0.0/../b', data: Buffer.from('x') }, 'is not a file of the package'],
    ['another folder', { path: 'b-1.0.0/x', data: Buffer.from('x') }, 'is not a file of the package'],
    [
      'a link',
      { path: 'a-1.0.0/x', data: Buffer.alloc(0), link: '/etc/passwd' },
      'is not a file of the package',
    ],
  ])('refuses %s', async (_, entry, message) => {
    expect(await refusal(gzipSync(packTar([entry])))).toContain(message);
  });

  test('reports an archive that is cut or damaged', async () => {
    const tar = packTar([{ path: 'a-1.0.0/x', data: randomBytes(100_000) }]);
    expect(await refusal(gzipSync(tar.subarray(0, 50_000)))).toBe('unexpected end of file');
    expect(await refusal(gzipSync(tar).subarray(0, 50_000))).toBe('corrupt deflate stream');
    expect(await refusal(Buffer.from('text'))).toBe('corrupt deflate stream');
  });

  test('names an archive that does not exist', async () => {
    const crate = join(temp.path, 'none.crate');
    const error: unknown = await unpack(crate, 'a-1.0.0').catch((reason: unknown) => reason);
    expect(messages(error)).toEqual([`failed to unpack \`${crate}\``, NOT_FOUND]);
  });
});
