import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { YankDocument } from '../../src/index.ts';
import { tsregProgram } from '../helpers/program.ts';
import {
  type RegistryUser,
  registryUser,
  type ScriptedRegistry,
  scriptedRegistry,
} from '../helpers/registry-user.ts';
import { headerOf } from '../helpers/recording-server.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const mock = ['--registry', 'mock'] as const;
const ok = { body: '{"ok":true}' };
const yankPath = (version: string, name = 'foo'): string => `/api/v1/crates/${name}/${version}/yank`;

describe('yank with a scripted registry', () => {
  let registry: ScriptedRegistry;
  let host: string;
  beforeAll(async () => {
    registry = await scriptedRegistry('yank');
    host = registry.server.url;
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
  });

  it('yanks a version as cargo does', async () => {
    registry.answer({ [`DELETE ${yankPath('1.0.0')}`]: ok });
    const { status, stdout, stderr } = await registry.user.run(['yank', 'foo@1.0.0', ...mock]);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: '',
      stderr: '    Updating `mock` index\n        Yank foo@1.0.0\n',
    });
    expect(registry.calls()).toEqual([`DELETE ${yankPath('1.0.0')}`]);
    expect(headerOf(registry.server.requests.at(-1) ?? { headers: [] }, 'user-agent')).toMatch(/^tsreg\/\d/);
  });

  it('unyanks a version with --undo', async () => {
    registry.answer({ 'PUT /api/v1/crates/foo/1.0.0/unyank': ok });
    const { status, stderr } = await registry.user.run([
      ...['yank', 'foo', '--vers', '1.0.0', '--undo'],
      ...mock,
    ]);
    expect(stderr).toBe('    Updating `mock` index\n      Unyank foo@1.0.0\n');
    expect(status).toBe(0);
  });

  it.skipIf(onWindows)(
    'reports the state of each version when it is interrupted (not on Windows: no signals)',
    async () => {
      registry.answer({
        [`DELETE ${yankPath('1.0.0')}`]: ok,
        [`DELETE ${yankPath('2.0.0')}`]: { ...ok, delayMs: 60_000 },
      });
      const [file, ...first] = tsregProgram().command;
      const args = ['yank', 'foo@1.0.0', 'foo@2.0.0', 'foo@3.0.0', '--yes', '--json', ...mock];
      const { folder, env } = registry.user;
      const child = spawn(file, [...first, ...args], { cwd: folder, env: { ...env } });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const closed = once(child, 'close');
      await expect.poll(() => registry.calls().length, { timeout: 10_000 }).toBe(2);
      child.kill('SIGINT');
      expect(await closed).toEqual([null, 'SIGINT']);
      expect(stderr).toContain(
        'note: sent, but the outcome is unknown: foo@2.0.0\n      not yanked: foo@3.0.0\n',
      );
      const document: YankDocument = JSON.parse(stdout);
      expect(document.versions.map(({ status }) => status)).toEqual(['done', 'unknown', 'pending']);
    },
  );

  it.skipIf(onWindows)(
    'reports no sent version when it is interrupted before the first request (not on Windows: no signals)',
    async () => {
      registry.answer({});
      const provider = '["cargo:token-from-stdout", "sh", "-c", "echo asked >&2; exec sleep 60"]';
      const [file, ...first] = tsregProgram().command;
      const args = ['yank', 'foo@1.0.0', 'foo@2.0.0', '--yes', ...mock];
      const config = ['--config', `registries.mock.credential-provider=${provider}`];
      const { folder, env } = registry.user;
      const child = spawn(file, [...first, ...args, ...config], { cwd: folder, env: { ...env } });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const closed = once(child, 'close');
      await expect.poll(() => stderr, { timeout: 10_000 }).toContain('asked\n');
      child.kill('SIGINT');
      expect(await closed).toEqual([null, 'SIGINT']);
      expect(stderr).toContain('note: not yanked: foo@1.0.0, foo@2.0.0\n');
      expect(stderr).not.toContain('sent');
      expect(registry.calls()).toEqual([]);
    },
  );

  it('waits for a busy index with --max-wait', async () => {
    const line = { name: 'foo', vers: '1.0.0', deps: [], features: {}, cksum: '0'.repeat(64), yanked: false };
    const busy = { status: 429, headers: [['Retry-After', '1']] } as const;
    const answers = {
      'GET /index/3/f/foo': [busy, busy, { body: `${JSON.stringify(line)}\n` }],
      'DELETE /api/v1/crates/foo/1.0.0/yank': { body: '{"ok":true}' },
    };
    const args = ['yank', 'foo@*', '--yes', '--config', 'net.retry=0', ...mock];
    registry.answer(answers);
    expect((await registry.user.run(args)).status).toBe(101);
    registry.answer(answers);
    const { status, stderr } = await registry.user.run([...args, '--max-wait', '5s']);
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/(Waiting 1 second .*\n[^]*){2}Yank foo@1\.0\.0/),
    ]);
  });

  it('prints an error as a GitHub Actions annotation', async () => {
    registry.answer({});
    const args = ['yank', 'foo@1.0.0', ...mock];
    const { stderr } = await registry.user.run(args, { GITHUB_ACTIONS: 'true' });
    expect(stderr).toMatch(/^::error title=yank::failed to yank from .*%0A.*not found$/m);
    const compat = await registry.user.run(args, { GITHUB_ACTIONS: 'true', TSREG_COMPAT: 'cargo' });
    expect([compat.status, compat.stderr.includes('::error')]).toEqual([101, false]);
  });

  it('uses the name of the package in the current folder', async () => {
    registry.user.write({
      'p/Cargo.toml': '[package]\nname = "foo"\nversion = "9.0.0"\n',
      'p/src/lib.rs': '',
    });
    registry.answer({ [`DELETE ${yankPath('1.0.0')}`]: ok });
    const args = ['yank', '--version', '1.0.0', ...mock];
    const { stderr } = await registry.user.run(args);
    expect(stderr).toMatch(/^error: could not find `Cargo\.toml` in /);
    const { status } = await registry.user.run(['-C', 'p', '-Zunstable-options', ...args], {
      __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly',
    });
    expect(status).toBe(0);
    expect(registry.calls()).toEqual([`DELETE ${yankPath('1.0.0')}`]);
  });

  it('prints the error message of the registry', async () => {
    registry.answer({
      [`DELETE ${yankPath('1.0.0')}`]: { status: 403, body: '{"errors":[{"detail":"not an owner"}]}' },
    });
    const { status, stderr } = await registry.user.run(['yank', 'foo@1.0.0', ...mock]);
    expect(stderr).toBe(
      '    Updating `mock` index\n        Yank foo@1.0.0\n' +
        `error: failed to yank from the registry at ${host}\n\nCaused by:\n` +
        '  the remote server responded with an error (status 403 Forbidden): not an owner\n\n' +
        'help: the refused token came from environment variable `CARGO_REGISTRIES_MOCK_TOKEN`\n',
    );
    expect(status).toBe(101);
  });

  it('names the origin of a refused token', async () => {
    const told = async (
      env: Readonly<Record<string, string>>,
      ...more: readonly string[]
    ): Promise<string> => {
      registry.answer({ [`DELETE ${yankPath('1.0.0')}`]: { status: 403, body: '' } });
      const { stderr } = await registry.user.run(['yank', 'foo@1.0.0', ...more, ...mock], env);
      return /^help: .*/m.exec(stderr)?.[0] ?? '';
    };
    const variable = { CARGO_REGISTRIES_MOCK_TOKEN: 'x' };
    expect(await told(variable)).toBe(
      'help: the refused token came from environment variable `CARGO_REGISTRIES_MOCK_TOKEN`',
    );
    expect(await told(variable, '--token', 'y')).toBe('help: the refused token came from `--token`');
    expect(await told({ ...variable, TSREG_COMPAT: 'cargo' })).toBe('');
  });

  it.each(['', 'x\n'])('names the origin of the invalid token %j', async (token) => {
    const env = { CARGO_REGISTRIES_MOCK_TOKEN: token };
    const { status, stderr } = await registry.user.run(['yank', 'foo@1.0.0', ...mock], env);
    expect(stderr).toMatch(/please provide a non-empty token|token contains invalid characters/);
    expect(stderr).toContain(
      '\nhelp: the token came from environment variable `CARGO_REGISTRIES_MOCK_TOKEN`\n',
    );
    expect(status).toBe(101);
  });

  it.each([
    [
      ['yank'],
      'error: `--version` is required\n\nhelp: put the version after the name: `tsreg yank CRATE@VERSION`',
    ],
    [
      ['yank', 'foo', '1.0.0'],
      'error: `--version` is required\n\nhelp: put the version after the name: `tsreg yank foo@1.0.0`',
    ],
    [
      ['yank', 'foo@1.0.0', 'bar'],
      'error: `--version` is required\n\nhelp: put the version after the name: `tsreg yank bar@VERSION`\n',
    ],
    [['yank', 'foo@1.0.0', '--version', '1.0.0'], 'error: cannot specify both `@1.0.0` and `--version`\n'],
    [['yank', '--workspace', 'foo@1.0.0'], 'error: crates cannot be named together with `--workspace`\n'],
    [['yank', 'foo@1.0.0', '--max-wait', 'soon'], 'error: `--max-wait` takes a length of time such as `90s`'],
  ])('refuses %j before it sends anything', async (args, message) => {
    registry.answer({});
    const { status, stderr } = await registry.user.run([...args, ...mock]);
    expect(stderr.startsWith(message), stderr).toBe(true);
    expect(status).toBe(101);
    expect(registry.server.requests).toEqual([]);
  });

  it('waits for a busy registry only with --max-wait', async () => {
    const busy = {
      status: 429,
      headers: [['Retry-After', '1']] as const,
      body: '{"errors":[{"detail":"slow"}]}',
    };
    registry.answer({ [`DELETE ${yankPath('1.0.0')}`]: [busy, ok] });
    const { status, stderr } = await registry.user.run(['yank', 'foo@1.0.0', '--max-wait', '5s', ...mock]);
    expect(stderr).toMatch(/\n {5}Waiting 1 second for the registry, until \S+Z \(status 429\): slow\n$/);
    expect(status).toBe(0);
    expect(registry.calls()).toHaveLength(2);

    registry.answer({ [`DELETE ${yankPath('1.0.0')}`]: busy });
    expect((await registry.user.run(['yank', 'foo@1.0.0', ...mock])).status).toBe(101);
    expect(registry.calls()).toHaveLength(1);
  });

  it('shows its plan and does nothing without confirmation', async () => {
    registry.answer({});
    const { status, stderr } = await registry.user.run(['yank', 'foo@1.0.0', 'bar@2.0.0', ...mock]);
    expect(stderr).toBe(
      '    Updating `mock` index\n' +
        'note: going to yank 2 versions in registry `mock`:\n      foo@1.0.0\n      bar@2.0.0\n' +
        'error: cannot ask for confirmation: stdin is not a terminal\n\n' +
        'help: pass `--yes` to skip the confirmation\n',
    );
    expect(status).toBe(101);
    expect(registry.calls()).toEqual([]);
  });

  it('stops at the first failing version and lists the remaining ones', async () => {
    registry.answer({
      [`DELETE ${yankPath('1.0.0', 'a')}`]: ok,
      [`DELETE ${yankPath('1.0.0', 'b')}`]: { status: 500 },
    });
    const { status, stdout, stderr } = await registry.user.run([
      ...['yank', 'a', 'b', 'c', '--version', '1.0.0', '--yes', '--json'],
      ...mock,
    ]);
    expect(status).toBe(101);
    expect(stderr).toContain(
      `error: failed to yank from the registry at ${host}\n\n` +
        'note: the following versions have not been yanked yet:\n  c@1.0.0\n\nCaused by:\n',
    );
    const document: YankDocument = JSON.parse(stdout);
    expect(document).toEqual({
      version: 1,
      registry: { name: 'mock', index: `sparse+${host}/index/`, api: host },
      action: 'yank',
      versions: [
        { name: 'a', version: '1.0.0', status: 'done', error: null },
        {
          name: 'b',
          version: '1.0.0',
          status: 'unknown',
          error: `failed to yank from the registry at ${host}\nfailed to get a 200 OK response, got 500`,
        },
        { name: 'c', version: '1.0.0', status: 'pending', error: null },
      ],
    });
    expect(registry.calls()).toHaveLength(2);
  });

  it('refuses lists and ranges in compatibility mode', async () => {
    registry.answer({});
    const compat = { TSREG_COMPAT: 'cargo' };
    const several = await registry.user.run(['yank', 'a@1.0.0', 'b@1.0.0', ...mock], compat);
    expect([several.status, several.stderr]).toEqual([
      1,
      "error: unexpected argument 'b@1.0.0' found\n\nUsage: cargo yank [OPTIONS] [CRATE]\n\nFor more information, try '--help'.\n",
    ]);
    const range = await registry.user.run(['yank', 'a@^1', ...mock], compat);
    expect(range.stderr).toMatch(/^error: invalid version `\^1`\n/);
    expect(registry.server.requests).toEqual([]);
  });
});

