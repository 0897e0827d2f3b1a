import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { SmallWorkspace } from '../../helpers/small-workspace.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const CRATES: readonly CrateDecl[] = [
  { name: 'aa', version: '1.0.0', deps: ['bb 1'] },
  { name: 'bb', version: '1.0.0' },
];

const temp = makeTempDir('changed-inputs');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
beforeEach(() => mount(CRATES));
afterAll(async () => {
  await server.close();
  temp.remove();
});

function small(name: string, home?: string): SmallWorkspace {
  return new SmallWorkspace(path.join(temp.path, name), `sparse+${server.url}/alt/`, {
    ...{ dependencies: { aa: '1' } },
    ...(home === undefined ? {} : { home }),
  });
}

function mount(crates: readonly CrateDecl[]): void {
  server.mount('alt', { crates: crates.map((decl) => buildCrate(decl, () => '')) });
}

/** Creates a workspace whose result is cached; `wanted` is that result. */
async function known(name: string): Promise<{ readonly workspace: SmallWorkspace; readonly wanted: string }> {
  const workspace = small(name);
  await workspace.ask();
  await workspace.ask();
  return { workspace, wanted: await workspace.ask() };
}

describe('a run with a cached result', () => {
  it('notices every edit of a member, even with the same size and mtime', async () => {
    const { workspace } = await known('edits');
    const text = readFileSync(workspace.manifest, 'utf8');
    const moment = statSync(workspace.manifest).mtime;
    for (let edit = 0; edit < 12; edit += 1) {
      const version = `0.${edit % 2}.${edit % 10}`;
      writeFileSync(workspace.manifest, text.replace('version = "0.1.0"', `version = "${version}"`));
      utimesSync(workspace.manifest, moment, moment);
      const cache = edit % 3 === 2 ? 'verify' : 'on';
      expect(await workspace.ask(cache), `edit ${edit}`).toContain(`"name":"p","version":"${version}"`);
    }
  });

  it('notices every edit of the lock file, even with the same mtime', async () => {
    mount([...CRATES, { name: 'aa', version: '1.0.1', deps: ['bb 1'] }]);
    const { workspace } = await known('lock');
    const lock = path.join(workspace.cwd, 'Cargo.lock');
    const text = readFileSync(lock, 'utf8');
    const moment = statSync(lock).mtime;
    const [newer, older] = [
      text,
      text.replace('1.0.1', '1.0.0').replace(/(aa"\n(?:.*\n){2})checksum.*\n/, '$1'),
    ];
    expect(older).not.toBe(text);
    for (let edit = 0; edit < 4; edit += 1) {
      const [content, version] = edit % 2 === 0 ? [older, '1.0.0'] : [newer, '1.0.1'];
      writeFileSync(lock, content);
      utimesSync(lock, moment, moment);
      const answer = await workspace.ask();
      expect(answer, `edit ${edit}`).toContain(`"name":"aa","version":"${version}"`);
      expect(answer).toBe(await workspace.ask('off'));
    }
  });

  it('notices an index file that another run updated', async () => {
    const { workspace, wanted } = await known('index');
    // The index entry of aa changes, but its archive stays the same.
    mount(CRATES.map((decl) => (decl.name === 'aa' ? { ...decl, index: { deps: [] } } : decl)));
    rmSync(path.join(workspace.registryFolder('index'), '.cache'), { recursive: true });
    const other = small('index/other', workspace.home);
    expect(await other.ask()).not.toContain('"name":"bb","version"');
    expect(wanted).toContain('"name":"bb","version"');
    const answer = await workspace.ask();
    expect(answer).not.toContain('"name":"bb","version"');
    expect(answer).toBe(await workspace.ask('off'));
    expect(await workspace.ask()).toBe(answer);
  });

  it('notices a changed line in an index file', async () => {
    const { workspace, wanted } = await known('line');
    const file = path.join(workspace.registryFolder('index'), '.cache', '2', 'aa');
    const cached = readFileSync(file, 'latin1');
    writeFileSync(file, cached.replace(/"deps":\[\{.*?\}\]/, '"deps":[]'), 'latin1');
    const answer = await workspace.ask();
    expect(answer).not.toBe(wanted);
    expect(answer).toBe(await workspace.ask('off'));
  });

  it('notices another spelling of a registry URL', async () => {
    const { workspace, wanted } = await known('spelling');
    const config = path.join(workspace.cwd, '.cargo', 'config.toml');
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace('/alt/"', '/alt"'));
    await expect(workspace.ask()).rejects.toThrow('failed to get `aa`');
    writeFileSync(config, text);
    expect(await workspace.ask()).toBe(wanted);
  });

  it('restores packages and index files that a clean-up of cargo removed', async () => {
    const { workspace, wanted } = await known('cleaned');
    const parts = [
      ['src', 'aa-1.0.0'],
      ['cache', 'aa-1.0.0.crate'],
      ['src', 'bb-1.0.0/.cargo-ok'],
      ['src', 'bb-1.0.0'],
      ['index', '.cache/2/bb'],
      ['index', 'config.json'],
      ['src', ''],
      ['cache', ''],
      ['index', ''],
    ] as const;
    for (const [kind, name] of parts) {
      const removed = path.join(workspace.registryFolder(kind), name);
      expect(statSync(removed), removed).toBeDefined();
      rmSync(removed, { recursive: true });
      expect(await workspace.ask(), removed).toBe(wanted);
      expect(readdirSync(workspace.registryFolder('src')).toSorted(), removed).toEqual([
        'aa-1.0.0',
        'bb-1.0.0',
      ]);
      expect(readdirSync(workspace.registryFolder('cache')).toSorted(), removed).toEqual([
        'aa-1.0.0.crate',
        'bb-1.0.0.crate',
      ]);
      for (const each of ['aa', 'bb']) {
        const file = path.join(workspace.registryFolder('src'), `${each}-1.0.0`, 'Cargo.toml');
        expect(readFileSync(file, 'utf8'), removed).toContain(`name = "${each}"`);
      }
      expect(await workspace.ask(), `${removed}, again`).toBe(wanted);
    }
  });
});
