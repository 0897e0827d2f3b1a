import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metadata } from '../../../src/index.ts';
import { buildCrate } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { packagesHome } from '../../helpers/system.ts';

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
function workspace(name: string): { readonly cwd: string; readonly home: string } {
  const cwd = path.join(temp.path, name, 'ws');
  const home = path.join(temp.path, name, 'home');
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

function asker(cwd: string, home: string): (cache?: string) => Promise<string> {
  return async (cache = 'on') => {
    const env = { CARGO_HOME: home, TSREG_CACHE: cache, PATH: process.env['PATH'] };
    return Buffer.from((await metadata({ cwd, env, report: {} })).bytes).toString();
  };
}

describe('a run that fetched everything', () => {
  it('leaves enough for the next one to read no manifest and no index', async () => {
    server.mount('alt', {
      crates: [buildCrate({ name: 'aa', version: '1.0.0' }, () => '')],
    });
    const { cwd, home } = workspace('fetched');
    const ask = asker(cwd, home);
    const first = await ask();
    const [registry = ''] = readdirSync(path.join(packagesHome(home), 'registry', 'src'));
    const mark = path.join(packagesHome(home), 'registry', 'src', registry, 'aa-1.0.0', '.cargo-ok');
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

describe('a run after which the lock file changed', () => {
  it('leaves packages that the next one takes as long as their manifests are the same', async () => {
    server.mount('alt', {
      crates: [
        buildCrate({ name: 'aa', version: '1.0.0' }, () => ''),
        buildCrate({ name: 'bb', version: '1.0.0' }, () => ''),
      ],
    });
    const { cwd, home } = workspace('changed');
    const ask = asker(cwd, home);
    await ask();
    const manifest = path.join(cwd, 'Cargo.toml');
    writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}bb = { version = "1", registry = "alt" }\n`);
    expect(await ask()).toBe(await ask('off'));

    const [registry = ''] = readdirSync(path.join(packagesHome(home), 'registry', 'src'));
    const unpacked = path.join(packagesHome(home), 'registry', 'src', registry, 'aa-1.0.0', 'Cargo.toml');
    writeFileSync(unpacked, readFileSync(unpacked, 'utf8').replace('2021', '2018'));
    rmSync(path.join(cwd, 'Cargo.lock'));
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^bb.*$/m, ''));
    const third = await ask();
    expect(third).toContain('"edition":"2018"');
    expect(third).toBe(await ask('off'));
  });
});
