import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnerDocument } from '../../src/index.ts';
import {
  type RegistryUser,
  registryUser,
  type ScriptedRegistry,
  scriptedRegistry,
} from '../helpers/registry-user.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const mock = ['--registry', 'mock'] as const;
const owners = (name: string): string => `/api/v1/crates/${name}/owners`;
const users = (...logins: string[]): string =>
  JSON.stringify({ users: logins.map((login, at) => ({ id: at + 1, login })) });
const done = (msg: string): { body: string } => ({ body: JSON.stringify({ ok: true, msg }) });

describe('owner with a scripted registry', () => {
  let registry: ScriptedRegistry;
  beforeAll(async () => {
    registry = await scriptedRegistry('owner');
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
  });

  it('lists owners as cargo does', async () => {
    const list = [
      { id: 1, login: 'alice', name: 'Alice A' },
      { id: 2, login: 'bob', name: null },
      { id: 3, login: 'github:x:y', email: 'e@x' },
      { id: 4, login: 'd', name: 'D', email: 'd@x' },
      { id: 5, login: 'e', name: '' },
    ];
    registry.answer({ [`GET ${owners('foo')}`]: { body: JSON.stringify({ users: list }) } });
    const { status, stdout, stderr } = await registry.user.run(['owner', 'foo', '--list', ...mock]);
    expect(stdout).toBe('alice (Alice A)\nbob\ngithub:x:y (e@x)\nd (D <d@x>)\ne ()\n');
    expect(stderr).toBe('    Updating `mock` index\n');
    expect(status).toBe(0);
  });

  it('lists owners without any flag, but not in compatibility mode', async () => {
    registry.answer({ [`GET ${owners('foo')}`]: { body: users('alice') } });
    const { status, stdout } = await registry.user.run(['owner', 'foo', ...mock]);
    expect([status, stdout]).toEqual([0, 'alice\n']);
    const json = await registry.user.run(['owner', 'foo', '--json', ...mock]);
    const { crates } = JSON.parse(json.stdout) as OwnerDocument;
    expect(crates[0]?.owners?.map(({ login }) => login)).toEqual(['alice']);
    const asCargo = await registry.user.run(['owner', 'foo', ...mock], { TSREG_COMPAT: 'cargo' });
    expect([asCargo.status, asCargo.stdout]).toEqual([0, '']);
  });

  it('adds, then removes, then lists, each with one request', async () => {
    registry.answer({
      [`PUT ${owners('foo')}`]: done('user bob has been invited'),
      [`DELETE ${owners('foo')}`]: done('ignored'),
      [`GET ${owners('foo')}`]: { body: users('bob') },
    });
    const args = ['owner', 'foo', '-l', '-r', 'x', '-r', 'd"e', '-a', 'bob', '--add', 'c'];
    const { status, stdout, stderr } = await registry.user.run([...args, ...mock]);
    expect(stderr).toBe(
      '    Updating `mock` index\n       Owner user bob has been invited\n' +
        '       Owner removing ["x", "d\\"e"] from crate foo\n',
    );
    expect(stdout).toBe('bob\n');
    expect(status).toBe(0);
    expect(registry.calls()).toEqual([
      `PUT ${owners('foo')} {"users":["bob","c"]}`,
      `DELETE ${owners('foo')} {"users":["x","d\\"e"]}`,
      `GET ${owners('foo')}`,
    ]);
  });

  it('lists after a removal in compatibility mode, too', async () => {
    registry.answer({
      [`DELETE ${owners('foo')}`]: done('ignored'),
      [`GET ${owners('foo')}`]: { body: users('bob') },
    });
    const { stdout } = await registry.user.run(['owner', 'foo', '-r', 'x', '-l', ...mock], {
      TSREG_COMPAT: 'cargo',
    });
    expect(stdout).toBe('bob\n');
    expect(registry.calls()).toEqual([`DELETE ${owners('foo')} {"users":["x"]}`, `GET ${owners('foo')}`]);
  });

  it('prints its own messages if the registry sends none', async () => {
    const silent = { body: '{"ok":true}' };
    registry.answer({ [`PUT ${owners('foo')}`]: silent, [`DELETE ${owners('foo')}`]: silent });
    const { status, stderr } = await registry.user.run(['owner', 'foo', '-a', 'x', '-r', 'y', ...mock]);
    expect(stderr).toContain(
      '       Owner adding ["x"] to crate foo\n       Owner removing ["y"] from crate foo\n',
    );
    expect(status).toBe(0);
  });

  it('removes the control characters of a registry', async () => {
    registry.answer({
      [`PUT ${owners('foo')}`]: done('\u001b]0;title\u0007hi\u001b[31m'),
      [`GET ${owners('foo')}`]: { body: users('a\u001b[2Jb\nc') },
    });
    const { stdout, stderr } = await registry.user.run([
      'owner',
      'foo',
      '-a',
      'x',
      '-l',
      '--color',
      'always',
      ...mock,
    ]);
    expect(stdout).toBe('ab c\n');
    expect(stderr).not.toContain('\u001b]');
    expect(stderr).not.toContain('\u001b[31m');
  });

  it('changes several crates only after confirmation', async () => {
    registry.answer({});
    const { status, stderr } = await registry.user.run(['owner', 'a', 'b', '-a', 'x', '-r', 'y', ...mock]);
    expect(stderr).toContain(
      'note: going to change the owners of 2 crates in registry `mock`:\n' +
        '      a: add ["x"], remove ["y"]\n      b: add ["x"], remove ["y"]\n' +
        'error: cannot ask for confirmation: stdin is not a terminal\n',
    );
    expect(status).toBe(101);
    expect(registry.calls()).toEqual([]);
  });

  it('stops at the first failing crate and lists the unchanged ones', async () => {
    registry.answer({ [`PUT ${owners('a')}`]: done('m'), [`PUT ${owners('b')}`]: { status: 405 } });
    const args = ['owner', 'a', 'b', 'c', '-a', 'x', '--yes', '--json'];
    const { status, stdout, stderr } = await registry.user.run([...args, ...mock]);
    expect(stderr).toContain(
      `error: failed to invite owners to crate \`b\` on registry at ${registry.server.url}\n\n` +
        'note: the following crates are unchanged:\n  c\n\nCaused by:\n' +
        '  failed to get a 200 OK response, got 405\n',
    );
    expect(status).toBe(101);
    const document: OwnerDocument = JSON.parse(stdout);
    expect(document).toEqual({
      version: 1,
      registry: {
        name: 'mock',
        index: `sparse+${registry.server.url}/index/`,
        api: registry.server.url,
      },
      crates: [
        { name: 'a', status: 'done', added: ['x'], message: 'm', removed: [], owners: null, error: null },
        {
          name: 'b',
          status: 'failed',
          added: [],
          message: null,
          removed: [],
          owners: null,
          error:
            `failed to invite owners to crate \`b\` on registry at ${registry.server.url}\n` +
            'failed to get a 200 OK response, got 405',
        },
        { name: 'c', status: 'pending', added: [], message: null, removed: [], owners: null, error: null },
      ],
    });
  });

  it.each([
    ['added', { status: 200, body: 'what?' }, ['-a', 'x'], 'unknown'],
    ['removed', { status: 502 }, ['-r', 'x'], 'unknown'],
    ['removed', { status: 404, body: '{"errors":[{"detail":"no"}]}' }, ['-r', 'x'], 'failed'],
    ['listed', { status: 502 }, ['-l'], 'failed'],
  ])('reports `failed` or `unknown` if owners could not be %s: %j', async (_, answer, args, state) => {
    const method = { '-a': 'PUT', '-r': 'DELETE', '-l': 'GET' }[args[0] ?? ''] ?? '';
    registry.answer({ [`${method} ${owners('a')}`]: answer });
    const { stdout } = await registry.user.run(['owner', 'a', ...args, '--json', ...mock]);
    expect(JSON.parse(stdout)).toMatchObject({ crates: [{ name: 'a', status: state }] });
  });

  it('lists owners of several crates without confirmation', async () => {
    registry.answer({
      [`GET ${owners('a')}`]: { body: users('x', 'y') },
      [`GET ${owners('b')}`]: { body: users('z') },
    });
    const { status, stdout } = await registry.user.run(['owner', 'a', 'b', '-l', ...mock]);
    expect(stdout).toBe('a:\n  x\n  y\nb:\n  z\n');
    expect(status).toBe(0);
    const { stdout: json } = await registry.user.run(['owner', 'b', '-l', '--json', ...mock]);
    expect(JSON.parse(json)).toMatchObject({
      crates: [{ name: 'b', owners: [{ id: 1, login: 'z', name: null, email: null }] }],
    });
  });
});

