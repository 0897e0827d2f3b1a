import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { gitDbName, registryDirName } from '../../src/core/package-id/folder-names.ts';
import { isIndexedName, pathPart } from '../../src/core/package-id/path-part.ts';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import { downloadUrl } from '../../src/core/protocol/download-url.ts';
import { decodeIndexLine } from '../../src/core/protocol/index-line.ts';
import { indexPath } from '../../src/core/protocol/index-path.ts';
import { staticArchives } from '../../src/server/static/static-layout.ts';
import { checkIndexFile } from '../../src/server/upstream/check-index-file.ts';
import { crateFileName, packageDirName } from '../../src/io/sources/crate-file.ts';
import { parseVersion } from '../../src/core/version/version.ts';
import { buildCrate, indexPath as pathInIndex } from '../helpers/crate.ts';
import { commitToRepo } from '../helpers/git-repo.ts';
import { type HostileRegistry, startHostileRegistry } from '../helpers/hostile-registry.ts';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { listTree, writeTree } from '../helpers/tree.ts';

const program = tsregProgram();
const sources = new SourceTable();
const from = { original: sources.cratesIo(), actual: sources.cratesIoSparse() };

const UNSAFE = [
  ...['', '.', '..', 'a/b', 'a\\b', '/etc/passwd', '../../x/.bashrc', '..\\x', 'C:x', 'a\0b', 'a\nb', 'a b'],
  ...['nul', 'CON', 'Aux', 'com1', 'lpt9', 'a.b', 'a?b', 'a#b', 'a%2fb', 'evil.example@x', 'a\u202eb'],
];
const SAFE = ['serde', 'serde_json', 'a', '3d', 'foo-bar', 'bücher', 'nulls', 'console', 'com10', '_x', '-'];

const dep = { name: 'd', req: '*', kind: 'normal' };
const line = (more: object): string =>
  JSON.stringify({ name: 'good', vers: '1.0.0', deps: [], cksum: '00', features: {}, ...more });
const decode = (more: object) => decodeIndexLine(line(more), from, sources);

describe('an index line', () => {
  test.each(UNSAFE)('with the name %j is ignored', (name) => {
    expect(decode({ name })).toBe(null);
    expect(decode({ name, v: 3 })).toBe(null);
  });

  test.each(UNSAFE)('with a dependency named %j is an invalid entry', (name) => {
    const rejected = { kind: 'rejected', name: 'good', reason: { kind: 'invalid-entry' } };
    expect(decode({ deps: [{ ...dep, name }] })).toMatchObject(rejected);
    expect(decode({ deps: [{ ...dep, package: name }] })).toMatchObject(rejected);
    expect(decode({ deps: [{ ...dep, name, package: 'd' }] })).toMatchObject(rejected);
    expect(decode({ deps: [{ ...dep, name, kind: 'dev' }] })).toMatchObject(rejected);
  });

  test.each(SAFE)('may have the name %j and depend on it', (name) => {
    expect(decode({ name, deps: [{ ...dep, name }] })).toMatchObject({
      kind: 'usable',
      summary: { id: { name }, dependencies: [{ name }] },
    });
  });
});

