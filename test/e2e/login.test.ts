import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogoutDocument } from '../../src/index.ts';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { type RecordingServer, startRecordingServer, type WireAnswer } from '../helpers/recording-server.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const MARKED = 'marked-token-0123456789';

let temp: TempDir;
let server: RecordingServer;
beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  temp = makeTempDir('login');
  answer({});
  writeFileSync(
    path.join(temp.path, 'config.toml'),
    `[registries.mock]\nindex = "sparse+${server.url}/index/"\n[net]\nretry = 0\n`,
  );
});
afterEach(() => temp.remove());

/** Sets the response of the web API. `index` replaces the response of the index. */
function answer(api: WireAnswer, index?: WireAnswer): void {
  server.restart(({ target }) => {
    if (target !== '/index/config.json') return api;
    return index ?? { body: JSON.stringify({ dl: `${server.url}/dl`, api: server.url }) };
  });
}

function tsreg(
  args: readonly string[],
  {
    input = '',
    env = {},
  }: { readonly input?: string | Uint8Array; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<RunResult> {
  return runProgram(tsregProgram(), args, {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME: temp.path, ...env },
    input,
  });
}

const mockConfig = (more: string): string =>
  `[registries.mock]\nindex = "sparse+${server.url}/index/"\n${more}`;

const credentials = (): string => readFileSync(path.join(temp.path, 'credentials.toml'), 'utf8');

// The expected messages and files were compared with those of cargo.
describe('tsreg login', () => {
  it('refuses a token that is not UTF-8', async () => {
    const { status, stderr } = await tsreg(['login', '--registry', 'mock'], {
      input: Buffer.from([0x61, 0xff, 0x0a]),
    });
    expect(status).toBe(101);
    expect(stderr).toContain('please provide a non-empty token');
  });

  it('reads the token from stdin', async () => {
    expect(await tsreg(['login', '--registry', 'mock'], { input: 'cargo login abc \n' })).toEqual({
      status: 0,
      stdout: '',
      stderr: '    Updating `mock` index\n       Login token for `mock` saved\n',
    });
    expect(credentials()).toBe('[registries.mock]\ntoken = "abc"\n');
    expect(statSync(path.join(temp.path, 'credentials.toml')).mode & 0o777).toBe(0o600);
  });

  it('prompts if the first line is empty and reads the next one', async () => {
    const { status, stderr } = await tsreg(['login', '-q', '--registry', 'mock'], { input: '\nabc\n' });
    expect([status, stderr]).toEqual([0, `please paste the token found on ${server.url}/me below\n`]);
    expect(credentials()).toContain('"abc"');
  });

  it('fails without a token', async () => {
    const { status, stderr } = await tsreg(['login', '--registry', 'mock']);
    expect(status).toBe(101);
    expect(stderr).toBe(
      '    Updating `mock` index\n' +
        `please paste the token found on ${server.url}/me below\n` +
        'error: credential provider `cargo:token` failed action `login`\n\n' +
        'Caused by:\n  please provide a non-empty token\n\n' +
        'help: paste the token when tsreg asks for it, or pass it on stdin: `tsreg login < FILE`\n',
    );
  });

  it('warns about a token on the command line', async () => {
    const { stderr } = await tsreg(['login', MARKED, '--registry', 'mock']);
    expect(stderr).toMatch(
      /^warning: `tsreg login <token>` is deprecated in favor of reading `<token>` from stdin\n/,
    );
    expect(credentials()).toContain(MARKED);
  });

  it('reports an invalid `registry.default` before anything else', async () => {
    const { stderr } = await tsreg(['login', MARKED, '--config', 'registry.default=1']);
    expect(stderr).toMatch(/^error: .*`registry\.default`/);
  });

  it('shows the login URL of a registry that requires a token to read', async () => {
    answer({}, { status: 401, headers: [['WWW-Authenticate', 'Basic x, Cargo login_url="https://l/me"']] });
    const { stderr } = await tsreg([
      ...['login', '--registry', 'mock'],
      ...['--config', 'registry.global-credential-providers=["cargo:token"]'],
    ]);
    expect(stderr).toContain('please paste the token found on https://l/me below\n');
  });

  it('passes arguments after `--` to the credential provider', async () => {
    const { stderr } = await tsreg(['login', '-v', '--registry', 'mock', '--', 'x', '--y'], { input: 'abc' });
    expect(stderr).toContain('  Credential cargo:token x --y login mock\n');
  });

  it('generates a key for cargo:paseto, which signs requests', async () => {
    const env = { CARGO_REGISTRIES_MOCK_CREDENTIAL_PROVIDER: 'cargo:paseto' };
    const { status, stderr } = await tsreg(['login', '--registry', 'mock', '--', '--key-subject', 'me'], {
      env,
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/\nk3\.public\.[\w-]{66}\n$/);
    expect(credentials()).toMatch(
      /^\[registries\.mock\]\nsecret-key = "k3\.secret\.[\w-]{64}"\nsecret-key-subject = "me"\n$/,
    );
    answer({ body: '{"ok":true}' });
    expect((await tsreg(['yank', 'a@1.0.0', '--registry', 'mock'], { env })).status).toBe(0);
    const sent = server.requests.at(-1)?.headers.find(([name]) => name.toLowerCase() === 'authorization');
    expect(sent?.[1]).toMatch(/^v3\.public\./);
  });

  it('reports usage errors like cargo in compatibility mode', async () => {
    const { status, stderr } = await tsreg(['login', 'a', 'b'], { env: { TSREG_COMPAT: 'cargo' } });
    expect([status, stderr]).toEqual([
      1,
      "error: unexpected argument 'b' found\n\nUsage: cargo login [OPTIONS] [-- [args]...]\n\nFor more information, try '--help'.\n",
    ]);
  });
});

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('a token typed on a terminal (needs `script` on Linux)', () => {
  /** Types `keys` at the token prompt. Returns the text on the terminal and the exit status in the shell. */
  async function type(keys: string): Promise<{ readonly shown: string; readonly status: string }> {
    const [file, ...first] = tsregProgram().command;
    const command = [file, ...first, 'login', '--registry', 'mock'].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qfec', `${command}; echo "status $?"`, '/dev/null'], {
      cwd: temp.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME: temp.path, SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let shown = '';
    let isAsked = false;
    for await (const text of child.stdout.setEncoding('utf8')) {
      shown += String(text);
      if (isAsked || !shown.includes('below')) continue;
      isAsked = true;
      // The terminal echoes the keys until the program turns the echo off.
      setTimeout(() => child.stdin.write(keys), 300);
    }
    child.stdin.destroy();
    return { shown, status: /status (\d+)/.exec(shown)?.[1] ?? '' };
  }

  it('is stored and not shown', async () => {
    const { shown, status } = await type(`${MARKED}x\x7f\r`);
    expect([status, credentials()]).toEqual(['0', `[registries.mock]\ntoken = "${MARKED}"\n`]);
    expect(shown).toContain(`please paste the token found on ${server.url}/me below\r\n`);
    expect(shown).not.toContain(MARKED);
  });

  it('can be cancelled with Ctrl-C', async () => {
    const { shown, status } = await type('abc\x03');
    expect(status).toBe('130');
    expect(shown).not.toContain('error');
  });
});

describe('tsreg logout', () => {
  it('creates CACHEDIR.TAG without a request, unless the registry is unknown', async () => {
    const mark = path.join(temp.path, 'registry', 'CACHEDIR.TAG');
    await tsreg(['logout', '--registry', 'unknown']);
    expect(existsSync(mark)).toBe(false);
    await tsreg(['logout', '--registry', 'mock']);
    expect(existsSync(mark)).toBe(true);
    expect(server.requests).toEqual([]);
  });

  it('removes a token once and notes that it is not revoked', async () => {
    writeFileSync(
      path.join(temp.path, 'credentials.toml'),
      '[registries.mock]\ntoken = "x"\n[other]\na = 1\n',
    );
    expect(await tsreg(['logout', '--registry', 'mock'])).toMatchObject({
      status: 0,
      stderr:
        '      Logout token for `mock` has been removed from local storage\n' +
        'note: This does not revoke the token on the registry server.\n' +
        '    If you need to revoke the token, visit the `mock` website and follow the instructions there.\n',
    });
    expect(credentials()).toBe('[registries.mock]\n\n[other]\na = 1\n');
    const again = await tsreg(['logout', '--registry', 'mock', '--json']);
    expect(again.stderr).toBe('      Logout not currently logged in to `mock`\n');
    const document: LogoutDocument = {
      version: 1,
      registry: { name: 'mock', index: `sparse+${server.url}/index/` },
      removed: false,
    };
    expect(JSON.parse(again.stdout)).toEqual(document);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['https://github.com/rust-lang/crates.io-index', 'remote registry crates-io'],
    ['https://other.invalid/index', 'non-remote-registry source registry `crates-io`'],
  ])('refuses crates.io if it is replaced by the index %s', async (url, words) => {
    const { status, stderr } = await tsreg(['logout', '--config', `source.crates-io.registry="${url}"`]);
    expect([status, stderr]).toEqual([
      101,
      expect.stringContaining(`crates-io is replaced with ${words};\n`),
    ]);
  });
});

describe.skipIf(onWindows)(
  'a credential provider with another protocol that does not exit (not on Windows: a script)',
  () => {
    it('does not make `logout` wait', async () => {
      const provider = path.join(temp.path, 'provider');
      const script = `process.on('SIGTERM', () => {}); process.stdin.resume(); setTimeout(() => {}, 15_000);`;
      writeFileSync(provider, `#!${process.execPath}\n${script}\nconsole.log('{"v":[2]}');\n`);
      chmodSync(provider, 0o755);
      const startedAt = performance.now();
      const { status, stderr } = await tsreg(['logout', '--registry', 'mock'], {
        env: { CARGO_REGISTRIES_MOCK_CREDENTIAL_PROVIDER: provider },
      });
      expect([status, stderr]).toEqual([
        101,
        expect.stringContaining('supports protocol versions [2], while tsreg supports [1]'),
      ]);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
  },
);

describe('`login --check` and `whoami`', () => {
  let registry: ServedRegistry;
  let token = '';
  const data = makeTempDir('login-registry');
  beforeAll(async () => {
    registry = await serveRegistry(path.join(data.path, 'data'), ['--auth-required']);
    token = await registry.token('alice', '--name', 'laptop');
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
    data.remove();
  });
  beforeEach(() => {
    writeFileSync(
      path.join(temp.path, 'config.toml'),
      `[registries.mine]\nindex = "${registry.index}"\ncredential-provider = "cargo:token"\n`,
    );
  });
  const name = { name: 'mine', index: '' };

  it('show the user of a token', async () => {
    const login = await tsreg(['login', '--registry', 'mine', '--check', '--json'], { input: `${token}\n` });
    expect(login.stderr).toBe(
      '    Updating `mine` index\n     Checked token for `mine` belongs to `alice`\n       Login token for `mine` saved\n',
    );
    const expected = {
      version: 1,
      registry: { ...name, index: registry.index },
      login_url: `${registry.url}/me`,
      user: 'alice',
      check: 'accepted',
      stored: true,
    };
    expect(JSON.parse(login.stdout)).toEqual(expected);
    const asked = await tsreg(['whoami', '--registry', 'mine']);
    expect(asked.stdout).toMatch(/^alice\ntoken: laptop\n/);
    const json = await tsreg(['whoami', '--registry', 'mine', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      version: 1,
      registry: { ...name, index: registry.index, api: registry.url },
      user: { login: 'alice', name: null },
      token: { name: 'laptop', scopes: expect.any(Array), crates: [], expires_at: null },
    });
  });

  it.each(['stdin', 'the command line'])(
    'keep the stored token if the registry refuses the new one from %s',
    async (origin) => {
      await tsreg(['login', '--registry', 'mine'], { input: `${token}\n` });
      const given = origin === 'stdin' ? [] : [MARKED];
      const { status, stdout, stderr } = await tsreg(
        ['login', ...given, '--registry', 'mine', '--check', '--json'],
        { input: `${MARKED}\n` },
      );
      expect(status).toBe(101);
      expect(stderr).toContain(
        'error: the token for `mine` was not stored, as the registry refuses it; a token that was stored before is unchanged\n',
      );
      expect(stderr).not.toContain(MARKED);
      expect(stderr).not.toContain('Login');
      expect(JSON.parse(stdout)).toMatchObject({ user: null, check: 'refused', stored: false });
      expect((await tsreg(['whoami', '--registry', 'mine'])).stdout).toMatch(/^alice\n/);
    },
  );

  it('store no token if the registry does not tell its user', async () => {
    answer({ status: 404 });
    writeFileSync(path.join(temp.path, 'config.toml'), mockConfig(''));
    const args = ['login', '--registry', 'mock', '--check', '--json'];
    const { status, stdout, stderr } = await tsreg(args, { input: `${MARKED}\n` });
    expect(status).toBe(101);
    expect(stderr).toContain(
      'error: the token for `mock` was not stored, as it could not be checked; a token that was stored before is unchanged\n',
    );
    expect(stderr).toContain('help: without `--check`, tsreg stores the token and does not test it\n');
    expect(JSON.parse(stdout)).toMatchObject({ user: null, check: 'unknown', stored: false });
    expect(existsSync(path.join(temp.path, 'credentials.toml'))).toBe(false);
  });

  it.skipIf(onWindows)(
    'check a token before a provider program gets it (not on Windows: a shell script)',
    async () => {
      answer({ status: 403, body: '{"errors":[{"detail":"no"}]}' });
      const provider = path.join(temp.path, 'provider');
      const asked = path.join(temp.path, 'asked');
      writeFileSync(
        provider,
        `#!/bin/sh\ntouch ${asked}\necho '{"v":[1]}'\nread line\necho '{"Ok":{"kind":"login"}}'\n`,
      );
      chmodSync(provider, 0o755);
      writeFileSync(path.join(temp.path, 'config.toml'), mockConfig(`credential-provider = "${provider}"\n`));
      const { status } = await tsreg(['login', '--registry', 'mock', '--check'], { input: `${MARKED}\n` });
      expect([status, existsSync(asked)]).toEqual([101, false]);
    },
  );

  it('accept a response that is not wrapped in `user`', async () => {
    answer({ body: '{"login":"alice","name":"Alice","is_admin":true}' });
    writeFileSync(path.join(temp.path, 'config.toml'), mockConfig(''));
    const login = await tsreg(['login', '--registry', 'mock', '--check'], { input: `${MARKED}\n` });
    expect(login.stderr).toContain('Checked token for `mock` belongs to `alice`\n');
    expect((await tsreg(['whoami', '--registry', 'mock'])).stdout).toBe('alice (Alice)\n');
  });

  it.each([
    [{ status: 404, body: '{"errors":[{"detail":"Not Found"}]}' }],
    [{ status: 405, body: '' }],
    [{ body: '<!doctype html><title>An app for every address</title>' }],
    [{ body: '{"user":{}}' }],
  ])('fail if the registry responds with %j', async (wire) => {
    answer(wire);
    const home = path.join(temp.path, 'config.toml');
    writeFileSync(home, `[registries.mock]\nindex = "sparse+${server.url}/index/"\ntoken = "t"\n`);
    const { status, stderr, stdout } = await tsreg(['whoami', '--registry', 'mock']);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain('error: registry `mock` does not say which user a token belongs to\n');
  });

  it('remove control characters from the name of the user', async () => {
    answer({ body: JSON.stringify({ user: { login: 'a\u001b[31mb', name: 'x\ny' } }) });
    const home = path.join(temp.path, 'config.toml');
    writeFileSync(home, `[registries.mock]\nindex = "sparse+${server.url}/index/"\ntoken = "t"\n`);
    expect((await tsreg(['whoami', '--registry', 'mock'])).stdout).toBe('ab (x y)\n');
  });
});

describe('a token', () => {
  const COMMANDS = [
    ['yank', 'a@1.0.0'],
    ['owner', '--add', 'b', 'a'],
    ['search', 'a'],
    ['info', 'a'],
    ['whoami'],
    ['publish', '--allow-dirty', '--no-verify', '--wait', '1s'],
    ['login', '--check'],
    ['logout'],
  ] as const;
  type Echo = (sent: string) => WireAnswer;
  const echo =
    (status: number): Echo =>
    (sent) => ({ status, headers: [['X-Echo', sent]], body: `you sent ${sent}` });
  const refusal: Echo = (sent) => ({
    status: 403,
    body: JSON.stringify({ errors: [{ detail: `bad ${sent}` }] }),
  });
  const ANSWERS: readonly (readonly [string, Echo, Echo | null])[] = [
    ['a failure that repeats it', echo(500), null],
    ['a refusal that repeats it', refusal, null],
    ['a success that repeats it', echo(200), null],
    ['an index that repeats it', echo(200), echo(401)],
  ];

  it.each(ANSWERS)(
    'is not printed by any command: %s',
    async (_, api, index) => {
      server.restart(({ target, headers }) => {
        const sent = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? 'nothing';
        if (target !== '/index/config.json') return api(sent);
        return index?.(sent) ?? { body: JSON.stringify({ dl: `${server.url}/dl`, api: server.url }) };
      });
      writeFileSync(
        path.join(temp.path, 'Cargo.toml'),
        '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\ndescription = "d"\nlicense = "MIT"\n[lib]\npath = "lib.rs"\n',
      );
      writeFileSync(path.join(temp.path, 'lib.rs'), '');
      const config = path.join(temp.path, 'config.toml');
      writeFileSync(
        config,
        `${readFileSync(config, 'utf8')}[registry]\nglobal-credential-providers = ["cargo:token"]\n`,
      );
      const results = await Promise.all(
        COMMANDS.map((command) =>
          tsreg([...command, '--registry', 'mock', '-v'], {
            input: `${MARKED}\n`,
            env: { CARGO_REGISTRIES_MOCK_TOKEN: MARKED },
          }),
        ),
      );
      for (const [at, { stdout, stderr }] of results.entries()) {
        expect(`${COMMANDS[at]?.join(' ')}: ${stdout}${stderr}`).not.toContain(MARKED);
      }
    },
    60_000,
  );

  it('is not printed if its credentials file is malformed', async () => {
    writeFileSync(path.join(temp.path, 'credentials.toml'), `[registries.mock]\ntoken = "${MARKED}\n`);
    for (const command of [['yank', 'a@1.0.0'], ['login'], ['logout']]) {
      const { stdout, stderr } = await tsreg([...command, '--registry', 'mock', '-v']);
      expect(stdout + stderr).not.toContain(MARKED);
    }
  }, 60_000);

  it('is not printed if its provider fails', async () => {
    const provider = path.join(temp.path, 'provider');
    writeFileSync(
      provider,
      `#!/bin/sh\necho '{"v":[1]}'\nread line\necho '{"Ok":{"kind":"get","token":"${MARKED}"}}'\n`,
    );
    chmodSync(provider, 0o755);
    for (const name of [provider, `cargo:token-from-stdout ${provider}`]) {
      const env = { CARGO_REGISTRIES_MOCK_CREDENTIAL_PROVIDER: name };
      const { status, stderr } = await tsreg(['yank', 'a@1.0.0', '--registry', 'mock', '-v'], { env });
      expect(status).toBe(101);
      expect(stderr).not.toContain(MARKED);
    }
  });

  it.runIf(process.platform === 'linux')(
    'does not appear in the list of processes (only on Linux, which has /proc)',
    async () => {
      let seen = '';
      server.restart(async ({ target }) => {
        if (target === '/index/config.json') return { body: JSON.stringify({ dl: 'x', api: server.url }) };
        const list = await runProgram({ name: 'ps', command: ['ps'], env: {} }, ['-eo', 'args'], {
          cwd: '/',
          env: { PATH: process.env['PATH'] ?? '' },
        });
        seen = list.stdout;
        return { body: '{"ok":true}' };
      });
      expect((await tsreg(['yank', 'a@1.0.0', '--registry', 'mock', '--token', MARKED])).status).toBe(0);
      expect(seen).toContain('tsreg');
      expect(seen).not.toContain(MARKED);
    },
  );
});
