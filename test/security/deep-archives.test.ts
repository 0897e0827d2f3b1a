import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectCrate } from '../../src/io/archive/inspect-crate.ts';
import { unpackCrate } from '../../src/io/archive/unpack-crate.ts';
import { unpackArchive } from '../../src/io/sources/unpack-package.ts';
import { oddEntry, oddTar, pax } from '../helpers/odd-tar.ts';
import { frameBody, publishBody } from '../helpers/publish-body.ts';
import { serveRegistry, type ServedRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const MB = 1024 * 1024;
const TOP = 'a-1.0.0';
const MANIFEST = oddEntry({
  path: `${TOP}/Cargo.toml`,
  data: Buffer.from('[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n'),
});
const LIB = oddEntry({ path: `${TOP}/src/lib.rs` });

/** Returns a GNU entry with a name of any length. */
function longNamed(path: string): Buffer {
  const name = oddEntry({
    path: '././@LongLink',
    type: 'L',
    data: Buffer.from(`${path}\0`),
    magic: 'ustar  \0',
  });
  return Buffer.concat([name, oddEntry({ path: path.slice(0, 99), magic: 'ustar  \0' })]);
}

/** Returns a crate with `files` files, each below `depth` folders of its own. */
function distinctFolders(files: number, depth: number): Buffer {
  const deep = Array.from({ length: files }, (_, i) => longNamed(`${TOP}/${i}/${'d/'.repeat(depth - 1)}f`));
  return gzipSync(oddTar(MANIFEST, LIB, ...deep));
}

const BOMBS: readonly (readonly [string, Buffer, string])[] = [
  ['folders in folders, each with another file', distinctFolders(4000, 450), 'more than 64 parts'],
  ['many folders for each file', distinctFolders(20_000, 50), 'more than 100000 folders'],
  [
    'extensions that follow each other',
    gzipSync(oddTar(MANIFEST, LIB, ...Array.from({ length: 100_000 }, () => pax({ comment: 'x' }, 'g')))),
    'which not every program supports',
  ],
  [
    'a long extension',
    gzipSync(oddTar(MANIFEST, LIB, pax({ comment: 'x'.repeat(8 * MB) }), oddEntry({ path: `${TOP}/x` }))),
    'more than 65536 bytes',
  ],
];

let temp: TempDir;
beforeAll(() => {
  temp = makeTempDir('deep-archives');
});
afterAll(() => temp.remove());

function messages(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messages(error.cause)}` : '';
}

function refusal(work: () => unknown): { readonly message: string; readonly tookMs: number } {
  const startedMs = performance.now();
  let message = 'accepted';
  try {
    work();
  } catch (error) {
    message = messages(error);
  }
  return { message, tookMs: performance.now() - startedMs };
}

describe('an archive with many folders or extensions', () => {
  it.each(BOMBS)('is quickly refused by a registry: %s', (_, archive, expected) => {
    expect(archive.length).toBeLessThan(2 * MB);
    const options = { topFolder: TOP, maxUnpackedBytes: 512 * MB, maxFiles: 50_000, isPortable: true };
    const { message, tookMs } = refusal(() => inspectCrate(archive, options));
    expect(message).toContain(expected);
    expect(tookMs).toBeLessThan(5000);
  });

  it.each(BOMBS.filter(([kind]) => kind !== 'many folders for each file'))(
    'is quickly refused by a client, which leaves no files: %s',
    async (kind, archive) => {
      const parent = join(temp.path, kind.replaceAll(' ', '-'));
      mkdirSync(parent);
      const { message, tookMs } = refusal(() => unpackArchive(archive, { parent, dirName: TOP }));
      expect(message).toMatch(/more than 64 parts|too many extensions|more than 65536 bytes/);
      expect(tookMs).toBeLessThan(5000);
      expect(readdirSync(parent)).toEqual([]);
      const crate = join(parent, 'a.crate');
      writeFileSync(crate, archive);
      const { signal } = new AbortController();
      const error: unknown = await unpackCrate(crate, { parent, topFolder: TOP, signal }).catch(
        (reason: unknown) => reason,
      );
      expect(messages(error)).toMatch(/more than 64 parts|not every program supports|more than 65536 bytes/);
      expect(existsSync(join(temp.path, 'f'))).toBe(false);
    },
  );

  it('is accepted with paths of up to 64 parts', () => {
    const archive = gzipSync(oddTar(MANIFEST, LIB, longNamed(`${TOP}/${'d/'.repeat(63)}f`)));
    const options = { topFolder: TOP, maxUnpackedBytes: MB, maxFiles: 100, isPortable: true };
    expect(inspectCrate(archive, options).files.size).toBe(3);
    const parent = join(temp.path, 'deep');
    mkdirSync(parent);
    expect(readdirSync(unpackArchive(archive, { parent, dirName: TOP })).length).toBe(4);
  });
});

/** Returns the peak memory of a Linux process, in bytes. */
function peakBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

describe('a server that receives such archives', () => {
  let registry: ServedRegistry;
  beforeAll(async () => {
    registry = await serveRegistry(join(temp.path, 'data'), ['--rate-limit', '0']);
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  it('refuses them with bounded memory and serves other requests meanwhile', async () => {
    const authorization = await registry.token('mallory', '--scope', 'publish-new');
    const { metadata } = publishBody({ name: 'a', version: '1.0.0' });
    let isOver = false;
    const times: number[] = [];
    const probing = (async () => {
      while (!isOver) {
        const startedMs = performance.now();
        await (await fetch(`${registry.url}/index/config.json`)).text();
        times.push(performance.now() - startedMs);
        await sleep(10);
      }
    })();
    const statuses = await Promise.all(
      BOMBS.map(async ([, archive]) => {
        const body = new Uint8Array(frameBody(JSON.stringify(metadata), archive));
        const url = `${registry.url}/api/v1/crates/new?dry_run=true`;
        return (await fetch(url, { method: 'PUT', headers: { authorization }, body })).status;
      }),
    );
    isOver = true;
    await probing;
    expect(statuses).toEqual([400, 400, 400, 400]);
    times.sort((a, b) => a - b);
    expect(times[times.length >> 1]).toBeLessThan(200);
    expect(times.at(-1)).toBeLessThan(2000);
    if (process.platform === 'linux') expect(peakBytes(registry.child.pid)).toBeLessThan(600 * MB);
    await registry.publish({ name: 'a', version: '1.0.0' }, authorization);
  });

  it('asks clients to retry later if it cannot check more archives at once', async () => {
    const authorization = await registry.token('mallory');
    const { metadata } = publishBody({ name: 'a', version: '1.0.0' });
    const large = oddEntry({ path: 'a-2.0.0/x', data: Buffer.alloc(60 * MB) });
    const body = new Uint8Array(frameBody(JSON.stringify({ ...metadata, vers: '2.0.0' }), gzipSync(large)));
    const url = `${registry.url}/api/v1/crates/new?dry_run=true`;
    const responses = await Promise.all(
      Array.from({ length: 45 }, () => fetch(url, { method: 'PUT', headers: { authorization }, body })),
    );
    const busy = responses.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    expect(responses.every(({ status }) => status === 503 || status === 400)).toBe(true);
  });
});
