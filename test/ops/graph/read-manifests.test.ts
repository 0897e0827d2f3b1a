import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { takeStamp } from '../../../src/disk/stamp.ts';
import {
  type ExpectedPackage,
  readManifests,
  type ReadManifests,
} from '../../../src/ops/graph/read-manifests.ts';
import { makeSharedLines } from '../../../src/sources/shared-lines.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('read-manifests');
afterAll(() => temp.remove());
afterEach(() => {
  vi.useRealTimers();
});

const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';

/** A package on disk with `body` below its name and version, whose name in the lock file may be another. */
function unpacked(folder: string, body: string, name = folder): ExpectedPackage {
  const root = path.join(temp.path, folder);
  mkdirSync(path.join(root, 'src'), { recursive: true });
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  const manifest = path.join(root, 'Cargo.toml');
  writeFileSync(manifest, `[package]\nname = "${folder}"\nversion = "1.0.0"\n${body}`);
  return { name, version: '1.0.0', source: CRATES_IO, manifest, index: null };
}

/** Reads all but those at the indexes of `claimed`, some time after they were written. */
function read(packages: readonly ExpectedPackage[], claimed: readonly number[] = []): ReadManifests {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const claims = new Int32Array(new SharedArrayBuffer(packages.length * 4));
  for (const index of claimed) claims[index] = 1;
  const lines = makeSharedLines(packages.length);
  const result = readManifests({ cargoHome: temp.path, packages, claims, lines });
  expect([...claims]).toEqual(packages.map(() => 1));
  return result;
}

function names({ packages }: ReadManifests): readonly string[] {
  return packages.map(({ manifest }) => path.basename(path.dirname(manifest.path)));
}

test('a manifest is its JSON text on both sides of the id, with the stamp of its file', () => {
  const one = unpacked('one-two', 'description = "ä"\n[dependencies]\na = "1"\n');
  const { packages, texts } = read([one]);
  const [found] = packages;
  expect(found?.libraryName).toBe('one_two');
  expect(found?.manifest).toEqual(takeStamp(one.manifest));
  const { headBytes = 0, tailBytes = 0 } = found ?? {};
  expect(headBytes + tailBytes).toBe(texts.length);
  const all = Buffer.from(texts);
  const text = `${all.toString('utf8', 0, headBytes)}"id"${all.toString('utf8', headBytes)}`;
  expect(JSON.parse(text)).toMatchObject({
    id: 'id',
    name: 'one-two',
    description: 'ä',
    source: CRATES_IO,
    dependencies: [{ name: 'a', source: CRATES_IO, req: '^1' }],
    manifest_path: one.manifest,
  });
});

test('texts may be of any length', () => {
  const long = 'ä€😀'.repeat(100_000);
  const { packages, texts } = read(
    ['long', 'longer', 'short'].map((name) =>
      unpacked(name, `description = "${name === 'short' ? '' : long}"\n`),
    ),
  );
  let at = 0;
  const parts = packages.map(({ headBytes, tailBytes }) => {
    const text = (bytes: number): string => Buffer.from(texts).toString('utf8', at, (at += bytes));
    const parsed: unknown = JSON.parse(`${text(headBytes)}""${text(tailBytes)}`);
    return parsed;
  });
  expect(parts).toMatchObject([
    { name: 'long', description: long },
    { name: 'longer', description: long },
    { name: 'short', description: '' },
  ]);
  expect(at).toBe(texts.length);
});

test('what another has begun with is left to it', () => {
  const packages = ['p', 'q', 'r'].map((name) => unpacked(name, ''));
  expect(names(read(packages, [1]))).toEqual(['p', 'r']);
});

test('what is missing, wrong, somebody else or not to be understood by itself is left out', () => {
  const packages = [
    unpacked('broken', 'edition = 1\n'),
    unpacked('virtual', '').manifest,
    unpacked('other', '', 'another'),
    unpacked('named', '[dependencies]\na = { version = "1", registry = "mine" }\n'),
    unpacked('inherits', 'edition.workspace = true\n'),
    unpacked('right', ''),
  ].map((each) => {
    if (typeof each !== 'string') return each;
    writeFileSync(each, '[workspace]\n');
    return { name: 'virtual', version: '1.0.0', source: CRATES_IO, manifest: each, index: null };
  });
  const missing = { ...unpacked('there', ''), manifest: path.join(temp.path, 'none', 'Cargo.toml') };
  expect(names(read([missing, ...packages]))).toEqual(['right']);
});

test('what was changed a moment ago is left out: a later change might not show', () => {
  const fresh = unpacked('fresh', '');
  const claims = new Int32Array(new SharedArrayBuffer(4));
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(statSync(fresh.manifest).ctimeMs) + 10 });
  const order = { cargoHome: temp.path, packages: [fresh], claims, lines: makeSharedLines(1) };
  expect(readManifests(order).packages).toEqual([]);
});

test('a package that needs something of a registry that only it names is left out', () => {
  const one = unpacked(
    'needs-other',
    '[dependencies]\na = { version = "1", registry-index = "https://example.com/i" }\n',
  );
  const { packages, sources } = read([one, unpacked('needs-none', '')]);
  expect(
    packages.map(({ source, manifest }) => [source, path.basename(path.dirname(manifest.path))]),
  ).toEqual([[CRATES_IO, 'needs-none']]);
  expect(sources).toEqual([CRATES_IO]);
});
