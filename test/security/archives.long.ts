import fc from 'fast-check';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectCrate } from '../../src/io/archive/inspect-crate.ts';
import { unpackCrate } from '../../src/io/archive/unpack-crate.ts';
import { TsregError } from '../../src/core/errors/error.ts';
import { unpackArchive } from '../../src/io/sources/unpack-package.ts';
import { oddEntry, oddTar, pax, withSum } from '../helpers/odd-tar.ts';
import { samples } from '../helpers/samples.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const SEED = 29_008;
const BUDGET_MS = 20_000;
/** Time limit for an archive of less than a megabyte, on a busy machine. */
const MAX_MS = 3000;
const MAX_GROWTH_BYTES = 400 * 1024 * 1024;
const TOP = 'a-1.0.0';
const LIMITS = { topFolder: TOP, maxUnpackedBytes: 4 * 1024 * 1024, maxFiles: 2000, isPortable: true };
const MANIFEST = oddEntry({ path: `${TOP}/Cargo.toml`, data: Buffer.from('[package]\n') });

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'A',
    'src',
    '..',
    '.',
    '',
    'con',
    'x.',
    'caf\u00e9',
    'cafe\u0301',
    '\0',
    'a:b',
    '.cargo-ok',
  ),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('d/'.repeat(40), 'e/'.repeat(300), 'n'.repeat(99)),
);
const path = fc
  .tuple(
    fc.constantFrom(`${TOP}/`, `${TOP}/`, `${TOP}/`, '', '/', '../', `${TOP}/../`),
    fc.array(name, { maxLength: 3 }),
  )
  .map(([start, names]) => start + names.join('/'));
const data = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc.uint8Array({ maxLength: 1200 }).map((bytes) => Buffer.from(bytes)),
);
const entry = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        path: fc.stringMatching(/^[a-e]{1,3}(\/[a-e]{1,3}){0,3}$/).map((inside) => `${TOP}/${inside}`),
        data,
      })
      .map(oddEntry),
  },
  fc.record({ path, data }).map(oddEntry),
  fc
    .record({ path, data, type: fc.constantFrom('0', '0', '\0', '5', '1', '2', '7', 'S', 'g', 'Z') })
    .map(oddEntry),
  fc.record({ path, data, magic: fc.constantFrom('', 'ustar  \0', 'ustar\u000000') }).map(oddEntry),
  fc
    .record({
      path,
      sizeField: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    })
    .map(oddEntry),
  path.map((long) => oddEntry({ path: 'l', type: 'L', data: Buffer.from(`${long}\0`), magic: 'ustar  \0' })),
  fc
    .dictionary(
      fc.constantFrom('path', 'size', 'mtime', 'linkpath', 'GNU.sparse.size'),
      fc.oneof(path, fc.nat().map(String)),
    )
    .map((records) => pax(records)),
);
/** Changed bytes: the position as a fraction of the length, and the new value. */
const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), {
  maxLength: 3,
});

const archives = fc
  .record({
    entries: fc.array(entry, { maxLength: 12 }),
    repeats: fc.constantFrom(...Array.from({ length: 12 }, () => 1), 30, 1000),
    tarDamage: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, damage),
    keepsSums: fc.boolean(),
    gzipDamage: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, damage),
    cut: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
    tail: fc.constantFrom(Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(0), Buffer.from('x'), gzipSync('x')),
  })
  .map(({ entries, repeats, tarDamage, keepsSums, gzipDamage, cut, tail }) => {
    const many = Array.from({ length: repeats }, () => entries).flat();
    const tar = damaged(oddTar(MANIFEST, ...many), tarDamage);
    if (keepsSums && tarDamage.length > 0) {
      for (let at = 0; at + 512 <= tar.length; at += 512) {
        if (tar.toString('latin1', at + 257, at + 262) === 'ustar') withSum(tar.subarray(at, at + 512));
      }
    }
    const gzip = damaged(gzipSync(tar, { level: 1 }), gzipDamage);
    return Buffer.concat([gzip.subarray(0, Math.ceil(gzip.length * cut)), tail]);
  });

function damaged(bytes: Buffer, damages: readonly (readonly [number, number])[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, value] of damages) copy[Math.floor(at * copy.length)] = value;
  return copy;
}

let temp: TempDir;
beforeAll(() => {
  temp = makeTempDir('archives');
});
afterAll(() => temp.remove());

/** Returns the result of `work`, or null if it throws a `TsregError`. Throws any other error. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return null;
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => !each.isDirectory())
    .map((each) => relative(folder, join(each.parentPath, each.name)).split(sep).join('/'))
    .filter((each) => !each.endsWith('.cargo-ok'))
    .sort();
}

it('the client unpacks every archive that the registry accepts, and both stay within their bounds', async () => {
  const { signal } = new AbortController();
  const startBytes = process.memoryUsage().rss;
  const counts = { archives: 0, taken: 0, refusedByBoth: 0, unpackedOnly: 0 };
  let [maxMs, maxBytes] = [0, 0];
  for (const archive of samples(archives, { seed: SEED, budgetMs: BUDGET_MS })) {
    const parent = join(temp.path, 'unpacked', 'parent');
    mkdirSync(parent, { recursive: true });
    const crate = join(temp.path, 'x.crate');
    writeFileSync(crate, archive);
    const startedMs = performance.now();
    const inspected = await attempt(() => inspectCrate(archive, LIMITS));
    const unpacked = await attempt(() => unpackArchive(archive, { parent, dirName: TOP }));
    const tookMs = performance.now() - startedMs;
    maxMs = Math.max(maxMs, tookMs);
    maxBytes = Math.max(maxBytes, process.memoryUsage().rss - startBytes);
    expect(tookMs).toBeLessThan(MAX_MS);
    expect(readdirSync(temp.path).sort()).toEqual(['unpacked', 'x.crate']);
    expect(readdirSync(join(temp.path, 'unpacked'))).toEqual(['parent']);
    expect(readdirSync(parent)).toEqual(unpacked === null ? [] : [TOP]);
    counts.archives += 1;
    if (inspected === null) counts[unpacked === null ? 'refusedByBoth' : 'unpackedOnly'] += 1;
    else {
      counts.taken += 1;
      const files = [...inspected.files].filter((each) => !each.endsWith('.cargo-ok')).sort();
      expect(unpacked).not.toBeNull();
      expect(filesBelow(join(parent, TOP))).toEqual(files);
    }
    // `unpackCrate` only reads crates that `package` made, so it may be as strict as a registry.
    const verified = await attempt(() => unpackCrate(crate, { parent, topFolder: TOP, signal }));
    if (verified !== null) expect(unpacked).not.toBeNull();
    expect(readdirSync(join(temp.path, 'unpacked'))).toEqual(['parent']);
    rmSync(join(temp.path, 'unpacked'), { recursive: true, force: true });
  }
  console.log(
    `seed ${SEED}: ${JSON.stringify(counts)}, slowest ${Math.round(maxMs)} ms, memory grew by ${Math.round(maxBytes / 1024 / 1024)} MB`,
  );
  expect(counts.archives).toBeGreaterThan(100);
  expect(counts.taken).toBeGreaterThan(20);
  expect(counts.refusedByBoth).toBeGreaterThan(20);
  expect(maxBytes).toBeLessThan(MAX_GROWTH_BYTES);
});
