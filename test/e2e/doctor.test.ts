import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../src/commands/doctor/check.ts';
import {
  isStandalone,
  type RunResult,
  runProgram,
  tsregProgram,
  withoutRootRights,
} from '../helpers/program.ts';
import { type RecordingServer, startRecordingServer } from '../helpers/recording-server.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const MARKED = 'marked-token-0123456789';
const PACKAGE = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n';

let temp: TempDir;
let server: RecordingServer;
let registry: ServedRegistry;
const data = makeTempDir('doctor-registry');
beforeAll(async () => {
  server = await startRecordingServer();
  registry = await serveRegistry(path.join(data.path, 'data'));
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await server.close();
  data.remove();
});
beforeEach(() => {
  temp = makeTempDir('doctor');
  mkdirSync(path.join(temp.path, 'ws'));
  server.restart(({ target }) =>
    target === '/index/config.json'
      ? { body: JSON.stringify({ dl: 'x', api: server.url }) }
      : { status: 403, body: `you sent ${MARKED}` },
  );
});
afterEach(() => temp.remove());

function write(name: string, text: string): void {
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

function environment(): Record<string, string> {
  const home = path.join(temp.path, 'home');
  // Nothing may leave the machine: the index of crates.io is that of the test server.
  const substitute = `sparse+${server.url}/index/`;
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    CARGO_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    __CARGO_TEST_CRATES_IO_URL_DO_NOT_USE_THIS: substitute,
  };
}

function run(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  program = tsregProgram(),
): Promise<RunResult> {
  const cwd = path.join(temp.path, 'ws');
  return runProgram(program, ['doctor', ...args], { cwd, env: { ...environment(), ...env } });
}

