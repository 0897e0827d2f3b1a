import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isStandalone,
  type Program,
  programFile,
  runProgram,
  type RunResult,
  tsregProgram,
} from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const TITLE = 'cargo 1.99.0\n';
const SYSTEM = '/usr/bin:/bin';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('shim');
  write('ws/Cargo.toml', '[package]\nname = "p"\nversion = "0.1.0"\n');
  write('ws/src/lib.rs', '');
  write('node/cargo-none', '');
  symlinkSync(process.execPath, place('node/node'));
});
afterEach(() => temp.remove());

function place(name: string): string {
  return path.join(temp.path, name);
}

function write(name: string, text: string, mode = 0o644): string {
  const file = place(name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** Writes a program that prints its arguments and exits with 7. */
function fakeCargo(folder: string, name = 'cargo'): string {
  const says = 'echo "real: $*"; echo "CARGO=$CARGO COMPAT=$TSREG_COMPAT SHIM=$TSREG_SHIM"; exit 7';
  return write(`${folder}/${name}`, `#!/bin/sh\n${says}\n`, 0o755);
}

function pathOf(...folders: readonly string[]): string {
  return [...folders.map(place), place('node'), SYSTEM].join(':');
}

async function run(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return runProgram(program, args, {
    cwd: place('ws'),
    env: { CARGO_HOME: place('home'), HOME: temp.path, PATH: pathOf(), ...env },
  });
}

async function writeShim(folder: string, ...args: readonly string[]): Promise<RunResult> {
  return run(tsregProgram(), ['shim', place(folder), ...args]);
}

/** Runs `cargo` from a folder. */
async function cargo(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return run({ name: 'cargo', command: [place(`${folder}/cargo`)], env: {} }, args, env);
}

describe.skipIf(onWindows)('tsreg shim (not on Windows: it writes shell scripts)', () => {
  it('writes a program and says how to add it to the PATH', async () => {
    const written = await writeShim('a');
    expect(written.status).toBe(0);
    expect(written.stdout).toBe(`export PATH='${place('a')}':"$PATH"\n`);
    expect(written.stderr).toContain(`Wrote ${place('a/cargo')}`);
    expect(written.stderr).toContain('note: no other cargo is on the PATH');
    const again = await run(tsregProgram(), ['shim', '../a', '--json'], { PATH: pathOf('a') });
    expect(JSON.parse(again.stdout)).toEqual({
      version: 1,
      files: [place('a/cargo')],
      folder: place('a'),
      is_first_on_path: true,
      cargo: null,
      node: isStandalone ? null : process.execPath,
      program: programFile(),
    });
    expect(again.stderr).toBe('');
  });

  it('overwrites other programs only with --force', async () => {
    const other = fakeCargo('a');
    const refused = await writeShim('a');
    expect(refused).toMatchObject({ status: 101, stdout: '' });
    expect(refused.stderr).toBe(
      `error: \`${other}\` already exists, and \`tsreg shim\` did not write it\n\n` +
        'help: name another folder, or pass `--force` to overwrite it\n',
    );
    expect(readFileSync(other, 'utf8')).toContain('real:');
    mkdirSync(place('link'));
    symlinkSync(other, place('link/cargo'));
    expect((await writeShim('link')).status).toBe(101);
    expect((await writeShim('link', '--force')).status).toBe(0);
    expect(readFileSync(other, 'utf8')).toContain('real:');
    expect((await cargo('link', ['-V'])).stdout).toBe(TITLE);
    mkdirSync(place('folder/cargo'), { recursive: true });
    expect((await writeShim('folder', '--force')).stderr).toContain('is a folder');
    write('file', '', 0o644);
    const { status, stderr } = await writeShim('file');
    expect(stderr).toContain(`error: \`cargo\` cannot be written to \`${place('file')}\`\n`);
    expect(stderr).toContain('\nhelp: name a folder');
    expect(status).toBe(101);
  });

  it('runs the commands of tsreg after any flags', async () => {
    await writeShim('a');
    fakeCargo('real');
    const env = { PATH: pathOf('a', 'real') };
    expect((await cargo('a', ['-V'], env)).stdout).toBe(TITLE);
    expect((await cargo('a', ['-vV'], env)).stdout).toMatch(/^cargo 1\.99\.0\n[^]*^host: \S+-\S+$/m);
    expect((await cargo('a', ['version'], env)).stdout).toBe(TITLE);
    const manifest = `${JSON.stringify({ root: place('ws/Cargo.toml') })}\n`;
    for (const before of [
      [],
      ['--config', 'net.offline=true'],
      ['--config=net.offline=true', '--color', 'never'],
      ['-vv'],
      ['+stable'],
      ['+stable', '--color=always', '-q'],
    ]) {
      const { stdout, status } = await cargo('a', [...before, 'locate-project'], env);
      expect({ before, stdout, status }).toEqual({ before, stdout: manifest, status: 0 });
    }
    expect((await cargo('a', ['-Z', 'build', 'locate-project'], env)).stderr).toMatch(/-Z/);
    expect((await cargo('a', ['metadata', '--bogus'], env)).status).toBe(1);
  });

  it('passes other commands to the next cargo unchanged', async () => {
    await writeShim('a');
    await writeShim('b');
    fakeCargo('real');
    mkdirSync(place('own'));
    symlinkSync(programFile(), place('own/cargo'));
    mkdirSync(place('linked'));
    symlinkSync(place('a/cargo'), place('linked/cargo'));
    const env = { PATH: pathOf('a', 'linked', 'b', 'own', 'real'), CARGO: '/other' };
    for (const args of [
      ['build', '--release', 'a b', ''],
      ['+nightly', 'test'],
      ['--config', 'build', '-Zx', '-C', 'metadata', 'run', '--', 'metadata'],
      ['-qZ', 'metadata', 'check'],
      ['clippy', '-V'],
      ['--list'],
      ['help', 'metadata'],
      [],
    ]) {
      const { stdout, stderr, status } = await cargo('a', args, env);
      expect({ stdout, stderr, status }).toEqual({
        stdout: `real: ${args.join(' ')}\nCARGO=/other COMPAT= SHIM=\n`,
        stderr: '',
        status: 7,
      });
    }
  });

  it('runs aliases of tsreg commands and passes on others', async () => {
    await writeShim('a');
    fakeCargo('real');
    write('ws/.cargo/config.toml', '[alias]\nwhere = "locate-project"\nship = "build --release"\n');
    const env = { PATH: pathOf('a', 'real') };
    expect((await cargo('a', ['where', '--message-format', 'plain'], env)).stdout).toBe(
      `${place('ws/Cargo.toml')}\n`,
    );
    expect((await cargo('a', ['ship', 'it'], env)).stdout).toMatch(/^real: ship it\n/);
  });

  it('passes commands without an alias to the next cargo', async () => {
    await writeShim('a');
    fakeCargo('real');
    const env = { PATH: pathOf('a', 'real'), CARGO_ALIAS_X: 'build' };
    for (const each of [{ PATH: env.PATH }, env]) {
      const { stdout, stderr, status } = await cargo('a', ['b', '--release', '-V'], each);
      expect({ stdout, stderr, status }).toEqual({
        stdout: 'real: b --release -V\nCARGO= COMPAT= SHIM=\n',
        stderr: '',
        status: 7,
      });
    }
    expect((await cargo('a', ['where'], { ...env, CARGO_ALIAS_WHERE: 'locate-project' })).stdout).toBe(
      `${JSON.stringify({ root: place('ws/Cargo.toml') })}\n`,
    );
  });

  it.for(['exec cargo "$@"', 'cargo "$@"'])('fails if the next cargo calls it again: %s', async (call) => {
    await writeShim('a');
    write('loop/cargo', `#!/bin/sh\n${call}\n`, 0o755);
    const { status, stdout, stderr } = await cargo('a', ['build'], { PATH: pathOf('a', 'loop') });
    expect({ status, stdout }).toEqual({ status: 101, stdout: '' });
    expect(stderr).toMatch(
      /^error: \S+\/a\/cargo was started by what it has started[^]*^help: take the program `cargo`/m,
    );
    const odd = { PATH: pathOf('a'), TSREG_SHIM_DEPTH: '08' };
    expect((await cargo('a', ['-V'], odd)).stdout).toBe(TITLE);
  });

  it('says what to install if no program has a command', async () => {
    await writeShim('a');
    const { status, stdout, stderr } = await cargo('a', ['build'], { PATH: pathOf('a') });
    expect({ status, stdout }).toEqual({ status: 101, stdout: '' });
    expect(stderr).toBe(
      'error: `build` is not a command of tsreg: it needs the Rust toolchain, and no other `cargo` is on the PATH to run it\n\n' +
        'help: install Rust: https://www.rust-lang.org/tools/install\n' +
        "help: view tsreg's commands with `cargo --list`\n",
    );
    const unknown = await cargo('a', ['deny', 'check'], { PATH: pathOf('a') });
    expect(unknown.status).toBe(101);
    expect(unknown.stderr).toMatch(
      /^error: no such command: `deny`\n[^]*there is no other `cargo` on the PATH/,
    );
  });

  it('runs custom commands with CARGO set to the shim', async () => {
    await writeShim('a');
    fakeCargo('bin', 'cargo-deny');
    const { stdout, status } = await cargo('a', ['deny', 'check', '-x'], { PATH: pathOf('a', 'bin') });
    expect({ stdout, status }).toEqual({
      stdout: `real: deny check -x\nCARGO=${place('a/cargo')} COMPAT= SHIM=\n`,
      status: 7,
    });
  });

  it('forwards signals', async () => {
    await writeShim('a');
    const waits = 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done';
    for (const [folder, name, args] of [
      ['real', 'cargo', ['build']],
      ['bin', 'cargo-deny', ['deny']],
    ] as const) {
      write(`${folder}/${name}`, `#!/bin/sh\n${waits}\n`, 0o755);
      const child = spawn(place('a/cargo'), args, {
        env: { PATH: pathOf('a', folder), HOME: temp.path, CARGO_HOME: place('home') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      const [status] = await once(child, 'exit');
      expect({ name, status }).toEqual({ name, status: 9 });
    }
  });

  it.skipIf(isStandalone)(
    'finds a moved Node on the PATH and reports a missing one (the executable needs no Node)',
    async () => {
      await writeShim('a');
      const script = readFileSync(place('a/cargo'), 'utf8');
      const moved = (from: string): string => script.replace(`'${from}'`, "'/nowhere/at/all'");
      write('b/cargo', moved(process.execPath), 0o755);
      expect((await cargo('b', ['-V'])).stdout).toBe(TITLE);
      const lost = await cargo('b', ['-V'], { PATH: SYSTEM });
      if (!existsSync('/usr/bin/node') && !existsSync('/bin/node')) {
        expect(lost).toMatchObject({ status: 101 });
        expect(lost.stderr).toContain('Node is no longer in /nowhere/at/all');
      }
    },
  );

  it('reports that tsreg no longer exists', async () => {
    await writeShim('a');
    const script = readFileSync(place('a/cargo'), 'utf8');
    write('c/cargo', script.replace(`'${programFile()}'`, "'/nowhere/at/all'"), 0o755);
    const gone = await cargo('c', ['metadata']);
    expect(gone.status).toBe(101);
    expect(gone.stderr).toContain('error: tsreg is no longer in /nowhere/at/all');
    expect(gone.stderr).toContain(`run \`tsreg shim ${place('c')}\``);
  });

  it('works in folders of any name', async () => {
    const folder = 'it\'s $HOME `x` "quoted"';
    const { stdout } = await writeShim(folder);
    expect(stdout).toBe(`export PATH='${place(folder).replaceAll("'", `'\\''`)}':"$PATH"\n`);
    expect((await cargo(folder, ['-V'])).stdout).toBe(TITLE);
    rmSync(place(folder), { recursive: true });
  });
});

describe.skipIf(onWindows)('a symbolic link named cargo (not on Windows: it needs symbolic links)', () => {
  beforeEach(() => {
    mkdirSync(place('link'));
    symlinkSync(programFile(), place('link/cargo'));
  });

  it('behaves like cargo', async () => {
    expect((await cargo('link', ['-V'])).stdout).toBe(TITLE);
    expect((await cargo('link', ['metadata', '--bogus'])).status).toBe(1);
    const verbose = await cargo('link', ['version', '-v']);
    expect(verbose.stdout.replace(/^(host|os): \S.*$/gm, '$1: …')).toBe(
      `${TITLE}release: 1.99.0\nhost: …\nlibgit2: none\nlibcurl: none\nos: …\n`,
    );
    for (const flags of [['-vV'], ['-Vv'], ['--version', '-v'], ['--verbose', '--version']]) {
      expect((await cargo('link', flags)).stdout).toBe(verbose.stdout);
    }
    const { stdout } = await cargo('link', ['read-manifest']);
    expect(stdout).toContain(`"id":"path+file://${place('ws')}#p@0.1.0"`);
  });

  it('reports a command that needs Rust and does not start another cargo', async () => {
    fakeCargo('real');
    const { status, stdout, stderr } = await cargo('link', ['build'], { PATH: pathOf('link', 'real') });
    expect({ status, stdout }).toEqual({ status: 101, stdout: '' });
    expect(stderr).toContain('`build` is not a command of tsreg: it needs the Rust toolchain');
  });

  it('runs custom commands with CARGO set to itself', async () => {
    fakeCargo('bin', 'cargo-deny');
    const { stdout } = await cargo('link', ['deny'], { PATH: pathOf('bin') });
    expect(stdout).toBe(`real: deny\nCARGO=${place('link/cargo')} COMPAT= SHIM=\n`);
  });

  it('lists and suggests custom commands, and warns if an alias shadows one', async () => {
    fakeCargo('bin', 'cargo-deny');
    fakeCargo('home/bin', 'cargo-wood');
    write('bin/cargo-text', '', 0o644);
    write('home/config.toml', '[alias]\nwood = ["tree", "-d"]\n');
    const env = { PATH: pathOf('bin') };

    const { stdout } = await cargo('link', ['--list'], env);
    expect(stdout.split('\n').filter((line) => /^ {4}(deny|text|wood)/.test(line))).toEqual([
      '    deny',
      '    wood                 alias: tree -d',
    ]);
    expect((await cargo('link', ['--list', '-v'], env)).stdout).toContain(
      `    deny                 ${place('bin/cargo-deny')}\n`,
    );
    expect((await cargo('link', ['denyy'], env)).stderr).toContain(
      'help: a command with a similar name exists: `deny`',
    );
    const { status, stderr } = await cargo('link', ['wood'], env);
    expect(status).toBe(0);
    expect(stderr).toContain(
      `warning: user-defined alias \`wood\` is shadowing an external subcommand found at \`${place('home/bin/cargo-wood')}\`\n` +
        '  |\n  = note: this was previously accepted but will become a hard error in the future; see <https://github.com/rust-lang/cargo/issues/10049>\n',
    );
  });
});

describe('tsreg under its own name', () => {
  it('reports a command that needs Rust', async () => {
    const { status, stderr } = await run(tsregProgram(), ['clippy']);
    expect(status).toBe(101);
    expect(stderr).toContain(
      '`clippy` is not a command of tsreg: it needs the Rust toolchain\n\nhelp: run `cargo clippy` on a machine with Rust',
    );
    expect(stderr).toContain("view tsreg's commands with `tsreg --list`");
  });
});