describe('functions that build paths', () => {
  const version = parseVersion('1.0.0');
  test.each(['../x', '..', '.', '', 'a/b', 'a\\b', 'C:x', 'a\0b', 'nul', 'con', 'COM1', 'nul.txt'])(
    'throw on %j',
    (name) => {
      expect(() => pathPart(name)).toThrow(`${JSON.stringify(name)} cannot be a part of a path`);
      expect(() => indexPath(name)).toThrow('cannot be a part of a path');
    },
  );

  test('name the reason if Windows reserves the name', () => {
    expect(() => indexPath('CON')).toThrow('"con" cannot be a part of a path: Windows reserves this name');
  });

  test.each(['../x', 'a/b', 'a\\b', 'C:x', 'a\0b', '/'])('throw on a package named %j', (name) => {
    expect(() => packageDirName({ name, version })).toThrow('cannot be a part of a path');
    expect(() => crateFileName({ name, version })).toThrow('cannot be a part of a path');
    expect(() => staticArchives(name)).toThrow('cannot be a part of a path');
  });

  test('throw if the prefix of a name would be the parent folder', () => {
    expect(() => indexPath('..ab')).toThrow('".." cannot be a part of a path');
    expect(() => indexPath('ab..cd')).toThrow('".." cannot be a part of a path');
  });

  test('throw on a repository whose URL has a backslash in its last segment', () => {
    const source = sources.forGit('ssh://host/a\\..\\..\\x', { kind: 'default' });
    expect(() => gitDbName(source)).toThrow('cannot be a part of a path');
  });

  test('encode a checksum as one part of a URL', () => {
    const subject = { name: 'a', version: '1.0.0', checksum: '../@evil?#' };
    expect(downloadUrl('https://h/{sha256-checksum}/x', subject)).toBe('https://h/..%2F%40evil%3F%23/x');
  });

  test('return the expected folder names for valid sources', () => {
    expect(registryDirName(sources.cratesIoSparse())).toBe('index.crates.io-1949cf8c6b5b557f');
    if (!onWindows) {
      const aux = sources.forRegistryIndex('sparse+https://aux.example.com/', null);
      expect(registryDirName(aux)).toMatch(/^aux\.example\.com-[0-9a-f]{16}$/);
      const con = sources.forGit('https://example.com/a/con.rs', { kind: 'default' });
      expect(gitDbName(con)).toMatch(/^con\.rs-[0-9a-f]{16}$/);
    }
    expect(SAFE.every(isIndexedName)).toBe(true);
  });
});

describe('a mirror', () => {
  const cksum = '0'.repeat(64);
  const check = (more: object) => checkIndexFile(Buffer.from(`${line({ cksum, ...more })}\n`), 'good');

  test('accepts a file whose dependencies have valid names', () => {
    expect(check({ deps: [dep, { ...dep, package: 'real' }] })).toHaveProperty('body');
  });

  test.each(['../x', 'a/b', '', 'nul', 'C:x'])('refuses a file with a dependency named %j', (name) => {
    const problem = `line 1 has a dependency that is called ${JSON.stringify(name)}`;
    expect(check({ deps: [{ ...dep, name }] })).toEqual({ problem });
    expect(check({ deps: [{ ...dep, package: name }] })).toEqual({ problem });
  });

  test.each([{ deps: null }, { deps: {} }, { deps: [1] }, { deps: [{}] }])(
    'refuses a file with %j',
    (more) => {
      expect(check(more)).toEqual({ problem: 'line 1 does not describe a version' });
    },
  );
});

/** A temporary folder with a workspace, a home, and other files that no command may touch. */
interface Machine extends AsyncDisposable {
  readonly base: string;
  readonly evil: HostileRegistry;
  /** Package names that lead from the folders of a registry to `victim/.bashrc`, from various depths. */
  readonly names: readonly string[];
  run(args: readonly string[]): Promise<RunResult>;
  /** Fails if any file changed, except the home's own folders and the outputs of the commands. */
  expectUntouched(): void;
}

const manifest = (dependencies: string): string =>
  `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${dependencies}`;

