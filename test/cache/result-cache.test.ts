import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/io/config/config.ts';
import { MTIME_GRANULARITY_MS } from '../../src/io/disk/fingerprint.ts';
import { InputRecorder, recordingInputs } from '../../src/io/disk/input-recorder.ts';
import { PackageCache } from '../../src/io/disk/package-cache.ts';
import { replaceLockFile } from '../../src/io/disk/replace-lock-file.ts';
import { metadata, tree } from '../../src/index.ts';
import { RustVersion } from '../../src/commands/shared/lock/rust-version.ts';
import { reportTo } from '../../src/core/report/report.ts';
import { buildCrate } from '../helpers/crate.ts';
import { commitToRepo } from '../helpers/git-repo.ts';
import { MARK, markResults } from '../helpers/marked-results.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { SmallWorkspace } from '../helpers/small-workspace.ts';
import { onWindows, packagesHome } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('result-cache');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
  const crates = [
    { name: 'aa', version: '1.0.0', deps: ['bb 1'] },
    { name: 'bb', version: '1.0.0' },
  ];
  server.mount('alt', { crates: crates.map((decl) => buildCrate(decl, () => '')) });
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

let count = 0;

/** Creates a workspace with dependencies whose result is in the cache, replaced by `MARK`. */
async function cached(prepare: (workspace: SmallWorkspace) => void = () => {}): Promise<SmallWorkspace> {
  count += 1;
  const workspace = new SmallWorkspace(
    path.join(temp.path, `${count}`, 'outer'),
    `sparse+${server.url}/alt/`,
    {
      dependencies: { aa: '1' },
    },
  );
  prepare(workspace);
  await workspace.ask();
  await store(workspace);
  return workspace;
}

/** Runs until the result is in the cache, and replaces it by `MARK`. */
async function store(workspace: SmallWorkspace): Promise<void> {
  // Results that depend on files younger than this are not cached.
  await sleep(2 * MTIME_GRANULARITY_MS);
  await workspace.ask();
  markResults(workspace.results());
  expect(await workspace.ask(), 'the result is in the cache').toBe(MARK);
}

function at(workspace: SmallWorkspace, name: string): string {
  return path.join(workspace.cwd, name);
}

function write(workspace: SmallWorkspace, name: string, text: string): void {
  mkdirSync(path.dirname(at(workspace, name)), { recursive: true });
  writeFileSync(at(workspace, name), text);
}

function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

const MEMBERS = '[workspace]\nmembers = ["crates/*"]\n';

function withMembers(workspace: SmallWorkspace): void {
  appendFileSync(workspace.manifest, MEMBERS);
  write(workspace, 'crates/one/Cargo.toml', '[package]\nname = "one"\nversion = "0.1.0"\n');
  write(workspace, 'crates/one/src/lib.rs', '');
}

function withBeside(workspace: SmallWorkspace): void {
  write(workspace, '../beside/Cargo.toml', '[package]\nname = "beside"\nversion = "0.1.0"\n');
  write(workspace, '../beside/src/lib.rs', '');
  appendFileSync(workspace.manifest, 'beside = { path = "../beside" }\n');
}

interface Change {
  readonly prepare?: (workspace: SmallWorkspace) => void;
  readonly change: (workspace: SmallWorkspace) => void;
}

function unpacked(workspace: SmallWorkspace, name: string): string {
  return path.join(workspace.registryFolder('src'), name);
}

