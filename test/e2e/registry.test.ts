import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { type RecordingServer, startRecordingServer } from '../helpers/recording-server.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const MARKED = 'marked-token-0123456789';
const BEFORE =
  '# ours\n[registries.other] # kept\nindex = "sparse+https://other.invalid/"\n\n# end\n[net]\nretry = 0\n';

let temp: TempDir;
let server: RecordingServer;
let url: string;
beforeAll(async () => {
  server = await startRecordingServer();
  url = `sparse+${server.url}/index/`;
});
afterAll(() => server.close());
beforeEach(() => {
  temp = makeTempDir('registry');
  server.restart(({ target }) =>
    target === '/index/config.json'
      ? { body: JSON.stringify({ dl: 'x', api: server.url }) }
      : { status: 404 },
  );
  write('ws/Cargo.toml', '[workspace]\nmembers = ["member"]\nresolver = "2"\n');
  // The manifest names a registry that is not configured yet.
  write(
    'ws/member/Cargo.toml',
    '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\na = { version = "1", registry = "mine" }\n',
  );
  write('ws/member/src/lib.rs', '');
  write('ws/.cargo/config.toml', BEFORE);
});
afterEach(() => temp.remove());

function write(name: string, text: string): void {
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const read = (name: string): string => readFileSync(path.join(temp.path, name), 'utf8');
const local = (): string => read('ws/.cargo/config.toml');

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const home = path.join(temp.path, 'home');
  return runProgram(tsregProgram(), args, {
    cwd: path.join(temp.path, 'ws', 'member'),
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME: home, ...env },
  });
}

const registry = (...args: readonly string[]): Promise<RunResult> => run(['registry', ...args]);

describe('tsreg registry list', () => {
  it('prints only crates.io if nothing is configured, and writes nothing', async () => {
    write('ws/.cargo/config.toml', '');
    const expected = 'crates-io (default)\n  index: sparse+https://index.crates.io/\n  token: none\n';
    expect(await registry()).toEqual({ status: 0, stdout: expected, stderr: '' });
    expect(await registry('list', '-q', '--color=never')).toMatchObject({ status: 0, stdout: expected });
    expect(existsSync(path.join(temp.path, 'home'))).toBe(false);
  });

  it('shows the origin of each index and token, and no token', async () => {
    write('home/config.toml', `registry.default = "mine"\n[registries.mine]\nindex = "${url}"\n`);
    write('home/credentials.toml', `[registries.mine]\ntoken = "${MARKED}"\n`);
    const env = {
      CARGO_REGISTRIES_FROM_ENV_INDEX: 'https://env.invalid/index',
      CARGO_REGISTRIES_FROM_ENV_CREDENTIAL_PROVIDER: 'a-provider',
    };
    const { status, stdout, stderr } = await run(['registry', 'list', '--json'], env);
    const origin = { file: null, variable: null, provider: null };
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      registries: [
        {
          name: 'crates-io',
          index: 'sparse+https://index.crates.io/',
          default: false,
          origin: null,
          token: null,
          error: null,
        },
        {
          name: 'from-env',
          index: 'https://env.invalid/index',
          default: false,
          origin: { ...origin, variable: 'CARGO_REGISTRIES_FROM_ENV_INDEX' },
          token: { ...origin, provider: 'a-provider' },
          error: null,
        },
        {
          name: 'mine',
          index: url,
          default: true,
          origin: { ...origin, file: path.join(temp.path, 'home', 'config.toml') },
          token: { ...origin, file: path.join(temp.path, 'home', 'credentials.toml') },
          error: null,
        },
        {
          name: 'other',
          index: 'sparse+https://other.invalid/',
          default: false,
          origin: { ...origin, file: path.join(temp.path, 'ws', '.cargo', 'config.toml') },
          token: null,
          error: null,
        },
      ],
    });
    expect([status, stderr]).toEqual([0, '']);
    const text = await run(['registry'], env);
    expect(text.stdout).toContain('\n  token: provider a-provider\n');
    expect(text.stdout + stdout).not.toContain(MARKED);
    expect(server.requests).toEqual([]);
  });

  it('lists a registry that cannot be used, with the reason', async () => {
    write('ws/.cargo/config.toml', '[registries.bad]\nindex = "no-url"\n[registries.empty]\ntoken = "x"\n');
    const { status, stdout } = await registry();
    expect(stdout).toMatch(/\nbad\n {2}error: invalid index URL .*: relative URL without a base\n/);
    expect(stdout).toContain(
      '\nempty\n  error: registry index was not found in any configuration: `empty`\n',
    );
    expect(status).toBe(0);
  });

  it('warns about a default registry that does not exist', async () => {
    const { stderr } = await run(['registry'], { CARGO_REGISTRY_DEFAULT: 'absent' });
    expect(stderr).toBe(
      'warning: `registry.default` is `absent`, which is not a registry of the configuration\nhelp: run `tsreg registry add absent URL`\n',
    );
  });

  it('does not exist in compatibility mode', async () => {
    const { stderr, status } = await run(['registry'], { TSREG_COMPAT: 'cargo' });
    expect([status, stderr]).toEqual([101, expect.stringContaining('no such command: `registry`')]);
  });
});

