import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { takeStamp } from '../../../src/disk/stamp.ts';
import { makeClaims, isFound, takeClaim } from '../../../src/ops/graph/claims.ts';
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
  writeFileSync(path.join(root, '.cargo-ok'), '{"v":1}');
  const archive = `${root}.crate`;
  writeFileSync(archive, 'archive');
  const manifest = `[package]\nname = "${folder}"\nversion = "1.0.0"\n${body}`;
  writeFileSync(path.join(root, 'Cargo.toml'), manifest);
  return { name, version: '1.0.0', source: CRATES_IO, root, archive, index: null };
}

/** Reads all but those at the indexes of `claimed`, some time after they were written. */
function read(packages: readonly ExpectedPackage[], claimed: readonly number[] = []): ReadManifests {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const claims = makeClaims(packages.length);
  for (const index of claimed) takeClaim(claims, index);
  const lines = makeSharedLines(packages.length);
  const result = readManifests({ cargoHome: temp.path, packages, claims, lines });
  expect(packages.some((_, index) => takeClaim(claims, index))).toBe(false);
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
  expect(found?.manifest).toEqual(takeStamp(path.join(one.root, 'Cargo.toml')));
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
    manifest_path: path.join(one.root, 'Cargo.toml'),
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
  const virtual = unpacked('virtual', '');
  writeFileSync(path.join(virtual.root, 'Cargo.toml'), '[workspace]\n');
  const packages = [
    unpacked('broken', 'edition = 1\n'),
    virtual,
    unpacked('other', '', 'another'),
    unpacked('named', '[dependencies]\na = { version = "1", registry = "mine" }\n'),
    unpacked('inherits', 'edition.workspace = true\n'),
    unpacked('right', ''),
  ];
  const missing = { ...unpacked('there', ''), root: path.join(temp.path, 'none') };
  expect(names(read([missing, ...packages]))).toEqual(['right']);
});

test('what was not unpacked to its end, or has no archive, is left out, and not said to be on disk', () => {
  const [unmarked, other] = [unpacked('unmarked', ''), unpacked('v2', '')];
  const [alone, empty, whole] = [unpacked('alone', ''), unpacked('empty', ''), unpacked('whole', '')];
  rmSync(path.join(unmarked.root, '.cargo-ok'));
  writeFileSync(path.join(other.root, '.cargo-ok'), '{"v":2}');
  rmSync(alone.archive);
  writeFileSync(empty.archive, '');
  const packages = [unmarked, other, alone, empty, whole];
  const claims = makeClaims(packages.length);
  const order = { cargoHome: temp.path, packages, claims, lines: makeSharedLines(packages.length) };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect(names(readManifests(order))).toEqual(['whole']);
  expect(packages.filter((_, index) => isFound(claims, index))).toEqual([whole]);
});

test('what was changed a moment ago is left out: a later change might not show', () => {
  const fresh = unpacked('fresh', '');
  const claims = makeClaims(1);
  vi.useFakeTimers({
    toFake: ['Date'],
    now: Math.ceil(statSync(path.join(fresh.root, 'Cargo.toml')).ctimeMs) + 10,
  });
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
