import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { METADATA_SCHEMA } from '../../src/core/document/schema.ts';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { NOT_FOUND, onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** The colour of warnings, which differs on Windows. */
const YELLOW = onWindows ? '\x1b[93m' : '\x1b[33m';

const temp = makeTempDir('cli');
afterAll(() => temp.remove());
const home = path.join(temp.path, 'home');
const workspace = path.join(temp.path, 'ws');
mkdirSync(path.join(workspace, 'src'), { recursive: true });
mkdirSync(path.join(workspace, 'sub'));
mkdirSync(home);
writeFileSync(
  path.join(workspace, 'Cargo.toml'),
  '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
);
writeFileSync(path.join(workspace, 'src/lib.rs'), '');

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  config = '',
): Promise<RunResult> {
  writeFileSync(path.join(home, 'config.toml'), config);
  return runProgram(tsregProgram(), args, {
    cwd: workspace,
    env: { CARGO_HOME: home, TERM: 'xterm', ...env },
  });
}

const NO_DEPS = ['metadata', '--no-deps'];
const MISSING_VERSION =
  'warning: please specify `--format-version` flag explicitly to avoid compatibility problems\n';

describe('the program', () => {
  it('prints the result to stdout and warnings to stderr', async () => {
    const { status, stdout, stderr } = await run(NO_DEPS);
    expect({ status, stderr }).toEqual({ status: 0, stderr: MISSING_VERSION });
    expect(stdout).toMatch(/^\{"packages":\[\{"name":"p".*\}\n$/);
  });

  it('prints one line per manifest path, and refuses several in compatibility mode', async () => {
    const args = ['metadata', '--no-deps', '--format-version', '1'];
    const other = path.join(temp.path, 'other');
    mkdirSync(path.join(other, 'src'), { recursive: true });
    writeFileSync(
      path.join(other, 'Cargo.toml'),
      '[package]\nname = "other"\nversion = "0.1.0"\nedition = "2021"\n',
    );
    writeFileSync(path.join(other, 'src/lib.rs'), '');
    const both = ['--manifest-path', 'Cargo.toml', '--manifest-path', '../other/Cargo.toml'];
    const { status, stdout, stderr } = await run([...args, ...both]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const single = await run([...args, '--manifest-path', '../other/Cargo.toml']);
    expect(stdout).toBe((await run(args)).stdout + single.stdout);
    const halfway = await run([...args, ...both, '--manifest-path', 'none/Cargo.toml']);
    expect(halfway).toMatchObject({ status: 101, stdout });
    expect(halfway.stderr).toContain('none/Cargo.toml');
    expect(await run([...args, ...both], { TSREG_COMPAT: 'cargo' })).toMatchObject({ status: 1, stdout: '' });
  });

  it('exits with 101 after a usage error, and with 1 in compatibility mode', async () => {
    const refused = await run(['metadata', '--bogus']);
    expect(refused).toMatchObject({ status: 101, stdout: '' });
    expect(refused.stderr).toContain('Usage: tsreg metadata [OPTIONS]');
    const asCargo = await run(['metadata', '--bogus'], { TSREG_COMPAT: 'cargo' });
    expect(asCargo.status).toBe(1);
    expect(asCargo.stderr).toContain('Usage: cargo metadata [OPTIONS]');
    expect((await run(['metadata', '--bogus'], { TSREG_COMPAT: '' })).status).toBe(101);
  });

  it.each([
    ['TSREG_COMPAT', 'Cargo', '`cargo`'],
    ['TSREG_CACHE', 'no', '`on`, `off` or `verify`'],
  ])('refuses a wrong value of %s', async (name, value, expected) => {
    const args = ['locate-project'];
    expect((await run(args)).status).toBe(0);
    const { status, stderr } = await run(args, { [name]: value });
    expect(stderr).toBe(`error: invalid value \`${value}\` for \`${name}\`: expected ${expected}\n`);
    expect(status).toBe(101);
  });

  it('names the origin of a wrong color, and a missing file for --config', async () => {
    const { stderr } = await run(['tree'], { CARGO_TERM_COLOR: 'foo' });
    expect(stderr).toMatch(/ but found `foo`\n\nhelp: this is `term.color` from .*`CARGO_TERM_COLOR`\n$/);
    const config = await run(['--config', 'none.toml', 'tree']);
    expect(config.stderr).toContain(
      '\nhelp: there is no file `none.toml`; a value has the form `KEY=VALUE`\n',
    );
  });

  it('accepts a .crate file for `publish`, except in compatibility mode', async () => {
    expect(await run(['publish', 'a.crate'], { TSREG_COMPAT: 'cargo' })).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "error: unexpected argument 'a.crate' found\n\nUsage: cargo publish [OPTIONS]\n\nFor more information, try '--help'.\n",
    });
    expect((await run(['publish', 'a.crate'])).stderr).toContain('there is no file');
  });

  it('prints the metadata schema outside a workspace, except in compatibility mode', async () => {
    const env = { CARGO_HOME: home, PATH: '' };
    const bare = await runProgram(tsregProgram(), ['metadata', '--schema'], { cwd: temp.path, env });
    expect({ status: bare.status, stderr: bare.stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(bare.stdout)).toEqual(METADATA_SCHEMA);
    const asCargo = await run(['metadata', '--schema'], { TSREG_COMPAT: 'cargo' });
    expect(asCargo).toMatchObject({ status: 1, stdout: '' });
    expect(asCargo.stderr).toContain(
      "unexpected argument '--schema' found\n\nUsage: cargo metadata [OPTIONS]",
    );
  });

  it('exits with 0 and no error after the reader closes stdout', async () => {
    const child = spawn(process.execPath, [path.join(projectRoot, 'bin/tsreg.js'), ...NO_DEPS], {
      cwd: workspace,
      env: { CARGO_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect({ status, stderr }).toEqual({ status: 0, stderr: MISSING_VERSION });
  });
});

describe('package ids', () => {
  it('follow `--package-id-format`, or else the mode', async () => {
    const idOf = async (args: readonly string[], env = {}): Promise<string> => {
      const document: { packages: { id: string }[] } = JSON.parse(
        (await run([...NO_DEPS, ...args], env)).stdout,
      );
      return document.packages[0]?.id ?? '';
    };
    const { href } = pathToFileURL(workspace);
    const legacy = `p 0.1.0 (path+${href})`;
    const spec = `path+${href}#p@0.1.0`;
    expect(await idOf([])).toBe(legacy);
    expect(await idOf([], { TSREG_COMPAT: 'cargo' })).toBe(spec);
    expect(await idOf(['--package-id-format', 'spec'])).toBe(spec);
    expect(await idOf(['--package-id-format=legacy'], { TSREG_COMPAT: 'cargo' })).toBe(legacy);
  });
});

describe('messages', () => {
  it('are hidden with -q or term.quiet, which -v overrides', async () => {
    expect((await run([...NO_DEPS, '-q'])).stderr).toBe('');
    expect((await run(NO_DEPS, {}, 'term.quiet = true')).stderr).toBe('');
    expect((await run(NO_DEPS, { CARGO_TERM_QUIET: 'true' })).stderr).toBe('');
    expect((await run([...NO_DEPS, '-v'], {}, 'term.quiet = true')).stderr).toBe(MISSING_VERSION);
  });

  it('cannot be both verbose and quiet', async () => {
    expect(await run([...NO_DEPS, '-qv'])).toMatchObject({
      status: 101,
      stderr: 'error: cannot set both --verbose and --quiet\n',
    });
    expect((await run(NO_DEPS, {}, 'term = { quiet = true, verbose = true }')).stderr).toBe(
      'error: cannot set both `term.verbose` and `term.quiet`\n',
    );
  });

  it('are coloured on request, where --color overrides the configuration', async () => {
    const colored = `\x1b[1m${YELLOW}warning\x1b[0m${MISSING_VERSION.slice('warning'.length)}`;
    expect((await run([...NO_DEPS, '--color', 'always'])).stderr).toBe(colored);
    expect((await run(NO_DEPS, {}, 'term.color = "always"')).stderr).toBe(colored);
    expect((await run([...NO_DEPS, '--color', 'never'], { CARGO_TERM_COLOR: 'always' })).stderr).toBe(
      MISSING_VERSION,
    );
    expect((await run(NO_DEPS, { CLICOLOR_FORCE: '1' })).stderr).toBe(colored);
    expect(await run([...NO_DEPS, '--color', 'ALWAYS'])).toMatchObject({
      status: 101,
      stderr: 'error: argument for --color must be auto, always, or never, but found `ALWAYS`\n',
    });
  });

  it('about usage errors take their colours from the configuration, not from --color', async () => {
    const { stderr } = await run(['metadata', '--bogus', '--color', 'never'], { CARGO_TERM_COLOR: 'always' });
    expect(stderr).toMatch(/^\x1b\[1m\x1b\[91merror:\x1b\[0m /);
    expect((await run(['metadata', '--bogus', '--color', 'always'])).stderr).toMatch(/^error: /);
  });

  it('name unknown keys of a config table each time it is read', async () => {
    const file = path.join(home, 'config.toml');
    const { stderr } = await run([...NO_DEPS, '-q'], {}, 'term.foo = 1\nhttp.foo = 1\nbuild.foo = 1\n');
    const warning = `warning: unused config key \`term.foo\` in \`${file}\`\n`;
    expect(stderr).toBe(warning + warning);
    expect((await run([...NO_DEPS, '--format-version=1'], {}, 'http.foo = 1\nbuild.foo = 1\n')).stderr).toBe(
      `warning: unused config key \`http.foo\` in \`${file}\`\n` +
        `warning: unused config key \`build.foo\` in \`${file}\`\n`,
    );
  });
});

describe('a broken configuration', () => {
  it('does not affect `--version` and usage errors', async () => {
    expect((await run(['--version'], {}, 'foo')).status).toBe(0);
    expect((await run(['metadata', '--bogus'], {}, 'foo')).stderr).toContain("unexpected argument '--bogus'");
  });

  it('makes commands fail', async () => {
    expect(await run([...NO_DEPS, '--format-version=1'], {}, 'foo')).toMatchObject({
      status: 101,
      stdout: '',
      stderr:
        'error: could not load Cargo configuration\n\nCaused by:\n' +
        `  could not parse TOML configuration in \`${home}/config.toml\`\n\nCaused by:\n` +
        '  TOML parse error at line 1, column 4\n    |\n  1 | foo\n    |    ^\n' +
        '  key with no value, expected `=`\n',
    });
  });
});

describe('flags that cargo removed', () => {
  it('are unknown in compatibility mode', async () => {
    expect(await run(['update', '--breaking'], { TSREG_COMPAT: 'cargo' })).toMatchObject({
      status: 1,
      stderr:
        "error: unexpected argument '--breaking' found\n\n" +
        "  tip: to pass '--breaking' as a value, use '-- --breaking'\n\n" +
        "Usage: cargo update [OPTIONS] [SPEC]...\n\nFor more information, try '--help'.\n",
    });
  });
});

describe('commands', () => {
  it('with an unknown name cause a suggestion', async () => {
    expect(await run(['metdata'])).toMatchObject({
      status: 101,
      stderr:
        'error: no such command: `metdata`\n\nhelp: a command with a similar name exists: `metadata`\n\n' +
        'help: view all installed commands with `tsreg --list`\n',
    });
    expect((await run(['metdata'], { TSREG_COMPAT: 'cargo' })).stderr).toMatch(
      /`cargo --list`\nhelp: find a package to install `metdata` with `cargo search cargo-metdata`\n$/,
    );
  });

  it('named `rustfmt` cause the suggestion of cargo in compatibility mode', async () => {
    expect((await run(['rustfmt'], { TSREG_COMPAT: 'cargo' })).stderr).toMatch(
      /^error: no such command: `rustfmt`\n\nhelp: a command with a similar name exists: `fmt`\n/,
    );
  });

  it('that look like files have their own errors in compatibility mode', async () => {
    const cargo = { TSREG_COMPAT: 'cargo' };
    const said = async (...args: string[]): Promise<string> => (await run(args, cargo)).stderr;
    expect(await said('nope.rs')).toBe('error: no such subcommand `nope.rs`\n');
    expect(await said('./x')).toBe('error: no such subcommand `./x`\n');
    expect(await said('metadata.rs', 'a', '-b')).toBe(
      'error: no such subcommand `metadata.rs`\nhelp: there is a command with a similar name: `metadata .rs a -b`\n',
    );
    writeFileSync(path.join(home, 'script.rs'), '');
    expect(await said(path.join(home, 'script.rs'))).toBe(
      `error: running the file \`${path.join(home, 'script.rs')}\` requires \`-Zscript\`\n`,
    );
    expect((await run(['nope.rs'])).stderr).toMatch(/^error: no such command: `nope.rs`\n/);
  });

  it('cannot begin with a toolchain in an alias', async () => {
    const { stderr } = await run(['loud'], { TSREG_COMPAT: 'cargo' }, '[alias]\nloud = "+stable metadata"\n');
    expect(stderr).toBe(
      'error: no such command: `+stable`\n\nhelp: invoke `cargo` through `rustup` to handle `+toolchain` directives\n',
    );
  });

  it('suggest `--offline` without a network only if they support it', async () => {
    const index = ['--index', 'sparse+http://127.0.0.1:1/'];
    const help = async (
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const { status, stderr } = await run([...args, ...index], { CARGO_NET_RETRY: '0', ...env });
      expect([status, stderr]).toEqual([101, expect.stringContaining('[7] Could not connect to server')]);
      return /\nhelp: .*/.exec(stderr)?.[0] ?? '';
    };
    expect(await help(['info', 'log'])).toBe(
      '\nhelp: pass `--offline` to use only what is already downloaded',
    );
    expect(await help(['info', 'log'], { TSREG_COMPAT: 'cargo' })).toBe('');
    expect(await help(['search', 'log'])).toContain('the server does not respond');
    expect(await help(['search', 'log'], { TSREG_COMPAT: 'cargo' })).toBe('');
  });

  it('explain that `--frozen` forbids the network', async () => {
    const { stderr } = await run(['search', 'log', '--frozen']);
    expect(stderr).toContain('help: `search` needs the registry');
  });

  it('list aliases without the escape sequences in them', async () => {
    const config = '[alias]\nodd = "tree \\u001b]0;title\\u0007-d"\n';
    for (const mode of [{}, { TSREG_COMPAT: 'cargo' }]) {
      const { stdout } = await run(['--list'], { ...mode, CARGO_TERM_COLOR: 'always' }, config);
      expect(stdout).toMatch(/odd.* tree -d/);
      expect(stdout).not.toContain('title');
    }
  });

  it('list an alias over the built-in command of its name, and `help`, in compatibility mode', async () => {
    const config = '[alias]\ntree = "metadata --no-deps"\nempty = ""\n';
    const { stdout } = await run(['--list'], { TSREG_COMPAT: 'cargo' }, config);
    expect(stdout).toContain('\n    tree                 alias: metadata --no-deps\n');
    expect(stdout).toContain('\n    empty                alias: \n');
    expect(stdout).toContain('\n    help                 Displays help for a cargo command\n');
  });

  it('list the valid aliases, but none in compatibility mode if one is invalid', async () => {
    const list = (env: Readonly<Record<string, string>>) =>
      run(['--list'], env, '[alias]\nbad = 3\ngood = "tree"\n');
    expect((await list({})).stdout.match(/\b(?:bad|good)\b/g)).toEqual(['good']);
    expect((await list({ TSREG_COMPAT: 'cargo' })).stdout).not.toMatch(/\b(?:bad|good)\b/);
  });

  it.each([
    ['ls', 'to show the dependencies, run `tsreg tree`'],
    ['unyank', 'to unyank a version, run `tsreg yank --undo NAME@VERSION`'],
    ['view', 'to show details of a package, run `tsreg info NAME`'],
  ])('that other programs have cause a hint: %s', async (word, hint) => {
    expect((await run([word])).stderr).toBe(
      `error: no such command: \`${word}\`\n\nhelp: ${hint}\n\nhelp: view all installed commands with \`tsreg --list\`\n`,
    );
    expect((await run([word], { TSREG_COMPAT: 'cargo' })).stderr).not.toContain(hint);
  });

  it('cause no suggestion for a dissimilar name', async () => {
    for (const word of ['foo', 'updates-all', 'hat']) {
      expect((await run([word])).stderr).toBe(
        `error: no such command: \`${word}\`\n\nhelp: view all installed commands with \`tsreg --list\`\n`,
      );
    }
    expect((await run(['treee'])).stderr).toContain('similar name exists: `tree`');
    expect((await run(['instal'])).stderr).toContain('similar name exists: `install`');
    expect((await run(['meta'])).stderr).toContain('starts with this exists: `metadata`');
    // cargo suggests names that differ this much.
    expect((await run(['foo'], { TSREG_COMPAT: 'cargo' })).stderr).toContain('similar name exists');
  });

  it('can have aliases', async () => {
    const aliases =
      '[alias]\nmd = "metadata --no-deps --format-version 1"\nlist = ["md", "-q"]\nloop = "loop"\nempty = ""\n';
    expect(await run(['md'], {}, aliases)).toMatchObject({ status: 0, stderr: '' });
    expect(await run(['--config', 'net.foo=1', 'list'], {}, aliases)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect((await run(['md', '--bogus'], {}, aliases)).stderr).toContain(
      'Usage: metadata --no-deps --format-version <VERSION>\n',
    );
    expect((await run(['loop'], {}, aliases)).stderr).toBe(
      'error: alias loop has unresolvable recursive definition: loop -> loop\n',
    );
    expect((await run(['empty'], {}, aliases)).stderr).toBe(
      'error: subcommand is required, but `alias.empty` is empty\n',
    );
    expect((await run([...NO_DEPS, '--format-version=1'], {}, '[alias]\nmetadata = "x"')).stderr).toBe(
      'warning: user-defined alias `metadata` is ignored, because it is shadowed by a built-in command\n',
    );
  });

  it('after `--` take no arguments', async () => {
    expect((await run(['--', 'metadata', '-v'])).stderr).toBe(
      'error: trailing arguments after built-in command `metadata` are unsupported: `-v`\n\n' +
        'To pass the arguments to the subcommand, remove `--`\n',
    );
  });

  it('can follow a toolchain', async () => {
    expect((await run(['+nightly', ...NO_DEPS, '--format-version=1'])).status).toBe(0);
  });
});

describe('unstable flags', () => {
  const nightly = { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' };
  const elsewhere = ['-C', 'sub', 'metadata', '--no-deps', '--format-version=1', '-Z', 'unstable-options'];

  it('are refused on the stable channel', async () => {
    expect(await run([...NO_DEPS, '-Zfoo'])).toMatchObject({
      status: 101,
      stderr:
        'error: unstable flags (`-Z`) are turned off\n\nhelp: set `RUSTC_BOOTSTRAP=1` to turn them on\n',
    });
    expect(await run(elsewhere, { TSREG_COMPAT: 'cargo' })).toMatchObject({
      status: 101,
      stderr:
        'error: the `-C` flag is unstable, pass `-Z unstable-options` on the nightly channel to enable it\n',
    });
  });

  it('only cause a warning once they are stable', async () => {
    const flags = ['-Zlockfile-path', '-Zfeatures=compare', '-Zwarnings', '-q'];
    const key = (name: string): string => `\n  The \`${name}\` config key is now always available\n\n`;
    expect((await run([...NO_DEPS, ...flags], { ...nightly, TSREG_COMPAT: 'cargo' })).stderr).toBe(
      `warning: flag \`-Z lockfile-path\` has been stabilized in the 1.97 release, and is no longer necessary${key('lockfile-path')}` +
        `warning: flag \`-Z warnings\` has been stabilized in the 1.97 release, and is no longer necessary${key('build.warnings')}`,
    );
    expect((await run([...NO_DEPS, '--format-version=1', '-Zwarnings'], nightly)).stderr).toBe(
      `warning: flag \`-Z warnings\` has been stabilized in cargo 1.97, and is no longer necessary${key('build.warnings')}`,
    );
  });

  it('work on the nightly channel if they are known', async () => {
    expect(await run(elsewhere, nightly)).toMatchObject({ status: 0, stderr: '' });
    expect((await run([...NO_DEPS, '-Zfoo'], nightly)).stderr).toMatch(/^error: unknown `-Z` flag `foo`\n/);
    expect((await run([...NO_DEPS, '--lockfile-path', 'x/Cargo.lock'], nightly)).stderr).toMatch(
      /^error: the `--lockfile-path` flag is unstable\n\nhelp: pass `-Z unstable-options` to use it\n/,
    );
    const cargoNightly = { RUSTC_BOOTSTRAP: '1', TSREG_COMPAT: 'cargo' };
    expect((await run(['-C', 'nope', ...NO_DEPS, '-Zunstable-options'], cargoNightly)).stderr).toBe(
      `error: could not change to requested directory\n\nCaused by:\n  ${NOT_FOUND}\n`,
    );
  });

  it('are not needed for `-C`, which changes the folder before anything else', async () => {
    const member = path.join(workspace, 'member');
    mkdirSync(path.join(member, '.cargo'), { recursive: true });
    writeFileSync(path.join(member, 'Cargo.toml'), '[package]\nname = "m"\nversion = "0.2.0"\n[workspace]\n');
    writeFileSync(path.join(member, '.cargo/config.toml'), 'alias.here = "read-manifest"\n');
    mkdirSync(path.join(member, 'src'));
    writeFileSync(path.join(member, 'src/lib.rs'), '');
    const version = async (command: string): Promise<unknown> => {
      const { stdout, stderr } = await run(['-C', 'member', command]);
      expect(stderr).toBe('');
      const document: { readonly version: string } = JSON.parse(stdout);
      return document.version;
    };
    // The second run reads the cached result.
    for (let time = 0; time < 2; time += 1) expect(await version('read-manifest')).toBe('0.2.0');
    writeFileSync(path.join(member, 'Cargo.toml'), '[package]\nname = "m"\nversion = "0.3.0"\n[workspace]\n');
    expect(await version('read-manifest')).toBe('0.3.0');
    expect(await version('here')).toBe('0.3.0');
    expect(await run(['-C', 'nope', 'pkgid'])).toMatchObject({
      status: 101,
      stderr: `error: could not change to the folder \`nope\`\n\nCaused by:\n  ${NOT_FOUND}\n`,
    });
  });
});

describe('help and version', () => {
  it('name the program', async () => {
    const manifest: { version: string } = JSON.parse(
      readFileSync(path.join(projectRoot, 'package.json'), 'utf8'),
    );
    expect((await run(['--version'])).stdout).toBe(`tsreg ${manifest.version}\n`);
    expect((await run(['-V'], { TSREG_COMPAT: 'cargo' })).stdout).toBe('cargo 1.99.0\n');
    expect((await run(['-vV'])).stdout).toMatch(/^tsreg [^]*^cargo: 1\.99\.0$[^]*^host: \S+-\S+/m);
  });

  it('list the flags of a command', async () => {
    const { status, stdout } = await run(['metadata', '--help']);
    expect(status).toBe(0);
    const flags = [
      '--filter-platform <TRIPLE>',
      '--no-deps',
      '--format-version <VERSION>',
      '--package-id-format <FORM>',
    ];
    for (const flag of [
      ...flags,
      '-F, --features <FEATURES>',
      '--manifest-path <PATH>',
      '-v, --verbose...',
    ]) {
      expect(stdout).toContain(` ${flag} `);
    }
    expect(stdout).not.toMatch(/silent|--path |lockfile-path|-Z /);
    expect((await run(['metadata', '--help'], { RUSTC_BOOTSTRAP: '1' })).stdout).toContain(' -Z <FLAG> ');
    expect((await run(['metadata', '--help'], { TSREG_COMPAT: 'cargo' })).stdout).toContain(' -Z <FLAG> ');
    expect((await run(['help', 'metadata'])).stdout).toBe(stdout);
    expect((await run(['help', 'metdata'])).status).toBe(101);
  });

  it('explain aliases and subcommands, and suggest similar names', async () => {
    const aliases = '[alias]\nmd = "metadata --no-deps"\nm = "metadata"\n';
    expect(await run(['help', 'md'], {}, aliases)).toEqual({
      status: 0,
      stdout: '`md` is aliased to `metadata --no-deps`\n',
      stderr: '',
    });
    expect((await run(['help', 'm'], {}, aliases)).stdout).toBe((await run(['help', 'metadata'])).stdout);
    expect((await run(['help', 'serve', 'token'])).stdout).toContain('Usage: tsreg serve token [OPTIONS]');
    expect((await run(['help', 'help'])).stdout).toContain('Usage: tsreg help [OPTIONS] [COMMAND]...');
    expect((await run(['help', 'serve', 'tokn'])).stderr).toContain("a similar subcommand exists: 'token'");
    const asCargo = { TSREG_COMPAT: 'cargo' };
    expect(await run(['help', 'tree', 'x'], asCargo)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "error: unexpected argument 'x' found\n\nUsage: cargo help [OPTIONS] [COMMAND]\n\nFor more information, try '--help'.\n",
    });
    expect((await run(['help', '--bogus'], asCargo)).stderr).toContain(
      "tip: to pass '--bogus' as a value, use '-- --bogus'",
    );
  });

  it('print the usage without a command', async () => {
    const { stdout } = await run([]);
    expect(stdout).toContain('Usage: tsreg [+toolchain] [OPTIONS] [COMMAND]');
    expect((await run(['-h'])).stdout).toBe(stdout);
  });
});