describe('tsreg registry add', () => {
  it('adds a registry to the root of the workspace, and keeps the rest of the file', async () => {
    expect(await registry('add', 'mine', url)).toEqual({
      status: 0,
      stdout: '',
      stderr:
        '    Updating `mine` index\n' +
        `       Added registry \`mine\` in \`${path.join(temp.path, 'ws', '.cargo', 'config.toml')}\`\n` +
        'note: to log in, run `tsreg login --registry mine`\n',
    });
    expect(local()).toBe(`${BEFORE}\n[registries.mine]\nindex = "${url}"\n`);
    expect(readdirSync(path.join(temp.path, 'ws', '.cargo'))).toEqual(['config.toml']);
    // Other commands use it.
    expect((await run(['metadata', '--no-deps', '--format-version', '1'])).status).toBe(0);
  });

  it('changes nothing if the registry is there already', async () => {
    await registry('add', 'mine', url);
    const before = statSync(path.join(temp.path, 'ws', '.cargo', 'config.toml')).mtimeMs;
    const { status, stderr } = await registry('add', 'mine', url, '--no-check');
    expect([status, stderr]).toEqual([0, expect.stringContaining('   Unchanged registry `mine` in')]);
    expect(statSync(path.join(temp.path, 'ws', '.cargo', 'config.toml')).mtimeMs).toBe(before);
  });

  it('creates the file in CARGO_HOME with --global, and sets the default with --default', async () => {
    const { status, stderr } = await registry('add', 'mine', url, '--global', '--default', '--offline');
    expect([status, stderr]).toEqual([0, expect.stringContaining('Added default registry `mine`')]);
    expect(read('home/config.toml')).toBe(
      `[registries.mine]\nindex = "${url}"\n\n[registry]\ndefault = "mine"\n`,
    );
    expect(local()).toBe(BEFORE);
    expect(server.requests).toEqual([]);
  });

  it('does not suggest to log in if there is a token', async () => {
    write('home/credentials.toml', `[registries.mine]\ntoken = "${MARKED}"\n`);
    const { stderr } = await registry('add', 'mine', url, '-q');
    expect(stderr).toBe('');
    expect((await registry('add', 'mine', url)).stderr).not.toContain('to log in');
  });

  it('accepts a registry that requires a token for reading', async () => {
    server.restart(() => ({ status: 401 }));
    const { status, stderr } = await registry('add', 'mine', url);
    expect(stderr).toContain(
      'note: the registry requires a token, also for reading\nhelp: set `registry.global-',
    );
    expect(status).toBe(0);
  });

  it('replaces another index only with --force', async () => {
    await registry('add', 'mine', url);
    const other = 'sparse+https://new.invalid/';
    const refused = await registry('add', 'mine', other, '--no-check');
    const file = path.join(temp.path, 'ws', '.cargo', 'config.toml');
    expect(refused).toEqual({
      status: 101,
      stdout: '',
      stderr:
        `error: registry \`mine\` already has the index \`${url}\` in ${file}\n\n` +
        `help: choose another name, or pass \`--force\` to set the new index in \`${file}\`\n`,
    });
    expect((await registry('add', 'mine', other, '--no-check', '--force')).status).toBe(0);
    expect(local()).toBe(`${BEFORE}\n[registries.mine]\nindex = "${other}"\n`);
    const winner = await registry('add', 'mine', url, '--force', '--global');
    expect(winner.stderr).toContain(
      `warning: in this folder, \`registries.mine.index\` is \`${other}\`: ${file} wins\n`,
    );
  });

  it('refuses an index that has another name', async () => {
    write('home/config.toml', `[registries.mine]\nindex = "${url}"\n`);
    const { status, stderr } = await registry('add', 'second', url, '--force');
    expect(stderr).toBe(
      `error: registry \`mine\` already has this index, in ${path.join(temp.path, 'home', 'config.toml')}\n\n` +
        'help: use `--registry mine`, or remove `mine` first\n',
    );
    expect([status, local()]).toEqual([101, BEFORE]);
  });

  it('refuses --json before its name', async () => {
    const { status, stdout, stderr } = await registry('--json', 'add', 'mine', url);
    expect(stderr).toContain("error: unexpected argument '--json' found\n\nUsage: tsreg registry add ");
    expect([status, stdout, local()]).toEqual([101, '', BEFORE]);
    expect((await registry('--json', 'list')).stdout).toMatch(/^\{"version":1,/);
  });

  it('refuses a name that a variable defines, also with --force', async () => {
    const args = ['registry', 'add', 'mine', url, '--force'];
    const { status, stderr } = await run(args, {
      CARGO_REGISTRIES_MINE_INDEX: 'sparse+https://env.invalid/',
    });
    expect(stderr).toContain('in environment variable `CARGO_REGISTRIES_MINE_INDEX`\n\nhelp: ');
    expect([status, local()]).toEqual([101, BEFORE]);
  });

  it.each([
    ['an invalid name', ['1x', 'sparse+https://a.invalid/'], 'the name cannot start with a digit'],
    ['crates.io', ['crates-io', 'sparse+https://a.invalid/'], '`crates-io` is built in'],
    ['a text that is no URL', ['mine', 'crates.example.com'], 'relative URL without a base'],
    ['an unknown protocol', ['mine', 'ftp://a.invalid/'], 'unsupported protocol in `ftp://a.invalid/`'],
    ['a sparse index without a slash', ['mine', 'sparse+https://a.invalid/x'], 'must end in a slash'],
    ['a password', ['mine', 'https://u:hunter2hunter2@a.invalid/'], 'may not contain passwords'],
    ['a missing URL', ['mine'], '  <URL>\n\nUsage: tsreg registry add --no-check <NAME> <URL>\n'],
    ['a third argument', ['mine', 'sparse+https://a.invalid/', 'x'], "unexpected argument 'x' found"],
  ])('refuses %s', async (_, args, message) => {
    const { status, stderr } = await registry('add', ...args, '--no-check');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
    expect([status, local()]).toEqual([101, BEFORE]);
  });

  it('shows no password of an index that is there already', async () => {
    const before = '[registries.mine]\nindex = "sparse+https://u:hunter2@a.invalid/"\n';
    write('ws/.cargo/config.toml', `${before}[registries.bad]\nindex = "https://u:hunter2@[bad/"\n`);
    const refused = await registry('add', 'mine', url, '--no-check');
    expect(refused.stderr).toContain('the index `sparse+https://REDACTED@a.invalid/` in');
    const overridden = await registry('add', 'mine', url, '--no-check', '--force', '--global');
    expect(overridden.stderr).toContain('is `sparse+https://REDACTED@a.invalid/`: ');
    const { stdout } = await registry();
    expect(stdout).toContain('registry URLs may not contain passwords\n');
    expect(refused.stderr + overridden.stderr + stdout).not.toContain('hunter2');
  });

  it('keeps all registries that are added to a missing file at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((name) => registry('add', name, `${url}${name}/`, '--no-check', '--global')));
    for (const name of names) expect(read('home/config.toml')).toContain(`[registries.${name}]\n`);
  });

  it('changes nothing if the index cannot be read', async () => {
    const { status, stderr } = await registry('add', 'mine', `sparse+${server.url}/wrong/`);
    expect(stderr).toContain(
      'error: cannot read the index of registry `mine`, so nothing was changed\n\n' +
        `Caused by:\n  \`${server.url}/wrong/config.json\` does not exist\n\n` +
        'help: check the URL, or pass `--no-check` to add the registry anyway\n',
    );
    const git = await registry('add', 'mine', `${server.url}/index/`);
    expect(git.stderr).toContain(
      'help: the URL of an index that is not a git repository begins with `sparse+`\n',
    );
    expect([status, git.status, local()]).toEqual([101, 101, BEFORE]);
  });

  it('refuses a file that it cannot edit or that tsreg would ignore', async () => {
    write('ws/.cargo/config.toml', 'registries = { other = { index = "sparse+https://o.invalid/" } }\n');
    const inline = await registry('add', 'mine', url, '--no-check');
    expect(inline.stderr).toContain(
      'Caused by:\n  the table of `registries.mine.index` has a form that only you can edit\n',
    );
    const ignored = await run(['registry', 'add', 'mine', url], { TSREG_PROJECT_CONFIG: 'off' });
    expect(ignored.stderr).toContain('help: pass `--global` to edit the configuration in `CARGO_HOME`\n');
    expect([inline.status, ignored.status]).toEqual([101, 101]);
  });
});