describe('owner with a registry of `tsreg serve`', () => {
  const temp = makeTempDir('owner-served');
  let registry: ServedRegistry;
  let user: RegistryUser;
  beforeAll(async () => {
    registry = await serveRegistry(temp.path);
    const authorization = await registry.token('alice');
    await registry.token('bob');
    user = registryUser('owner-user', registry.index, authorization);
    for (const name of ['one', 'two']) {
      await registry.publish({ name, version: '1.0.0' }, authorization);
    }
  });
  afterAll(async () => {
    user[Symbol.dispose]();
    await registry[Symbol.asyncDispose]();
    temp.remove();
  });

  it('manages the owners of a whole workspace', async () => {
    const manifest = (name: string): string =>
      `[package]\nname = "${name}"\nversion = "1.1.0"\nedition = "2021"\n`;
    user.write({
      'Cargo.toml': '[workspace]\nmembers = ["one", "two"]\nresolver = "2"\n',
      'one/Cargo.toml': manifest('one'),
      'one/src/lib.rs': '',
      'two/Cargo.toml': manifest('two'),
      'two/src/lib.rs': '',
    });
    const added = await user.run(['owner', '--workspace', '-a', 'bob', '--yes', '-l', ...mock]);
    expect(added.stdout).toBe('one:\n  alice\n  bob\ntwo:\n  alice\n  bob\n');
    expect(added.stderr).toContain('       Owner user bob has been added as an owner of crate two\n');
    const removed = await user.run(['owner', 'one', '-r', 'bob', '-l', ...mock]);
    expect(removed.stdout).toBe('alice\n');
    const last = await user.run(['owner', 'one', '-r', 'alice', ...mock]);
    expect(last.stderr).toContain('(status 409 Conflict): cannot remove all owners of a crate');
    expect(last.status).toBe(101);
  });
});