/** File changes after which a cached result must not be used. */
const CHANGES: Readonly<Record<string, Change>> = {
  'an edit of a manifest': { change: ({ manifest }) => edit(manifest, '0.1.0', '0.1.1') },
  'an edit that keeps size and time': {
    change: ({ manifest }) => {
      const { atime, mtime } = statSync(manifest);
      edit(manifest, '0.1.0', '0.2.0');
      utimesSync(manifest, atime, mtime);
    },
  },
  'a new binary target': { change: (ws) => write(ws, 'src/bin/x.rs', '') },
  'a new binary target in a folder': { change: (ws) => write(ws, 'src/bin/x/main.rs', '') },
  'a new main file': { change: (ws) => write(ws, 'src/main.rs', '') },
  'a new build script': { change: (ws) => write(ws, 'build.rs', '') },
  'a new example': { change: (ws) => write(ws, 'examples/x.rs', '') },
  'a new example beside another': {
    prepare: (ws) => write(ws, 'examples/a.rs', ''),
    change: (ws) => write(ws, 'examples/b.rs', ''),
  },
  'a new test and a new benchmark': {
    change: (ws) => {
      write(ws, 'tests/x.rs', '');
      write(ws, 'benches/x.rs', '');
    },
  },
  'a new readme': { change: (ws) => write(ws, 'README.md', '') },
  'a removed target': {
    prepare: (ws) => write(ws, 'src/bin/x.rs', ''),
    change: (ws) => rmSync(at(ws, 'src/bin/x.rs')),
  },
  'a file in the place of a folder': {
    prepare: (ws) => write(ws, 'src/bin/x/main.rs', ''),
    change: (ws) => {
      rmSync(at(ws, 'src/bin/x'), { recursive: true });
      write(ws, 'src/bin/x', '');
    },
  },
  'a new member of a glob': {
    prepare: withMembers,
    change: (ws) => {
      write(ws, 'crates/two/Cargo.toml', '[package]\nname = "two"\nversion = "0.1.0"\n');
      write(ws, 'crates/two/src/lib.rs', '');
    },
  },
  'a member that is gone': {
    prepare: withMembers,
    change: (ws) => rmSync(at(ws, 'crates/one'), { recursive: true }),
  },
  'an edit of the lock file': {
    change: (ws) => edit(at(ws, 'Cargo.lock'), /^checksum = "./m, 'checksum = "e'),
  },
  'another line end in the lock file': { change: (ws) => appendFileSync(at(ws, 'Cargo.lock'), '\n# x\n') },
  'a lock file that is gone': { change: (ws) => rmSync(at(ws, 'Cargo.lock')) },
  'a config file': { change: (ws) => edit(at(ws, '.cargo/config.toml'), /^/, 'build.target-dir = "t"\n') },
  'a config file in a parent folder': {
    change: (ws) => write(ws, '../.cargo/config.toml', 'build.target-dir = "t"\n'),
  },
  'a config file without extension beside the other': {
    change: (ws) => cpSync(at(ws, '.cargo/config.toml'), at(ws, '.cargo/config')),
  },
  'a config file in CARGO_HOME': {
    change: (ws) => writeFileSync(path.join(ws.home, 'config.toml'), 'build.target-dir = "t"\n'),
  },
  'an included config file': {
    prepare: (ws) => {
      edit(at(ws, '.cargo/config.toml'), /^/, 'include = [{ path = "more.toml", optional = true }]\n');
    },
    change: (ws) => write(ws, '.cargo/more.toml', 'build.target-dir = "t"\n'),
  },
  'a [patch] by path': {
    change: (ws) => {
      write(ws, '../bb/Cargo.toml', '[package]\nname = "bb"\nversion = "1.0.1"\n');
      write(ws, '../bb/src/lib.rs', '');
      appendFileSync(ws.manifest, '[patch.alt]\nbb = { path = "../bb" }\n');
    },
  },
  'the package of a [patch] by path': {
    prepare: (ws) => {
      write(ws, '../bb/Cargo.toml', '[package]\nname = "bb"\nversion = "1.0.1"\n');
      write(ws, '../bb/src/lib.rs', '');
      appendFileSync(ws.manifest, '[patch.alt]\nbb = { path = "../bb" }\n');
    },
    change: (ws) => edit(at(ws, '../bb/Cargo.toml'), 'version', 'description = "x"\nversion'),
  },
  'a target of such a package': {
    prepare: (ws) => {
      write(ws, '../bb/Cargo.toml', '[package]\nname = "bb"\nversion = "1.0.1"\n');
      write(ws, '../bb/src/lib.rs', '');
      appendFileSync(ws.manifest, '[patch.alt]\nbb = { path = "../bb" }\n');
    },
    change: (ws) => write(ws, '../bb/examples/x.rs', ''),
  },
  'an included config file edited': {
    prepare: (ws) => {
      edit(at(ws, '.cargo/config.toml'), /^/, 'include = ["more.toml"]\n');
      write(ws, '.cargo/more.toml', '');
    },
    change: (ws) => write(ws, '.cargo/more.toml', 'build.target-dir = "t"\n'),
  },
  'a path dependency outside of the workspace': {
    prepare: withBeside,
    change: (ws) => edit(at(ws, '../beside/Cargo.toml'), 'version', 'description = "x"\nversion'),
  },
  'a target of such a dependency': {
    prepare: withBeside,
    change: (ws) => write(ws, '../beside/build.rs', ''),
  },
  'a workspace root above': {
    change: (ws) => {
      write(ws, '../Cargo.toml', '[workspace]\nmembers = ["ws"]\n');
      cpSync(at(ws, 'Cargo.lock'), at(ws, '../Cargo.lock'));
    },
  },
  'an unpacked package that is gone': {
    change: (ws) => rmSync(unpacked(ws, 'aa-1.0.0'), { recursive: true }),
  },
  'the mark of a complete package gone': { change: (ws) => rmSync(unpacked(ws, 'aa-1.0.0/.cargo-ok')) },
  'the manifest of an unpacked package': {
    change: (ws) =>
      edit(unpacked(ws, 'aa-1.0.0/Cargo.toml'), /^\[package\]/m, '[package]\ndescription = "x"'),
  },
  'a manifest of a package set back in time': {
    change: (ws) => {
      const file = unpacked(ws, 'aa-1.0.0/Cargo.toml');
      const { atime, mtime } = statSync(file);
      edit(file, /^name = "aa"/m, 'name = "aa" ');
      utimesSync(file, atime, mtime);
    },
  },
  'an archive that is empty': {
    change: (ws) => writeFileSync(path.join(ws.registryFolder('cache'), 'bb-1.0.0.crate'), ''),
  },
  'an index file of another program': {
    change: (ws) => {
      const file = path.join(ws.registryFolder('index'), '.cache', '2', 'aa');
      const bytes = readFileSync(file, 'latin1');
      writeFileSync(file, bytes.replace(/"deps":\[\{.*?\}\]/, '"deps":[]'), 'latin1');
    },
  },
  'the description of a registry gone': {
    change: (ws) => rmSync(path.join(ws.registryFolder('index'), 'config.json')),
  },
};

describe('a cached result', () => {
  it.each(Object.entries(CHANGES))('is not used after %s', async (_, { prepare, change }) => {
    const workspace = await cached(prepare);
    change(workspace);
    const lock = at(workspace, 'Cargo.lock');
    const before = statSync(lock, { throwIfNoEntry: false }) === undefined ? null : readFileSync(lock);
    const asked = await workspace.ask().catch(String);
    if (before !== null) writeFileSync(lock, before);
    expect(asked).not.toBe(MARK);
    expect(asked).toBe(await workspace.ask('off').catch(String));
  });

  it('is not used after a change to a manifest that its run read from the package cache', async () => {
    const workspace = await cached();
    for (const folder of ['results', 'graphs'])
      rmSync(path.join(workspace.home, 'tsreg', 'cache', folder), { recursive: true });
    await store(workspace);
    edit(unpacked(workspace, 'bb-1.0.0/Cargo.toml'), /^\[package\]/m, '[package]\ndescription = "x"');
    expect(await workspace.ask()).toContain('"description":"x"');
  });

  it.skipIf(onWindows)(
    'is not used after a link replaced the lock file (not on Windows: links need rights there)',
    async () => {
      const workspace = await cached();
      const lock = at(workspace, 'Cargo.lock');
      renameSync(lock, at(workspace, 'other.lock'));
      edit(at(workspace, 'other.lock'), /^version = 4/m, 'version = 3');
      symlinkSync('other.lock', lock);
      expect(await workspace.ask()).not.toBe(MARK);
    },
  );

  it('is not used after either of two edits in quick succession', async () => {
    const workspace = await cached();
    edit(workspace.manifest, '0.1.0', '0.1.1');
    const first = await workspace.ask();
    edit(workspace.manifest, '0.1.1', '0.1.2');
    const second = await workspace.ask();
    expect(first).toContain('"version":"0.1.1"');
    expect(second).toContain('"version":"0.1.2"');
  });

  it('is used again once an edit is reverted', async () => {
    const workspace = await cached();
    edit(workspace.manifest, '0.1.0', '0.1.1');
    edit(workspace.manifest, '0.1.1', '0.1.0');
    expect(await workspace.ask()).toBe(MARK);
  });

  it('is not used after a change to an environment variable that the program reads', async () => {
    const workspace = await cached();
    const ask = async (more: Readonly<Record<string, string>>): Promise<string> => {
      const env = { CARGO_HOME: workspace.home, TSREG_CACHE: 'on', PATH: process.env['PATH'], ...more };
      return Buffer.from((await metadata({ cwd: workspace.cwd, env, report: {} })).bytes).toString();
    };
    expect(await ask({})).toBe(MARK);
    expect(await ask({ SOME_SESSION: '1' })).toBe(MARK);
    expect(await ask({ CARGO_BUILD_TARGET_DIR: 'elsewhere' })).toContain('/elsewhere"');
    expect(await ask({ CARGO_TARGET_DIR: 'elsewhere' })).toContain('/elsewhere"');
    expect(await ask({})).toBe(MARK);
  });

  it('is used only for the same command and options', async () => {
    const workspace = await cached();
    const env = { CARGO_HOME: workspace.home, TSREG_CACHE: 'on', PATH: process.env['PATH'] };
    const options = { cwd: workspace.cwd, env, report: {} };
    const { parse } = await metadata({ ...options, noDeps: true });
    expect(parse().packages).toHaveLength(1);
    const offline = await metadata({ ...options, offline: true });
    expect(offline.parse().packages).toHaveLength(3);
    expect((await tree(options)).nodes).toHaveLength(3);
  });

  it('is not used in a CARGO_HOME that was moved, nor through a link to it', async () => {
    const workspace = await cached();
    const ask = async (home: string): Promise<string> => {
      const env = { CARGO_HOME: home, TSREG_CACHE: 'on', PATH: process.env['PATH'] };
      return Buffer.from((await metadata({ cwd: workspace.cwd, env, report: {} })).bytes).toString();
    };
    const [linked, moved] = [`${workspace.home}-linked`, `${workspace.home}-moved`];
    symlinkSync(workspace.home, linked, 'junction');
    expect(await ask(workspace.home)).toBe(MARK);
    expect(await ask(linked)).toContain(JSON.stringify(linked).slice(1, -1));
    renameSync(workspace.home, moved);
    expect(await ask(moved)).toContain(JSON.stringify(moved).slice(1, -1));
  });

  it('is not used once CARGO_HOME links to another folder', async () => {
    const workspace = await cached();
    const linked = `${workspace.home}-linked`;
    const env = { CARGO_HOME: linked, TSREG_CACHE: 'on', PATH: process.env['PATH'] };
    const ask = async (): Promise<string> =>
      Buffer.from((await metadata({ cwd: workspace.cwd, env, report: {} })).bytes).toString();
    symlinkSync(workspace.home, linked, 'junction');
    await ask();
    markResults(workspace.results());
    expect(await ask()).toBe(MARK);
    cpSync(workspace.home, `${workspace.home}-copy`, { recursive: true });
    rmSync(linked);
    symlinkSync(`${workspace.home}-copy`, linked, 'junction');
    expect(await ask()).not.toBe(MARK);
  });

  it('is not used after a git dependency was updated or its checkout changed', async () => {
    const repo = path.join(temp.path, 'repo');
    const commit = (version: string): void =>
      commitToRepo(repo, [
        {
          files: { 'Cargo.toml': `[package]\nname = "gg"\nversion = "${version}"\n`, 'src/lib.rs': '' },
        },
      ]);
    commit('1.0.0');
    const url = pathToFileURL(repo).href;
    const workspace = await cached((ws) => appendFileSync(ws.manifest, `gg = { git = "${url}" }\n`));
    const checkouts = path.join(packagesHome(workspace.home), 'git', 'checkouts');
    const mark = readdirSync(checkouts, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.cargo-ok'),
    );
    const checkout = path.dirname(path.join(checkouts, mark ?? ''));
    const head = path.join(checkout, '.git', 'HEAD');
    for (const change of [
      (): void => edit(path.join(checkout, 'Cargo.toml'), '[package]', '[package]\ndescription = "x"'),
      (): void => writeFileSync(head, readFileSync(head)),
      (): void => rmSync(path.join(checkout, '.cargo-ok')),
    ]) {
      change();
      expect(await workspace.ask()).not.toBe(MARK);
      await store(workspace);
    }
    commit('2.0.0');
    expect(await workspace.ask()).toBe(MARK);
    rmSync(at(workspace, 'Cargo.lock'));
    expect(await workspace.ask()).toContain('"name":"gg","version":"2.0.0"');
  });
});

describe('a cache entry', () => {
  it('that is truncated or has any byte changed is ignored', async () => {
    const workspace = await cached();
    const [file = ''] = workspace.results();
    const whole = readFileSync(file);
    const wanted = await workspace.ask('off');
    const env = { CARGO_HOME: workspace.home, TSREG_CACHE: 'on', PATH: process.env['PATH'] };
    const { findResult } = await import('../../src/cache/result-cache.ts');
    const { decodeEntry } = await import('../../src/cache/result-entry.ts');
    const key = { text: decodeEntry(whole)?.key ?? '', path: file };
    for (let position = 0; position < whole.length; position += 1) {
      const damaged = Buffer.from(whole);
      damaged[position] = (damaged[position] ?? 0) ^ (1 << (position % 8));
      writeFileSync(file, damaged);
      if (findResult(key) !== null) expect.fail(`byte ${position} is believed`);
    }
    for (const length of [0, 1, 7, 8, 12, 16, 17, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(findResult(key), `${length} bytes`).toBeNull();
    }
    const { bytes } = await metadata({ cwd: workspace.cwd, env, report: {} });
    expect(Buffer.from(bytes).toString()).toBe(wanted);
  });

  it('is not saved while the manifest of a package is too new', async () => {
    const workspace = await cached();
    for (const file of workspace.results()) rmSync(file);
    const manifest = unpacked(workspace, 'aa-1.0.0/Cargo.toml');
    const now = new Date();
    utimesSync(manifest, now, now);
    await workspace.ask();
    expect(workspace.results()).toEqual([]);
    await store(workspace);
  });

  it('is not saved by the first run, which uses the network and writes the lock file', async () => {
    count += 1;
    const workspace = new SmallWorkspace(path.join(temp.path, `${count}`), `sparse+${server.url}/alt/`, {
      dependencies: { aa: '1' },
    });
    await workspace.ask();
    expect(() => workspace.results()).toThrow('ENOENT');
  });

  it('is not saved by a run that held the package cache lock', async () => {
    const recorder = new InputRecorder();
    const context = { env: {}, report: reportTo({}), signal: new AbortController().signal };
    const cache = new PackageCache(temp.path, context);
    await recordingInputs(recorder, () => cache.hold(async () => {}));
    expect(recorder.rejection).toBe('packages or index files were written or may be written meanwhile');
  });

  it('is not saved by a run that wrote the lock file', async () => {
    const recorder = new InputRecorder();
    const lock = path.join(temp.path, 'Cargo.lock');
    const context = { env: {}, report: reportTo({}), signal: new AbortController().signal };
    await recordingInputs(recorder, () => replaceLockFile(lock, { from: null, to: 'text' }, context));
    expect(recorder.rejection).toBe('the lock file was written');
  });

  it('is not saved by a run that asked for the version of rustc', async () => {
    const recorder = new InputRecorder();
    const env = { CARGO_HOME: temp.path, PATH: '' };
    const config = loadConfig({ cwd: temp.path, env, report: reportTo({}) });
    const rustVersion = new RustVersion(config, null, new AbortController().signal);
    await recordingInputs(recorder, () => rustVersion.ask());
    expect(recorder.rejection).toBe('the release of rustc has a say');
  });

  it('is neither read nor written with TSREG_CACHE=off', async () => {
    const workspace = await cached();
    expect(await workspace.ask('off')).not.toBe(MARK);
    for (const file of workspace.results()) rmSync(file);
    await workspace.ask('off');
    expect(workspace.results()).toEqual([]);
  });

  it('that is wrong fails the run with TSREG_CACHE=verify', async () => {
    const workspace = await cached();
    await expect(workspace.ask('verify')).rejects.toThrow('the cached result differs');
  });
});
