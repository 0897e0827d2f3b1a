import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { metadata, tree } from '../../src/index.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('cached-call');
afterAll(() => temp.remove());

mkdirSync(path.join(temp.path, 'src'));
writeFileSync(path.join(temp.path, 'src', 'lib.rs'), '');
writeFileSync(
  path.join(temp.path, 'Cargo.toml'),
  '[package]\nname = "p"\nversion = "0.1.0"\n[features]\nf = []\n',
);
writeFileSync(
  path.join(temp.path, 'Cargo.lock'),
  'version = 4\n\n[[package]]\nname = "p"\nversion = "0.1.0"\n',
);

const OPTIONS = { cwd: temp.path, env: { CARGO_HOME: path.join(temp.path, 'home') } };

it('refuses the depth NaN even after a cached call with the depth Infinity', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect((await tree({ ...OPTIONS, depth: Number.POSITIVE_INFINITY })).nodes).toHaveLength(1);
    await expect(tree({ ...OPTIONS, depth: Number.NaN })).rejects.toThrow('must be a whole number of levels');
  }
});

it('reads inherited options and ignores unknown ones', async () => {
  const withFeature = async (options: object): Promise<boolean> => {
    const { bytes } = await metadata(Object.assign(Object.create(options), OPTIONS));
    return Buffer.from(bytes).includes('"features":["f"]');
  };
  const other: Record<string, unknown> = { big: 1n };
  other['circle'] = other;
  for (let round = 0; round < 2; round += 1) {
    expect(await withFeature({})).toBe(false);
    expect(await withFeature({ features: ['f'] })).toBe(true);
    expect(await withFeature({ other })).toBe(false);
  }
  expect(Buffer.from((await metadata(Object.assign({ other }, OPTIONS))).bytes).length).toBeGreaterThan(0);
});
