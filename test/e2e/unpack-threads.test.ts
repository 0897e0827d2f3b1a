import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCrate, type CrateDecl } from '../helpers/crate.ts';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** Enough for threads to be worth their start. */
const NAMES = Array.from({ length: 24 }, (_, index) => `dep-${String(index).padStart(2, '0')}`);

const temp = makeTempDir('unpack-threads');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

/** Runs `metadata` in an empty home, on a package that needs all crates. */
async function fetchAll(
  name: string,
  change: Partial<CrateDecl>,
): Promise<RunResult & { readonly src: string }> {
  const crates = NAMES.map((each, index) =>
    buildCrate({ name: each, version: '1.0.0', ...(index === 13 ? change : {}) }, () => ''),
  );
  server.mount(name, { crates });
  const root = path.join(temp.path, name);
  const home = path.join(root, 'home');
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  const dependencies = NAMES.map((each) => `${each} = { version = "1", registry = "alt" }\n`).join('');
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${dependencies}`,
  );
  writeFileSync(path.join(home, 'config.toml'), `registries.alt.index = "sparse+${server.url}/${name}/"\n`);
  const result = await runProgram(tsregProgram({ CARGO_HOME: home }), ['metadata', '--format-version', '1'], {
    cwd: root,
    env: {},
  });
  const [registry = ''] = readdirSync(path.join(home, 'registry', 'src'));
  return { ...result, src: path.join(home, 'registry', 'src', registry) };
}

describe('many packages at once', () => {
  it('are all unpacked, whole, with nothing beside them', async () => {
    const { status, src } = await fetchAll('whole', {});
    expect(status).toBe(0);
    expect(readdirSync(src).sort()).toEqual(NAMES.map((name) => `${name}-1.0.0`));
    for (const name of NAMES)
      expect(readFileSync(path.join(src, `${name}-1.0.0`, '.cargo-ok'), 'utf8')).toBe('{"v":1}');
  });

  it('say what is wrong with the one that cannot be unpacked, and leave nothing of it', async () => {
    const { status, stderr, src } = await fetchAll('broken', {
      entries: [{ path: 'dep-13-1.0.0/link', link: '/etc/passwd' }],
    });
    expect(status).toBe(101);
    expect(stderr).toContain('failed to unpack package `dep-13 v1.0.0');
    expect(stderr).toContain('links are not unpacked');
    expect(existsSync(path.join(src, 'dep-13-1.0.0'))).toBe(false);
    expect(readdirSync(src).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