describe('yank with a registry of `tsreg serve`', () => {
  const temp = makeTempDir('yank-served');
  let registry: ServedRegistry;
  let user: RegistryUser;
  let token = '';
  beforeAll(async () => {
    registry = await serveRegistry(temp.path);
    token = await registry.token('alice');
    user = registryUser('yank-user', registry.index, token);
    for (const name of ['one', 'two']) {
      for (const version of ['0.9.0', '1.0.0', '1.1.0', '1.2.0-rc.1', '2.0.0']) {
        await registry.publish({ name, version }, token);
      }
    }
  });
  afterAll(async () => {
    user[Symbol.dispose]();
    await registry[Symbol.asyncDispose]();
    temp.remove();
  });
  beforeEach(async () => {
    await user.run(['yank', 'one@*', 'two@*', '--undo', '--yes', ...mock]);
  });

  /** Returns the yanked versions of a crate in the index. */
  async function yanked(name: string): Promise<readonly string[]> {
    const text = await (await fetch(`${registry.url}/index/3/${name[0]}/${name}`)).text();
    return text
      .trim()
      .split('\n')
      .map((line): { vers: string; yanked: boolean } => JSON.parse(line))
      .flatMap(({ vers, yanked: isYanked }) => (isYanked ? [vers] : []));
  }

  it('yanks all versions of a range that are not yanked yet, oldest first', async () => {
    await user.run(['yank', 'one@1.0.0', ...mock]);
    const { status, stderr } = await user.run(['yank', 'one@<2', '--yes', ...mock]);
    expect(stderr).toBe(
      '    Updating `mock` index\nnote: going to yank 2 versions in registry `mock`:\n' +
        '      one@0.9.0\n      one@1.1.0\n        Yank one@0.9.0\n        Yank one@1.1.0\n',
    );
    expect(status).toBe(0);
    expect(await yanked('one')).toEqual(['0.9.0', '1.0.0', '1.1.0']);
    const again = await user.run(['yank', 'one@<2', ...mock]);
    expect(again.stderr).toContain('note: nothing to yank: all named versions are already yanked\n');
    expect(again.status).toBe(0);
  });

  it('unyanks a range with --undo', async () => {
    await user.run(['yank', 'one@*', '--yes', ...mock]);
    const { status, stdout } = await user.run(['yank', 'one@^1', '--undo', '--yes', '--json', ...mock]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      action: 'unyank',
      versions: [
        { name: 'one', version: '1.0.0', status: 'done' },
        { name: 'one', version: '1.1.0', status: 'done' },
      ],
    });
    expect(await yanked('one')).toEqual(['0.9.0', '2.0.0']);
  });

  it('fails if no version matches a range', async () => {
    const { status, stderr } = await user.run(['yank', 'one@^7', '--yes', ...mock]);
    expect(stderr).toContain('error: no version of crate `one` matches `^7`\n');
    expect(status).toBe(101);
    expect((await user.run(['yank', 'nope@^7', '--yes', ...mock])).stderr).toContain(
      'error: no version of crate `nope` matches `^7`\n',
    );
  });

  it('yanks the packages of a workspace in the versions of their manifests', async () => {
    const manifest = (name: string, more = ''): string =>
      `[package]\nname = "${name}"\nversion = "1.1.0"\nedition = "2021"\n${more}`;
    user.write({
      'Cargo.toml': '[workspace]\nmembers = ["one", "two", "tool"]\nresolver = "2"\n',
      'one/Cargo.toml': manifest('one'),
      'one/src/lib.rs': '',
      'two/Cargo.toml': manifest('two'),
      'two/src/lib.rs': '',
      'tool/Cargo.toml': manifest('tool', 'publish = false\n'),
      'tool/src/lib.rs': '',
    });
    const unnamed = await user.run(['yank', '--version', '1.1.0', ...mock]);
    expect(unnamed.stderr).toContain('\nhelp: name the crate, or pass `--workspace` for all members\n');
    const { status, stderr } = await user.run(['yank', '--workspace', '--yes', ...mock]);
    expect(stderr).toContain(
      'note: going to yank 2 versions in registry `mock`:\n      one@1.1.0\n      two@1.1.0\n',
    );
    expect(status).toBe(0);
    expect([await yanked('one'), await yanked('two')]).toEqual([['1.1.0'], ['1.1.0']]);
  });

  it('stores the reason, which the page of the version shows', async () => {
    expect((await user.run(['yank', 'two@2.0.0', '--reason', 'loses data & hope', ...mock])).status).toBe(0);
    const page = await (await fetch(`${registry.url}/crates/two/2.0.0`)).text();
    expect(page).toContain('loses data &amp; hope');
  });

  it('does not print the token with -v', async () => {
    const { stdout, stderr } = await user.run(['yank', '-v', 'nope@1.0.0', ...mock]);
    expect(stdout + stderr).not.toContain(token);
    expect(stderr).toContain('crate `nope` does not exist');
  });
});
