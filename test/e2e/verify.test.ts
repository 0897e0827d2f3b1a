import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram, tsregProgram, type RunResult } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const REFUSAL = 'To proceed despite this, pass the `--no-verify` flag.';

let temp: TempDir;
/** The folder of the package. `unpacked` is the folder of its unpacked archive. */
let root: string;
let unpacked: string;
beforeEach(() => {
  temp = makeTempDir('verify');
  root = path.join(temp.path, 'package');
  unpacked = path.join(root, 'target', 'package', 'plain-1.0.0');
  write('Cargo.toml', '[package]\nname = "plain"\nversion = "1.0.0"\nedition = "2021"\n[features]\na = []\n');
  write('src/lib.rs', '');
  // Without a compiler, nothing is built.
  script('rustc', 'echo "release: 1.90.0"; echo "host: x86_64-unknown-linux-gnu"');
});
afterEach(() => temp.remove());

function write(name: string, text: string): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function script(name: string, text: string): string {
  const file = path.join(temp.path, 'bin', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Writes a fake cargo that records its arguments and then runs `text`. */
function cargo(text: string): void {
  script(
    'cargo',
    `case "$1" in
      --version) echo "cargo 1.95.0 (x)"; echo "libgit2: 1.9.0"; exit 0;;
    esac
    printf '%s\\n' "$@" > ${temp.path}/arguments
    ${text}`,
  );
}

async function tsreg(...args: string[]): Promise<RunResult> {
  return runWith({}, ['package', '--no-metadata', '--allow-dirty', ...args]);
}

async function runWith(env: Record<string, string>, args: string[]): Promise<RunResult> {
  return runProgram(tsregProgram(), args, {
    cwd: root,
    env: {
      ...env,
      PATH: `${path.join(temp.path, 'bin')}:/usr/bin:/bin`,
      HOME: temp.path,
      CARGO_HOME: path.join(temp.path, 'home'),
    },
  });
}

/** Returns the messages after the archive was created. */
function said({ stderr }: RunResult): string {
  return stderr.slice(stderr.indexOf('   Verifying')).replaceAll(root, '/package');
}

describe.skipIf(onWindows)('verification (not on Windows: cargo is a shell script here)', () => {
  test('builds the unpacked archive with the given flags and shows the output of cargo', async () => {
    cargo('echo "    Finished by cargo" >&2');
    const result = await tsreg('--features', 'a', '-j', '3', '--config', 'term.verbose=false', '--offline');
    expect(said(result)).toBe('   Verifying plain v1.0.0 (/package)\n    Finished by cargo\n');
    expect(result.status).toBe(0);
    const args = readFileSync(path.join(temp.path, 'arguments'), 'utf8').trim().split('\n');
    const target = path.join(root, 'target');
    expect(args).toEqual([
      'build',
      `--manifest-path=${unpacked}/Cargo.toml`,
      `--target-dir=${target}`,
      '--features=a',
      '--jobs=3',
      '--offline',
      '--config',
      'term.verbose=false',
      `--config=build.build-dir="${target}"`,
    ]);
    expect(existsSync(path.join(unpacked, 'src', 'lib.rs'))).toBe(true);
    expect(existsSync(path.join(target, 'package', 'plain-1.0.0.crate'))).toBe(true);
  });

  test('builds with the lock file of the archive even if the configuration names another', async () => {
    write('.cargo/config.toml', '[resolver]\nlockfile-path = "my/Cargo.lock"\n');
    cargo(':');
    expect((await tsreg()).status).toBe(0);
    const args = readFileSync(path.join(temp.path, 'arguments'), 'utf8').trim().split('\n');
    expect(args).toContain(`--config=resolver.lockfile-path="${unpacked}/Cargo.lock"`);
    expect(existsSync(path.join(root, 'Cargo.lock'))).toBe(false);
  });

  test.each([
    ['1', ['--features', 'a'], []],
    ['1', ['--all-features'], ['--all-features']],
    ['1', ['--no-default-features'], []],
    ['2', ['--no-default-features'], ['--no-default-features']],
  ])(
    'with resolver %s and the flags %j, builds another member with %j',
    async (resolver, flags, expected) => {
      const manifest = readFileSync(path.join(root, 'Cargo.toml'), 'utf8');
      write('Cargo.toml', `${manifest}[workspace]\nmembers = ["other"]\nresolver = "${resolver}"\n`);
      write('other/Cargo.toml', '[package]\nname = "other"\nversion = "1.0.0"\nedition = "2021"\n');
      write('other/src/lib.rs', '');
      cargo(':');
      expect((await tsreg('-p', 'other', ...flags)).status).toBe(0);
      const args = readFileSync(path.join(temp.path, 'arguments'), 'utf8').split('\n');
      expect(args.filter((arg) => arg.includes('features'))).toEqual(expected);
    },
  );

  test('fails if cargo fails, and keeps the unpacked archive', async () => {
    cargo('echo "error: could not compile" >&2; exit 101');
    const result = await tsreg();
    expect(said(result)).toBe(
      '   Verifying plain v1.0.0 (/package)\nerror: could not compile\nerror: failed to verify package tarball\n',
    );
    expect(result.status).toBe(101);
    expect(existsSync(path.join(unpacked, 'Cargo.toml'))).toBe(true);
    expect(existsSync(path.join(root, 'target', 'package', 'plain-1.0.0.crate'))).toBe(false);
  });

  test('refuses a build that changes its sources, but not one that changes its lock file', async () => {
    cargo(`cd ${unpacked}; echo x > Cargo.lock; mkdir target; echo x > target/x`);
    const lock = await tsreg();
    expect(lock.status).toBe(0);
    expect(readFileSync(path.join(unpacked, 'Cargo.lock'), 'utf8')).toMatch(/^# This file is automatically/);
    cargo(`cd ${unpacked}; echo x >> Cargo.toml; echo x > src/b.rs; echo x > src/a.rs; rm src/lib.rs`);
    const result = await tsreg();
    expect(result.status).toBe(101);
    expect(said(result)).toBe(
      `   Verifying plain v1.0.0 (/package)
error: failed to verify package tarball

Caused by:
  Source directory was modified by build.rs during cargo publish. Build scripts should not modify anything outside of OUT_DIR.
  Changed: /package/target/package/plain-1.0.0/Cargo.toml
  Added: /package/target/package/plain-1.0.0/src/a.rs
  \t/package/target/package/plain-1.0.0/src/b.rs
  Removed: /package/target/package/plain-1.0.0/src/lib.rs

  ${REFUSAL}
`,
    );
  });

  test('builds a package without a lock file with a temporary one', async () => {
    cargo(`cp ${unpacked}/Cargo.lock ${temp.path}/built.lock`);
    expect((await tsreg('--exclude-lockfile')).status).toBe(0);
    expect(readFileSync(path.join(temp.path, 'built.lock'), 'utf8')).toContain('name = "plain"');
    expect(existsSync(path.join(unpacked, 'Cargo.lock'))).toBe(false);
  });

  test('isolates the package from a workspace around the target directory', async () => {
    cargo(`cp ${root}/out/package/plain-1.0.0/Cargo.toml ${temp.path}/built.toml`);
    const result = await tsreg('--target-dir', 'out');
    expect(result.status).toBe(0);
    expect(readFileSync(path.join(temp.path, 'built.toml'), 'utf8')).not.toContain('[workspace]');
    write('Cargo.toml', `${readFileSync(path.join(root, 'Cargo.toml'), 'utf8')}[workspace]\n`);
    expect((await tsreg('--target-dir', 'out')).status).toBe(0);
    expect(readFileSync(path.join(temp.path, 'built.toml'), 'utf8')).toContain('\n[workspace]\n');
    const after = path.join(root, 'out', 'package', 'plain-1.0.0', 'Cargo.toml');
    expect(readFileSync(after, 'utf8')).not.toContain('[workspace]');
  });

  test('waits for another run that uses the same folder', async () => {
    cargo(`mkdir ${temp.path}/busy || exit 7; sleep 0.5; rmdir ${temp.path}/busy`);
    const runs = await Promise.all([tsreg(), tsreg()]);
    expect(runs.filter(({ status }) => status !== 0)).toEqual([]);
    expect(runs.filter(({ stderr }) => stderr.includes('Blocking waiting for file lock')).length).toBe(1);
  });

  test('warns that nothing was built if cargo is missing or is tsreg itself', async () => {
    const warned =
      '   Verifying plain v1.0.0 (/package)\nwarning: the packages were not built, since no Rust toolchain was found\n';
    const none = await tsreg();
    expect(said(none)).toBe(warned);
    expect(none.status).toBe(0);
    const [node, program = ''] = tsregProgram().command;
    script('cargo', `TSREG_COMPAT=cargo exec ${node} ${program} "$@"`);
    expect(said(await tsreg())).toBe(warned);
    mkdirSync(path.join(temp.path, 'home', 'bin'), { recursive: true });
    symlinkSync(path.join(temp.path, 'bin', 'cargo'), path.join(temp.path, 'home', 'bin', 'cargo'));
    expect(said(await tsreg())).toBe(warned);
  });

  test('fails if cargo cannot use the requested toolchain', async () => {
    script('cargo', 'echo "error: toolchain is not installed" >&2; exit 1');
    const flags = ['--no-metadata', '--allow-dirty', '-q'];
    const failed = {
      status: 101,
      stdout: '',
      stderr:
        'error: cannot build the packages with the toolchain `nope`, since no cargo runs with it\n\n' +
        'help: choose another toolchain, or pass `--no-verify` to skip the build\n',
    };
    expect(await runWith({}, ['+nope', 'package', ...flags])).toMatchObject(failed);
    const env = { RUSTUP_TOOLCHAIN: 'nope' };
    expect(await runWith(env, ['package', ...flags])).toMatchObject(failed);
    expect((await runWith(env, ['package', '--no-verify', ...flags])).status).toBe(0);
    expect((await runWith({ RUSTUP_TOOLCHAIN: '' }, ['package', ...flags])).status).toBe(0);
  });

  test('says in JSON whether the package was built', async () => {
    const verified = async (): Promise<unknown> => JSON.parse((await tsreg('--json')).stdout);
    expect(await verified()).toMatchObject({ packages: [{ verified: false }] });
    cargo(':');
    expect(await verified()).toMatchObject({ packages: [{ verified: true }] });
  });

  test('builds a single package also with a cargo that knows no local registry', async () => {
    write('.cargo/config.toml', '[registries.own]\nindex = "sparse+http://127.0.0.1:1/"\n');
    cargo(':');
    const fake = path.join(temp.path, 'bin', 'cargo');
    writeFileSync(fake, readFileSync(fake, 'utf8').replace('1.95.0', '1.80.0'));
    expect(said(await tsreg('--registry', 'own'))).toBe('   Verifying plain v1.0.0 (/package)\n');
  });

  test('builds independent packages also with a cargo that knows no local registry', async () => {
    write('.cargo/config.toml', '[registries.own]\nindex = "sparse+http://127.0.0.1:1/"\n');
    write('Cargo.toml', '[workspace]\nmembers = ["one", "two"]\nresolver = "2"\n');
    for (const name of ['one', 'two']) {
      write(`${name}/Cargo.toml`, `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n`);
      write(`${name}/src/lib.rs`, '');
    }
    cargo(':');
    const fake = path.join(temp.path, 'bin', 'cargo');
    writeFileSync(fake, readFileSync(fake, 'utf8').replace('1.95.0', '1.80.0'));
    const result = await tsreg('--registry', 'own', '--workspace', '--json');
    expect(JSON.parse(result.stdout)).toMatchObject({ packages: [{ verified: true }, { verified: true }] });
  });

  test('checks the manifest if cargo is missing', async () => {
    write(
      'Cargo.toml',
      '[package]\nname = "plain"\nversion = "1.0.0"\n[[bin]]\nname = "b"\npath = "src/b.rs"\nproc-macro = true\n',
    );
    write('src/b.rs', '');
    const result = await tsreg();
    expect(said(result)).toBe(
      `   Verifying plain v1.0.0 (/package)
warning: Cargo.toml: \`package.edition\` is unspecified, defaulting to \`2015\` while the latest is \`2024\`
error: Cargo.toml: the target \`b\` is a binary and can't have \`proc-macro\` set \`true\`
warning: \`plain\` (manifest) generated 1 warning
error: failed to verify package tarball

Caused by:
  could not parse \`plain\` (manifest) due to 1 previous error
`,
    );
    expect(result.status).toBe(101);
  });
});