describe('tsreg registry remove', () => {
  it('removes what `add` added, and nothing else', async () => {
    await registry('add', 'mine', url, '--default');
    const { status, stderr } = await registry('remove', 'mine');
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('     Removed default registry `mine` from'),
    ]);
    expect(local()).toBe(BEFORE);
  });

  it('says how to remove the token, and that command works', async () => {
    await registry('add', 'mine', url);
    write('home/credentials.toml', `[registries.mine]\ntoken = "${MARKED}"\n`);
    const { stderr } = await registry('remove', 'mine');
    const setting = `registries.mine.index="${url}"`;
    expect(stderr).toContain(`run \`tsreg logout --registry mine --config '${setting}'\`\n`);
    expect(stderr).not.toContain(MARKED);
    write('ws/member/Cargo.toml', '');
    expect((await run(['logout', '--registry', 'mine', '--config', setting])).status).toBe(0);
    expect(read('home/credentials.toml')).not.toContain(MARKED);
  });

  it('names the place of a registry that is elsewhere', async () => {
    write('home/config.toml', `[registries.mine]\nindex = "${url}"\n`);
    const elsewhere = await registry('remove', 'mine');
    expect(elsewhere.stderr).toContain(
      'help: edit the file in `CARGO_HOME`: `tsreg registry remove mine --global`\n',
    );
    const variable = await run(['registry', 'remove', 'env'], { CARGO_REGISTRIES_ENV_INDEX: url });
    expect(variable.stderr).toContain('help: unset the variable: `unset CARGO_REGISTRIES_ENV_INDEX`\n');
    const local = await registry('remove', 'other', '--global');
    expect(local.stderr).toContain('help: leave out `--global`: `tsreg registry remove other`\n');
    expect([elsewhere.status, variable.status, local.status]).toEqual([101, 101, 101]);
  });

  it('warns if another file still has the registry or uses it by default', async () => {
    write('home/config.toml', `registry.default = "mine"\n[registries.mine]\nindex = "${url}"\n`);
    await registry('add', 'mine', url);
    const first = await registry('remove', 'mine');
    expect(first.stderr).toContain(`warning: registry \`mine\` is still in ${path.join(temp.path, 'home')}`);
    write('home/config.toml', 'registry.default = "mine"\n');
    await registry('add', 'mine', url);
    const second = await registry('remove', 'mine');
    expect(second.stderr).toContain('config.toml still is `mine`\n');
  });

  it.each([
    ['a password', '[registries.bad]\nindex = "https://u:p@a.invalid/"\n'],
    ['no URL', '[registries.bad]\nindex = "x"\n'],
    ['no table', '[registries]\nbad = 1\n'],
    ['the index of another one', '[registries]\nother.index = "https://a/"\nbad.index = "https://a/"\n'],
  ])('removes a registry with %s', async (_, text) => {
    write('ws/.cargo/config.toml', text);
    const { status, stderr } = await registry('remove', 'bad');
    expect([status, stderr]).toEqual([0, expect.stringContaining('Removed registry `bad`')]);
    expect(local()).not.toContain('bad');
  });

  it('names the file that it cannot read', async () => {
    write('home', '');
    const { status, stderr } = await registry('remove', 'mine', '--global');
    expect(stderr).toContain(
      `failed to read configuration file \`${path.join(temp.path, 'home', 'config.toml')}\``,
    );
    expect(status).toBe(101);
  });

  it.each([
    ['absent', 'error: registry `absent` is not in the configuration\n'],
    ['othre', 'help: a registry with a similar name exists: `other`\n'],
    ['crates-io', 'error: `crates-io` is built in, so it cannot be removed\n'],
    ['a b', 'invalid character ` ` in registry name'],
  ])('refuses %j', async (name, message) => {
    const { status, stderr } = await registry('remove', name);
    expect(stderr).toContain(message);
    expect([status, local()]).toEqual([101, BEFORE]);
  });
});

it('completes subcommands, and registries for `remove`', async () => {
  expect((await run(['complete', '--', 'registry', ''])).stdout).toMatch(
    /^words\nlist\t.*\nadd\t.*\nremove\t/,
  );
  expect((await run(['complete', '--', 'registry', 'remove', 'o'])).stdout).toMatch(/^words\nother\n$/);
  expect((await run(['complete', '--', 'registry', 'add', 'x', 'y', '--d'])).stdout).toMatch(
    /^words\n--default\t/,
  );
});
