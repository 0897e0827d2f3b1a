import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metadata } from '../../src/index.ts';
import { buildCrate } from '../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('remember');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

/** A package that depends on `aa` of a registry on the server, and a home without anything. */
function workspace(): { readonly cwd: string; readonly home: string } {
  const cwd = path.join(temp.path, 'ws');
  const home = path.join(temp.path, 'home');
  mkdirSync(path.join(cwd, 'src'), { recursive: true });
  mkdirSync(path.join(cwd, '.cargo'));
  mkdirSync(home);
  writeFileSync(path.join(cwd, 'src', 'lib.rs'), '');
  writeFileSync(
    path.join(cwd, 'Cargo.toml'),
    '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\naa = { version = "1", registry = "alt" }\n',
  );
  writeFileSync(
    path.join(cwd, '.cargo', 'config.toml'),
    `[registries.alt]\nindex = "sparse+${server.url}/alt/"\n`,
  );
  return { cwd, home };
}

describe('a run that fetched everything', () => {
  it('leaves enough for the next one to read no manifest and no index', async () => {
    server.mount('alt', {
      crates: [buildCrate({ name: 'aa', version: '1.0.0' }, () => '')],
    });
    const { cwd, home } = workspace();
    const ask = async (cache = 'on'): Promise<string> => {
      const env = { CARGO_HOME: home, TSREG_CACHE: cache, PATH: process.env['PATH'] };
      return Buffer.from((await metadata({ cwd, env, report: {} })).bytes).toString();
    };
    const first = await ask();
    const [registry = ''] = readdirSync(path.join(home, 'registry', 'src'));
    const mark = path.join(home, 'registry', 'src', registry, 'aa-1.0.0', '.cargo-ok');
    // Who reads this mark unpacks the package again.
    writeFileSync(mark, '');
    server.requests.length = 0;
    expect(await ask()).toBe(first);
    expect(readFileSync(mark, 'utf8')).toBe('');
    expect(server.requests).toEqual([]);
    expect(await ask('off')).toBe(first);
    expect(readFileSync(mark, 'utf8')).not.toBe('');
  });
});
