import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCrate, type CrateDecl } from '../helpers/crate.ts';
import { isStandalone, runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { onWindows, packagesHome } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** Enough packages that tsreg starts threads. */
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

/** The folders of a package that depends on all crates. */
interface Place {
  readonly root: string;
  readonly home: string;
  /** The registry's folder of unpacked packages. */
  readonly src: string;
}

/** Runs `metadata` in an empty home, on a package that depends on all crates. */
async function fetchAll(name: string, change: Partial<CrateDecl> = {}): Promise<RunResult & Place> {
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
  const result = await describeAll({ root, home });
  const [registry = ''] = readdirSync(path.join(packagesHome(home), 'registry', 'src'));
  return { ...result, root, home, src: path.join(packagesHome(home), 'registry', 'src', registry) };
}

function describeAll(
  { root, home }: Pick<Place, 'root' | 'home'>,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const args = ['metadata', '--format-version', '1'];
  return runProgram(tsregProgram({ CARGO_HOME: home }), args, { cwd: root, env });
}

/** Removes the downloads and the cache. */
function empty({ home }: Place): void {
  rmSync(path.join(home, 'registry'), { recursive: true, force: onWindows });
  rmSync(path.join(home, 'tsreg'), { recursive: true, force: true });
}

function vendorAll({ root, home }: Place): Promise<RunResult> {
  return runProgram(tsregProgram({ CARGO_HOME: home }), ['vendor'], { cwd: root, env: {} });
}

/** Checks every file of a vendored package against its checksum file. Returns their names. */
function checkedFiles(folder: string): readonly string[] {
  const text = readFileSync(path.join(folder, '.cargo-checksum.json'), 'utf8');
  const { files } = JSON.parse(text) as { readonly files: Readonly<Record<string, string>> };
  for (const [name, hash] of Object.entries(files)) {
    const content = readFileSync(path.join(folder, name));
    expect(createHash('sha256').update(content).digest('hex')).toBe(hash);
  }
  return Object.keys(files);
}

describe('many packages', () => {
  it('are unpacked completely and without other files', async () => {
    const { status, src } = await fetchAll('whole', {});
    expect(status).toBe(0);
    expect(readdirSync(src).sort()).toEqual(NAMES.map((name) => `${name}-1.0.0`));
    for (const name of NAMES)
      expect(readFileSync(path.join(src, `${name}-1.0.0`, '.cargo-ok'), 'utf8')).toBe('{"v":1}');
  });

  it.skipIf(isStandalone)(
    'in a lock file get their threads before the download (the executable takes no hook)',
    async () => {
      const place = await fetchAll('locked');
      empty(place);
      const { stdout, stderr } = await describeAll(place, { NODE_DEBUG: 'worker' });
      expect(stdout).toBe(place.stdout);
      const started = stderr.split('create new worker').length - 1;
      expect(started).toBe(Math.min(availableParallelism(), 4));
      expect(stderr.lastIndexOf('create new worker')).toBeLessThan(stderr.indexOf('Downloading'));
    },
  );

  it('that the index no longer has make the run fail', async () => {
    const place = await fetchAll('gone');
    empty(place);
    server.mount('gone', { crates: [] });
    const { status, stderr } = await describeAll(place);
    expect(status).toBe(101);
    expect(stderr).toContain('no matching package named `dep-00` found');
  });

  it('leave nothing of a broken one, which is reported', async () => {
    const { status, stderr, src } = await fetchAll('broken', {
      entries: [{ path: 'dep-13-1.0.0/link', link: '/etc/passwd' }],
    });
    expect(status).toBe(101);
    expect(stderr).toContain('failed to unpack package `dep-13 v1.0.0');
    expect(stderr).toContain('an entry at "dep-13-1.0.0/link" with invalid type Symlink');
    expect(existsSync(path.join(src, 'dep-13-1.0.0'))).toBe(false);
    expect(readdirSync(src).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('are vendored completely, in order and without other files', async () => {
    const place = await fetchAll('vendored', {});
    const { status, stderr } = await vendorAll(place);
    expect(status).toBe(0);
    const vendored = stderr.split('\n').flatMap((line) => /^ +Vendoring (\S+) /.exec(line)?.[1] ?? []);
    expect(vendored).toEqual(NAMES);
    const folder = path.join(place.root, 'vendor');
    expect(readdirSync(folder).sort()).toEqual(NAMES);
    for (const name of NAMES)
      expect(checkedFiles(path.join(folder, name))).toEqual(['Cargo.toml', 'src/lib.rs']);
  });

  it('are vendored up to a broken one, of which nothing is left', async () => {
    const place = await fetchAll('half', {});
    const cache = place.src.replace('/src/', '/cache/');
    writeFileSync(path.join(cache, 'dep-13-1.0.0.crate'), 'no archive');
    const { status, stderr } = await vendorAll(place);
    expect(status).toBe(101);
    expect(stderr).toContain('Vendoring dep-13 v1.0.0');
    expect(stderr).not.toContain('Vendoring dep-14 v1.0.0');
    expect(readdirSync(path.join(place.root, 'vendor')).sort()).toEqual(NAMES.slice(0, 13));
  });
});
