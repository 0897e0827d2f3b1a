import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackagePresence } from '../../../src/derived/dependency-record.ts';
import { takeStamp } from '../../../src/disk/stamp.ts';
import { PackagesOnDisk } from '../../../src/ops/graph/packages-on-disk.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
let presence: PackagePresence;
const at = (...names: readonly string[]): string => path.join(temp.path, ...names);

beforeEach(() => {
  temp = makeTempDir('packages-on-disk');
  mkdirSync(at('src', 'a-1.0.0'), { recursive: true });
  mkdirSync(at('cache'));
  writeFileSync(at('src', 'a-1.0.0', 'Cargo.toml'), '');
  writeFileSync(at('src', 'a-1.0.0', '.cargo-ok'), '');
  writeFileSync(at('cache', 'a-1.0.0.crate'), '');
  const manifest = takeStamp(at('src', 'a-1.0.0', 'Cargo.toml'));
  if (manifest === null) throw new Error('just written');
  presence = { manifest, archive: { folder: at('cache'), name: 'a-1.0.0.crate' } };
});
afterEach(() => temp.remove());

describe.each([
  ['an archive', () => rmSync(at('cache', 'a-1.0.0.crate'))],
  ['the mark of a package', () => rmSync(at('src', 'a-1.0.0', '.cargo-ok'))],
  ['a manifest', () => writeFileSync(at('src', 'a-1.0.0', 'Cargo.toml'), '[package]')],
])('%s that is not as it was', (_, change) => {
  it('is seen', () => {
    expect(new PackagesOnDisk().has(presence)).toBe(true);
    change();
    expect(new PackagesOnDisk().has(presence)).toBe(false);
    expect(new PackagesOnDisk({ isShared: true }).has(presence)).toBe(false);
  });

  it('is not seen by who has looked for others as well, until another moment begins', () => {
    const shared = new PackagesOnDisk({ isShared: true });
    expect(shared.has(presence)).toBe(true);
    change();
    expect(shared.has(presence)).toBe(true);
    shared.forget();
    expect(shared.has(presence)).toBe(false);
  });
});

it('asks of a file once for all who follow one another', () => {
  const { manifest } = presence;
  const mark = takeStamp(at('src', 'a-1.0.0', '.cargo-ok'));
  if (mark === null) throw new Error('just written');
  const onDisk = new PackagesOnDisk();
  expect(onDisk.holds(manifest)).toBe(true);
  writeFileSync(manifest.path, '[package]');
  expect(onDisk.holds({ ...manifest })).toBe(true);
  expect(onDisk.holds({ ...manifest, size: manifest.size + 1 })).toBe(false);
  expect(onDisk.holds(mark)).toBe(true);
  expect(onDisk.holds(manifest)).toBe(false);
});

it('asks of it again when another moment begins', () => {
  const onDisk = new PackagesOnDisk();
  expect(onDisk.holds(presence.manifest)).toBe(true);
  writeFileSync(presence.manifest.path, '[package]');
  onDisk.forget();
  expect(onDisk.holds(presence.manifest)).toBe(false);
});
