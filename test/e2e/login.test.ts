import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LoginDocument, LogoutDocument, WhoamiDocument } from '../../src/index.ts';
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

/** What the registry says at addresses of its web API; its index is there unless `index` says otherwise. */
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

// What cargo says and writes was compared run by run; these are its words.
describe('tsreg login', () => {
  it('takes what is no UTF-8 for no token', async () => {
    const { status, stderr } = await tsreg(['login', '--registry', 'mock'], {
      input: Buffer.from([0x61, 0xff, 0x0a]),
    });
    expect(status).toBe(101);
    expect(stderr).toContain('please provide a non-empty token');
  });

  it('takes the token from stdin', async () => {
    expect(await tsreg(['login', '--registry', 'mock'], { input: 'cargo login abc \n' })).toEqual({
      status: 0,
      stdout: '',
      stderr: '    Updating `mock` index\n       Login token for `mock` saved\n',
    });
    expect(credentials()).toBe('[registries.mock]\ntoken = "abc"\n');
    expect(statSync(path.join(temp.path, 'credentials.toml')).mode & 0o777).toBe(0o600);
  });

  it('asks where the first line is empty, and takes the next one', async () => {
    const { status, stderr } = await tsreg(['login', '-q', '--registry', 'mock'], { input: '\nabc\n' });
    expect([status, stderr]).toEqual([0, `please paste the token found on ${server.url}/me below\n`]);
    expect(credentials()).toContain('"abc"');
  });

  it('fails where there is none', async () => {
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

  it('warns of a token that everybody can see', async () => {
    const { stderr } = await tsreg(['login', MARKED, '--registry', 'mock']);
    expect(stderr).toMatch(
      /^warning: `tsreg login <token>` is deprecated in favor of reading `<token>` from stdin\n/,
    );
    expect(credentials()).toContain(MARKED);
  });

  it('says first what is wrong with the configuration that names the registry', async () => {
    const { stderr } = await tsreg(['login', MARKED, '--config', 'registry.default=1']);
    expect(stderr).toMatch(/^error: .*`registry\.default`/);
  });

  it('shows the address that a registry names which asks who reads', async () => {
    answer({}, { status: 401, headers: [['WWW-Authenticate', 'Basic x, Cargo login_url="https://l/me"']] });
    const { stderr } = await tsreg([
      ...['login', '--registry', 'mock'],
      ...['--config', 'registry.global-credential-providers=["cargo:token"]'],
    ]);
    expect(stderr).toContain('please paste the token found on https://l/me below\n');
  });

  it('hands what stands behind `--` to the provider', async () => {
    const { stderr } = await tsreg(['login', '-v', '--registry', 'mock', '--', 'x', '--y'], { input: 'abc' });
    expect(stderr).toContain('  Credential cargo:token x --y login mock\n');
  });

  it('makes a key, and signs with it', async () => {
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

  it('refuses flags as cargo does', async () => {
    const { status, stderr } = await tsreg(['login', 'a', 'b'], { env: { TSREG_COMPAT: 'cargo' } });
    expect([status, stderr]).toEqual([
      1,
      "error: unexpected argument 'b' found\n\nUsage: cargo login [OPTIONS] [-- [args]...]\n\nFor more information, try '--help'.\n",
    ]);
  });
});

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('a token that is typed on a terminal (needs the program script of Linux)', () => {
  /** Types `keys` when it is asked for a token; what the terminal showed, and the exit status as a shell has it. */
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
      // The terminal shows what is typed until the program has told it not to.
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

  it('may be broken off', async () => {
    const { shown, status } = await type('abc\x03');
    expect(status).toBe('130');
    expect(shown).not.toContain('error');
  });
});

describe('tsreg logout', () => {
  it('marks the folder of registries that it does not ask, unless there is no such registry', async () => {
    const mark = path.join(temp.path, 'registry', 'CACHEDIR.TAG');
    await tsreg(['logout', '--registry', 'unknown']);
    expect(existsSync(mark)).toBe(false);
    await tsreg(['logout', '--registry', 'mock']);
    expect(existsSync(mark)).toBe(true);
    expect(server.requests).toEqual([]);
  });

  it('removes a token once, and says that it is still good', async () => {
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
  ])('refuses crates.io where it is replaced by the index %s', async (url, words) => {
    const { status, stderr } = await tsreg(['logout', '--config', `source.crates-io.registry="${url}"`]);
    expect([status, stderr]).toEqual([
      101,
      expect.stringContaining(`crates-io is replaced with ${words};\n`),
    ]);
  });
});

describe.skipIf(onWindows)(
  'a provider that speaks another protocol and does not end (not on Windows: a script)',
  () => {
    it('keeps nobody waiting', async () => {
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

describe('whose a token is', () => {
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

  it('is told by `login --check` and `whoami`', async () => {
    const login = await tsreg(['login', '--registry', 'mine', '--check', '--json'], { input: `${token}\n` });
    expect(login.stderr).toBe(
      '    Updating `mine` index\n     Checked token for `mine` belongs to `alice`\n       Login token for `mine` saved\n',
    );
    const expected: LoginDocument = {
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
    const document: WhoamiDocument = JSON.parse(json.stdout);
    expect(document).toEqual({
      version: 1,
      registry: { ...name, index: registry.index, api: registry.url },
      user: { login: 'alice', name: null },
      token: { name: 'laptop', scopes: expect.any(Array), crates: [], expires_at: null },
    });
  });

  it.each(['stdin', 'the command line'])(
    'keeps the stored token where `login --check` finds the new one from %s refused',
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

  it('stores no token with `login --check` where the registry does not tell whose it is', async () => {
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
    'checks a token before a provider that is a program gets it (not on Windows: the program is a shell script)',
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

  it('is told by a registry that answers without a wrapper', async () => {
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
  ])('is not told by a registry that answers %j', async (wire) => {
    answer(wire);
    const home = path.join(temp.path, 'config.toml');
    writeFileSync(home, `[registries.mock]\nindex = "sparse+${server.url}/index/"\ntoken = "t"\n`);
    const { status, stderr, stdout } = await tsreg(['whoami', '--registry', 'mock']);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain('error: registry `mock` does not say which user a token belongs to\n');
  });

  it('is shown without what steers a terminal', async () => {
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
    'is not shown by any command: %s',
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

  it('is not shown where the file that has it cannot be read', async () => {
    writeFileSync(path.join(temp.path, 'credentials.toml'), `[registries.mock]\ntoken = "${MARKED}\n`);
    for (const command of [['yank', 'a@1.0.0'], ['login'], ['logout']]) {
      const { stdout, stderr } = await tsreg([...command, '--registry', 'mock', '-v']);
      expect(stdout + stderr).not.toContain(MARKED);
    }
  }, 60_000);

  it('is not shown where its provider fails', async () => {
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

  it.runIf(process.platform === 'linux')('leaves the list of processes', async () => {
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
  });
});