async function makeMachine(dependencies: (evil: HostileRegistry, base: string) => string): Promise<Machine> {
  const dir = makeTempDir('names');
  const evil = await startHostileRegistry();
  const base = dir.path;
  const home = path.join(base, 'home');
  const victims = {
    'victim/.bashrc': 'mine\n',
    'victim/.cargo-ok': 'mine\n',
    'home/victim/.bashrc': 'mine\n',
  };
  writeTree(base, {
    ...victims,
    'ws/src/lib.rs': '',
    'ws/Cargo.toml': manifest(dependencies(evil, base)),
    'ws/.cargo/config.toml': `registries.evil.index = "${evil.index}"\n`,
  });
  mkdirSync(home, { recursive: true });
  const up = (levels: number): string => '../'.repeat(levels);
  const names = Array.from({ length: 7 }, (_, levels) => `${up(levels + 3)}victim/.bashrc`);
  names.push(`${path.join(base, 'victim', '.bashrc')}`, 'x/../../../../../../../victim/.bashrc');
  // Every other request also gets a response from the attacker.
  evil.fallback = `${JSON.stringify({ name: 'x', vers: '1.0.0', deps: [], cksum: '00', features: {} })}\n`;
  // rustup's `rustc` writes to the user's home.
  const isOwn = (file: string): boolean =>
    /^(?:user|home\/(?:registry|git|tsreg|\.)|ws\/(?:Cargo.lock|vendor))/.test(file);
  const before = listTree(base, isOwn);
  return {
    ...{ base, evil, names },
    run: (args) => {
      const env = { PATH: process.env['PATH'] ?? '', CARGO_HOME: home, HOME: path.join(base, 'user') };
      return runProgram(program, args, { cwd: path.join(base, 'ws'), env });
    },
    expectUntouched: () => expect(listTree(base, isOwn)).toEqual(before),
    async [Symbol.asyncDispose]() {
      await evil[Symbol.asyncDispose]();
      dir.remove();
    },
  };
}

const COMMANDS = [
  ['metadata', '--format-version', '1'],
  ['generate-lockfile'],
  ['fetch'],
  ['update'],
  ['tree'],
  ['vendor', 'vendor'],
  ['info', 'good', '--registry', 'evil'],
];

const good = (more: object): string =>
  line({ cksum: buildCrate({ name: 'good', version: '1.0.0' }, () => '').checksum, ...more });
const goodPath = `/${pathInIndex('good')}`;

