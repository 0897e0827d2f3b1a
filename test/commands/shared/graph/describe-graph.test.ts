import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { metadata } from '../../../../src/index.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

it('metadata omits a package that no requested platform reaches', async () => {
  using temp = makeTempDir('describe-graph');
  const write = (name: string, rest: string): string => {
    const folder = path.join(temp.path, name);
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    writeFileSync(path.join(folder, 'src', 'lib.rs'), '');
    writeFileSync(
      path.join(folder, 'Cargo.toml'),
      `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${rest}`,
    );
    return folder;
  };
  // With resolver 1 the features come from the resolution, so nothing needs b.
  const cwd = write(
    'p',
    `resolver = "1"\n[target.'cfg(target_os = "solaris")'.dependencies]\na.path = "../a"\n`,
  );
  write('a', `[target.'cfg(target_arch = "wasm32")'.dependencies]\nb.path = "../b"\n`);
  write('b', '');
  const env = { CARGO_HOME: path.join(temp.path, 'home'), PATH: process.env['PATH'] };
  const filterPlatforms = ['wasm32-unknown-unknown', 'x86_64-pc-solaris'];
  for (const run of ['first', 'from what the first left']) {
    const { packages, resolve } = (await metadata({ cwd, env, filterPlatforms })).parse();
    const names = packages.map(({ name }) => name);
    const edges = resolve?.nodes.map(({ deps }) => deps.map(({ name }) => name));
    expect({ run, names, edges }).toEqual({ run, names: ['a', 'p'], edges: [[], ['a']] });
  }
});