/** Returns the checks of `doctor --json` with a name. */
async function checksOf(
  name: Check['name'],
  args: readonly string[] = ['--offline'],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Check[]> {
  const { stdout } = await run([...args, '--json'], env);
  const document: { readonly version: number; readonly checks: readonly Check[] } = JSON.parse(stdout);
  expect(document.version).toBe(1);
  expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  return document.checks.filter((each) => each.name === name);
}

describe('tsreg doctor', () => {
  it('finds nothing wrong in an empty home without network, and writes nothing', async () => {
    const { status, stdout, stderr } = await run(['--offline']);
    expect(stderr).toBe('    Finished no problems\n');
    const runtime = isStandalone ? 'standalone executable' : 'on Node \\S+';
    expect(stdout).toMatch(new RegExp(`^Programs\\n {2}✓ tsreg \\S+, like cargo \\S+, ${runtime}\\n`));
    for (const line of [
      `  ✓ CARGO_HOME ${path.join(temp.path, 'home')}, from the variable: not created yet\n`,
      'Configuration\n  - no configuration files\n',
      '  ✓ no proxy\n',
      '  - crates-io (default): not asked because of `--offline`, no token\n',
      'Workspace\n  - no package or workspace in this folder\n',
    ])
      expect(stdout).toContain(line);
    expect(status).toBe(0);
    expect(existsSync(path.join(temp.path, 'home'))).toBe(false);
    expect(server.requests).toEqual([]);
    expect(await run(['--frozen', '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('asks the registries whether they respond and accept the token', async () => {
    const token = await registry.token('alice');
    write(
      'ws/.cargo/config.toml',
      `registry.default = "mine"\n[registries.mine]\nindex = "${registry.index}"\n`,
    );
    write('home/credentials.toml', `[registries.mine]\ntoken = "${token}"\n`);
    const { status, stdout, stderr } = await run();
    const file = path.join(temp.path, 'home', 'credentials.toml');
    expect(stdout).toMatch(/ {2}✓ crates-io: index responds in \d+ ms, no token\n/);
    expect(stdout.replace(/\d+ ms/, 'N ms')).toContain('  ✓ crates-io: index responds in N ms, no token\n');
    expect(stdout).toMatch(
      / {2}✓ mine \(default\): index responds in \d+ ms, token from .* accepted for alice\n/,
    );
    expect(stdout).toContain(`token from ${file} accepted`);
    expect(stdout).not.toContain(token);
    expect([status, stderr]).toEqual([0, '    Finished no problems\n']);
    // It only asks: nothing is stored.
    expect(existsSync(path.join(temp.path, 'home', 'registry'))).toBe(false);
  });

  it('reports a refused token, and shows it nowhere', async () => {
    write('ws/.cargo/config.toml', `[registries.mine]\nindex = "${registry.index}"\n`);
    const { status, stdout, stderr } = await run([], { CARGO_REGISTRIES_MINE_TOKEN: MARKED });
    expect(stdout).toMatch(
      / {2}✗ mine: index responds in \d+ ms, token from environment variable `CARGO_REGISTRIES_MINE_TOKEN` refused: /,
    );
    expect(stdout).toContain('    help: run `tsreg login --registry mine`\n');
    expect(stdout + stderr).not.toContain(MARKED);
    expect([status, stderr]).toEqual([101, 'error: 1 problem\n']);
  });

  it('does not send the token of crates.io, nor that of a replaced registry', async () => {
    write('home/credentials.toml', `[registry]\ntoken = "${MARKED}"\n`);
    const [plain] = await checksOf('registry', []);
    expect(plain).toMatchObject({
      status: 'ok',
      text: expect.stringMatching(/responds .*credentials\.toml$/),
    });
    write(
      'ws/.cargo/config.toml',
      `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+${server.url}/index/"\n`,
    );
    const env = { __CARGO_TEST_CRATES_IO_URL_DO_NOT_USE_THIS: 'sparse+https://index.invalid/' };
    const [replaced] = await checksOf('registry', [], env);
    expect(replaced).toMatchObject({
      status: 'ok',
      text: expect.stringContaining('replaced by registry `mirror`, '),
    });
    expect(JSON.stringify(server.requests)).not.toContain(MARKED);
    expect(server.requests.map(({ target }) => target)).toEqual(['/index/config.json', '/index/config.json']);
  });

  it('reports each registry that cannot be used, with the reason', async () => {
    const port = new URL(server.url).port;
    server.restart(() => ({ status: 500 }));
    write(
      'ws/.cargo/config.toml',
      [
        `[registries.failing]\nindex = "sparse+${server.url}/index/"`,
        '[registries.invalid]\nindex = "no-url"',
        '[registries.missing]\nindex = "file:///absent/index"',
        `[registries.password]\nindex = "http://u:${MARKED}@127.0.0.1:${port}/"`,
      ].join('\n'),
    );
    const { status, stdout, stderr } = await run(['--color=never']);
    expect(stdout).toMatch(/✗ failing: .*500/);
    expect(stdout).toContain(
      'help: correct the index, or remove the registry: `tsreg registry remove invalid`\n',
    );
    expect(stdout).toMatch(/✗ missing: .*\/absent\/index/);
    expect(stdout).toMatch(/✗ password: .*registry URLs may not contain passwords\n/);
    expect(stdout).not.toContain(MARKED);
    expect([status, stderr]).toEqual([101, 'error: 5 problems\n']);
  });

  it('reports a credential provider that cannot start', async () => {
    write(
      'ws/.cargo/config.toml',
      `[registries.mine]\nindex = "${registry.index}"\ncredential-provider = "no-such-provider"\n`,
    );
    const checks = await checksOf('registry', []);
    expect(checks[1]).toMatchObject({
      status: 'error',
      text: expect.stringContaining('token from the provider `no-such-provider` cannot be used: '),
    });
  });

  it('ends in about ten seconds if a registry does not respond', async () => {
    server.restart(() => ({ delayMs: 60_000 }));
    const startedAt = performance.now();
    const [check] = await checksOf('registry', []);
    expect(check).toMatchObject({ status: 'error', text: 'crates-io: no result within 8 seconds' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('tsreg doctor, about files', () => {
  it('shows every invalid file without its values, and leaves out what needs them', async () => {
    write('ws/.cargo/config.toml', `[registries.a]\ntoken = "${MARKED}\n`);
    write('home/credentials.toml', `token = "${MARKED}\n`);
    const { status, stdout, stderr } = await run(['--offline']);
    expect(stdout).toContain(
      `✗ ${path.join(temp.path, 'ws', '.cargo', 'config.toml')}: TOML parse error at line 2`,
    );
    expect(stdout).toContain(
      `✗ ${path.join(temp.path, 'home', 'credentials.toml')}: TOML parse error at line 1`,
    );
    expect(stdout).toContain('  - not checked, because the configuration cannot be read\n');
    expect(stdout).not.toContain(MARKED);
    expect([status, stderr]).toEqual([101, 'error: 2 problems\n']);
  });

  it.each(['registries = 1\n', 'net = 1\n', '[net]\nretry = "x"\n', '[http]\ntimeout = "x"\n'])(
    'reports a value of the wrong type: %j',
    async (text) => {
      write('ws/.cargo/config.toml', text);
      const { status, stdout } = await run();
      expect(stdout).toMatch(/\n {2}✗ /);
      expect(stdout).toContain('    help: correct the value\nRegistries\n  - not checked, ');
      expect(status).toBe(101);
    },
  );

  it.skipIf(onWindows)(
    'warns if other users can read the tokens (not on Windows, which has no file modes)',
    async () => {
      write('home/credentials.toml', '[registry]\ntoken = "x"\n');
      chmodSync(path.join(temp.path, 'home', 'credentials.toml'), 0o644);
      const [check] = await checksOf('credentials');
      expect(check).toMatchObject({ status: 'warning', help: expect.stringContaining('chmod 600 ') });
    },
  );

  it('names the included file that is invalid or missing', async () => {
    const file = path.join(temp.path, 'ws', '.cargo', 'inc.toml');
    write('ws/.cargo/config.toml', 'include = ["inc.toml"]\n');
    expect(await checksOf('config')).toMatchObject([
      { status: 'error', subject: file, text: expect.stringContaining(`${file}: `) },
    ]);
    write('ws/.cargo/inc.toml', 'x = [');
    expect(await checksOf('config')).toMatchObject([{ status: 'error', subject: file }]);
  });

  it('warns about a default registry that does not exist', async () => {
    write('ws/.cargo/config.toml', 'registry.default = "absent"\n');
    expect((await checksOf('registry')).at(-1)).toEqual({
      name: 'registry',
      subject: 'absent',
      status: 'warning',
      text: '`registry.default` is `absent`, which is not a registry of the configuration',
      help: 'run `tsreg registry add absent URL`, or correct `registry.default`',
    });
  });

  it('says which files of the project are ignored', async () => {
    write('ws/.cargo/config.toml', '[net]\nretry = 1\n');
    const [check] = await checksOf('config', ['--offline'], { TSREG_PROJECT_CONFIG: 'off' });
    expect(check).toMatchObject({ status: 'info', text: expect.stringMatching(/: ignored, because of/) });
  });

  it.skipIf(onWindows)(
    'reports folders that are not writable (not on Windows, which has no file modes)',
    async () => {
      mkdirSync(path.join(temp.path, 'home', 'registry'), { recursive: true });
      chmodSync(path.join(temp.path, 'home', 'registry'), 0o555);
      const { status, stdout } = await run(['--offline'], {}, withoutRootRights(tsregProgram()));
      chmodSync(path.join(temp.path, 'home', 'registry'), 0o755);
      expect(stdout).toContain(`✗ ${path.join(temp.path, 'home', 'registry')} is not writable\n`);
      expect(status).toBe(101);
      write('ws/file', '');
      const [home] = await checksOf('home', ['--offline'], {
        CARGO_HOME: path.join(temp.path, 'ws', 'file'),
      });
      expect(home).toMatchObject({ status: 'error', text: expect.stringMatching(/ is not a folder$/) });
    },
  );

  it('shows the proxy without its login, and certificates that do not exist', async () => {
    const env = { HTTPS_PROXY: `http://bob:${MARKED}@127.0.0.1:9`, SSL_CERT_FILE: '/absent.pem' };
    const [proxy] = await checksOf('proxy', ['--offline'], env);
    expect(proxy).toMatchObject({ status: 'ok', text: 'proxy http://127.0.0.1:9, from `HTTPS_PROXY`' });
    const [certificates] = await checksOf('certificates', ['--offline'], env);
    expect(certificates).toMatchObject({ status: 'warning', help: 'correct `SSL_CERT_FILE`, or unset it' });
    const [ignored] = await checksOf('proxy', ['--offline'], { HTTP_PROXY: 'http://127.0.0.1:9' });
    expect(ignored).toMatchObject({ status: 'warning', text: 'no proxy: `HTTP_PROXY` has no effect' });
    write('ws/.cargo/config.toml', '[http]\ncainfo = "absent.pem"\n');
    expect(await checksOf('certificates')).toMatchObject([{ status: 'error' }]);
  });

  it('refuses a SOCKS proxy, and files without certificates', async () => {
    const env = { ALL_PROXY: 'socks5://127.0.0.1:9', SSL_CERT_FILE: path.join(temp.path, 'text.pem') };
    write('text.pem', 'no certificate');
    expect(await checksOf('proxy', ['--offline'], env)).toMatchObject([
      { status: 'error', text: 'SOCKS proxies are not supported, but `ALL_PROXY` is `socks5://127.0.0.1:9`' },
    ]);
    expect(await checksOf('certificates', ['--offline'], env)).toMatchObject([
      { status: 'error', help: 'correct `SSL_CERT_FILE`, or remove it' },
    ]);
    write('ws/.cargo/config.toml', `[http]\ncainfo = '${env.SSL_CERT_FILE}'\n`);
    expect(await checksOf('certificates', ['--offline'], env)).toMatchObject([
      { status: 'error', help: 'correct `http.cainfo`, or remove it' },
    ]);
  });

  it.skipIf(onWindows)(
    'warns if git or the programs for file locks are missing (not on Windows, where tsreg uses none)',
    async () => {
      mkdirSync(path.join(temp.path, 'bin'));
      symlinkSync(process.execPath, path.join(temp.path, 'bin', 'node'));
      const env = { PATH: path.join(temp.path, 'bin') };
      expect(await checksOf('git', ['--offline'], env)).toMatchObject([{ status: 'warning' }]);
      expect(await checksOf('locks', ['--offline'], env)).toMatchObject([
        { status: 'warning', help: 'install flock (util-linux) or perl' },
      ]);
      expect(await checksOf('cargo', ['--offline'], env)).toMatchObject([{ status: 'info' }]);
    },
  );
});

describe('tsreg doctor, about the workspace', () => {
  beforeEach(() => {
    write('ws/Cargo.toml', PACKAGE);
    write('ws/src/lib.rs', '');
  });
  const lockChecks = (...args: readonly string[]): Promise<readonly Check[]> =>
    checksOf('lockfile', ['--offline', ...args]);

  it('tells whether the lock file is up to date, and does not change it', async () => {
    const lock = path.join(temp.path, 'ws', 'Cargo.lock');
    expect(await lockChecks()).toMatchObject([{ status: 'info', text: 'no Cargo.lock' }]);
    write('ws/Cargo.lock', 'version = 4\n\n[[package]]\nname = "p"\nversion = "0.1.0"\n');
    expect(await lockChecks()).toMatchObject([{ status: 'ok', text: 'Cargo.lock: 1 package, up to date' }]);
    write('ws/Cargo.toml', PACKAGE.replace('0.1.0', '0.2.0'));
    const outdated = {
      text: expect.stringContaining('does not match'),
      help: 'run `tsreg update --workspace`',
    };
    expect(await lockChecks()).toMatchObject([{ status: 'warning', ...outdated }]);
    expect(await lockChecks('--locked')).toMatchObject([{ status: 'error', ...outdated }]);
    write('ws/Cargo.toml', `${PACKAGE}[dependencies]\na = "1"\n`);
    expect(await lockChecks()).toMatchObject([
      { status: 'info', text: expect.stringContaining('not compared') },
    ]);
    write('ws/Cargo.lock', 'version = 99\n');
    expect(await lockChecks()).toMatchObject([{ status: 'error' }]);
    expect(readFileSync(lock, 'utf8')).toBe('version = 99\n');
  });

  it('reports an invalid manifest', async () => {
    write('ws/Cargo.toml', '[package]\nname = "p"\nworkspace = 1\n');
    expect(await checksOf('workspace')).toMatchObject([{ status: 'error', help: 'correct the manifest' }]);
  });

  it('names the file and the line of an error', async () => {
    write('ws/Cargo.toml', '[package]\nname = "a b"\nversion = "0.1.0"\n');
    const place = `${path.join(temp.path, 'ws', 'Cargo.toml')}:2: `;
    expect(await checksOf('workspace')).toMatchObject([{ text: expect.stringContaining(place) }]);
    write('ws/Cargo.toml', PACKAGE);
    write('ws/src/lib.rs', '');
    write('ws/Cargo.lock', 'x = [');
    const lockfile = `failed to parse lock file at: ${path.join(temp.path, 'ws', 'Cargo.lock')}: TOML parse error at`;
    expect(await checksOf('lockfile')).toMatchObject([{ text: expect.stringContaining(lockfile) }]);
  });

  it('uses the folder of `-C` and the manifest of `--manifest-path`', async () => {
    const cwd = path.join(temp.path, 'ws');
    const options = { cwd: temp.path, env: environment() };
    for (const args of [
      ['-C', 'ws', 'doctor', '--offline'],
      ['doctor', '--offline', '--manifest-path', 'ws/Cargo.toml'],
    ])
      expect((await runProgram(tsregProgram(), args, options)).stdout).toContain(`✓ ${cwd}: 1 member\n`);
  });

  it.each([
    [['--manifest-path', 'absent/Cargo.toml'], 'error: manifest path `absent/Cargo.toml` does not exist\n'],
    [['--manifest-path', 'src'], 'error: manifest path `src` is a directory but expected a file\n'],
    [['word'], "error: unexpected argument 'word' found\n"],
    [['--jsn'], "tip: a similar argument exists: '--json'\n"],
  ])('refuses %j', async (args, message) => {
    const { status, stdout, stderr } = await run(['--offline', ...args]);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([101, '']);
  });
});