describe('a registry whose crate `good` depends on a path', () => {
  test.each(['name', 'package'])('cannot write files through the `%s` of a dependency', async (field) => {
    await using machine = await makeMachine(() => 'good = { version = "1", registry = "evil" }\n');
    const { evil, names } = machine;
    const deps = names.map((name) => ({ ...dep, [field]: name }));
    evil.files.set(goodPath, `${good({ deps })}\n`);
    for (const args of field === 'name' ? COMMANDS : COMMANDS.slice(0, 2)) {
      const { status, stderr } = await machine.run(args);
      if (args[0] !== 'info') expect(status).toBe(101);
      expect(stderr).not.toContain('cannot be a part of a path');
      machine.expectUntouched();
    }
    expect(evil.requests.filter((each) => each.includes('victim'))).toEqual([]);
  });

  test('cannot remove files with a response that nothing exists', async () => {
    await using machine = await makeMachine(() => 'good = { version = "1", registry = "evil" }\n');
    const { evil, names } = machine;
    evil.files.set(goodPath, `${good({ deps: names.map((name) => ({ ...dep, name })) })}\n`);
    evil.fallback = null;
    for (const args of COMMANDS.slice(0, 3)) await machine.run(args);
    machine.expectUntouched();
  });

  test('can still be used with its other versions', async () => {
    await using machine = await makeMachine(() => 'good = { version = "1", registry = "evil" }\n');
    const { evil, names } = machine;
    const crate = buildCrate({ name: 'good', version: '1.0.0' }, () => '');
    const bad = good({ vers: '1.0.1', deps: names.map((name) => ({ ...dep, name })) });
    evil.files.set(goodPath, `${bad}\n${line({ name: names[0], vers: '1.0.2' })}\n${good({})}\n`);
    evil.files.set('/dl/good/1.0.0/download', crate.archive ?? '');
    const { status, stdout } = await machine.run(['metadata', '--format-version', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('"good"');
    expect(readFileSync(path.join(machine.base, 'ws', 'Cargo.lock'), 'utf8')).toContain('version = "1.0.0"');
    machine.expectUntouched();
  });
});

describe('an unsafe package name', () => {
  test('changes no files if a second registry sends it', async () => {
    await using honest = await startHostileRegistry();
    await using machine = await makeMachine(
      () => `good = { version = "1", registry-index = "${honest.index}" }\n`,
    );
    const { evil, names } = machine;
    honest.files.set(goodPath, `${good({ deps: [{ ...dep, name: 'next', registry: evil.index }] })}\n`);
    const deps = names.map((name) => ({ ...dep, name, registry: evil.index }));
    evil.files.set(`/${pathInIndex('next')}`, `${line({ name: 'next', deps })}\n`);
    for (const args of COMMANDS.slice(0, 2)) expect((await machine.run(args)).status).toBe(101);
    machine.expectUntouched();
  });

  test('changes no files if a git index contains it', async () => {
    let repo = '';
    await using machine = await makeMachine((_, base) => {
      repo = path.join(base, 'index.git');
      return `good = { version = "1", registry-index = "${pathToFileURL(repo).href}" }\n`;
    });
    const deps = machine.names.map((name) => ({ ...dep, name }));
    const config = JSON.stringify({ dl: 'http://127.0.0.1:1/dl' });
    commitToRepo(repo, [{ files: { 'config.json': config, [pathInIndex('good')]: `${good({ deps })}\n` } }]);
    const bashrc = path.join(machine.base, 'victim', '.bashrc');
    for (const args of COMMANDS.slice(0, 2)) expect((await machine.run(args)).status).toBe(101);
    expect(readFileSync(bashrc, 'utf8')).toBe('mine\n');
  });

  test.each(['checked', 'offline'])('changes no files if a lock file contains it, %s', async (mode) => {
    await using machine = await makeMachine(() => 'good = { version = "1", registry = "evil" }\n');
    const { evil, names, base } = machine;
    evil.files.set(goodPath, `${good({})}\n`);
    for (const name of names.slice(-4, -1)) {
      const source = `source = ${JSON.stringify(evil.index)}\nchecksum = "00"\n`;
      const locked = `[[package]]\nname = ${JSON.stringify(name)}\nversion = "1.0.0"\n${source}`;
      const more = mode === 'offline' ? ['--offline'] : [];
      for (const args of [['metadata', '--format-version', '1'], ['generate-lockfile'], ['fetch']]) {
        writeFileSync(path.join(base, 'ws', 'Cargo.lock'), `version = 4\n\n${locked}`);
        const { status, stderr } = await machine.run([...args, ...more]);
        expect(stderr).not.toContain('cannot be a part of a path');
        if (args[0] !== 'generate-lockfile') {
          expect(status).toBe(101);
          expect(stderr).toContain(`${JSON.stringify(name)} is not the name of a package`);
        }
      }
      machine.expectUntouched();
    }
  });

  test('changes no files as the key of a dependency, its package, or a patch', async () => {
    await using machine = await makeMachine(() => '');
    const { base, names } = machine;
    const [name = ''] = names;
    const key = JSON.stringify(name);
    for (const text of [
      `${key} = { version = "1", registry = "evil" }\n`,
      `x = { version = "1", registry = "evil", package = ${key} }\n`,
      `[patch.evil]\n${key} = { version = "1", registry = "evil" }\n`,
      `[replace]\n"x:1.0.0" = { path = ".", package = ${key} }\n`,
    ]) {
      writeFileSync(path.join(base, 'ws', 'Cargo.toml'), manifest(text));
      expect((await machine.run(['metadata', '--format-version', '1'])).status).toBe(101);
    }
    writeFileSync(path.join(base, 'ws', 'Cargo.toml'), manifest(''));
    machine.expectUntouched();
  });

  test.each(['nul', 'con'])('is refused as a dependency if Windows reserves it: %s', async (name) => {
    await using machine = await makeMachine(() => `${name} = { version = "1", registry = "evil" }\n`);
    const { status, stderr } = await machine.run(['metadata', '--format-version', '1']);
    expect(status).toBe(101);
    expect(stderr).toContain(`"${name}" cannot be a part of a path`);
    machine.expectUntouched();
  });

  test('changes no files on the command line', async () => {
    await using machine = await makeMachine(() => '');
    for (const name of machine.names.slice(-3)) {
      for (const args of [
        ['info', name, '--registry', 'evil'],
        ['update', name],
      ]) {
        await machine.run(args);
      }
    }
    machine.expectUntouched();
  });
});
