import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { missingForTyping, startTypedShell } from '../helpers/typed-shell.ts';

const temp = makeTempDir('completions');
const workspace = path.join(temp.path, 'ws');
const bin = path.join(temp.path, 'bin');
const scripts = path.join(temp.path, 'scripts');
const home = path.join(temp.path, 'home');
const env = {
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  CARGO_HOME: home,
  TERM: 'dumb',
  LANG: 'C.UTF-8',
};

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Returns the completions of the program, without descriptions. */
async function complete(
  words: readonly string[],
  { cwd = workspace, more = {} }: { readonly cwd?: string; readonly more?: Record<string, string> } = {},
): Promise<readonly string[]> {
  const options = { cwd, env: { ...env, ...more } };
  const { status, stdout, stderr } = await runProgram(tsregProgram(), ['complete', '--', ...words], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t', 1).join(''));
}

beforeAll(async () => {
  cpSync(path.join(projectRoot, 'fixtures', 'demo'), workspace, { recursive: true });
  writeFileSync(path.join(workspace, 'made before.crate'), '');
  for (const folder of [bin, scripts, home]) mkdirSync(folder);
  const file = path.join(bin, 'tsreg');
  const quoted = tsregProgram().command.map((word) => `'${word}'`);
  writeFileSync(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
  writeFileSync(path.join(home, 'config.toml'), '[alias]\nmd = "metadata --no-deps"\n');
  for (const shell of SHELLS) {
    const { stdout } = await runProgram(tsregProgram(), ['completions', shell], { cwd: workspace, env });
    writeFileSync(path.join(scripts, shell === 'zsh' ? '_tsreg' : shell), stdout);
  }
});

afterAll(() => temp.remove());

describe('the program', () => {
  it('completes members, features, registries, targets and aliases', async () => {
    expect(await complete(['tree', '-p', ''])).toEqual(['words', 'greet', 'hello']);
    expect(await complete(['publish', '--exclude=h'])).toEqual(['words', '--exclude=hello']);
    expect(await complete(['metadata', '-p', 'greet', '-F', 'greet/l'])).toEqual(['words', 'greet/loud']);
    expect(await complete(['package', '-p', 'greet', '-F', 'lo'])).toEqual(['words', 'loud']);
    const more = { CARGO_REGISTRIES_OWN_ONE_INDEX: 'sparse+http://127.0.0.1:1/' };
    expect(await complete(['search', '--registry', ''], { more })).toEqual(['words', 'crates-io', 'own-one']);
    expect(await complete(['metadata', '--filter-platform', 'x86_64-apple-d'])).toEqual([
      'words',
      'x86_64-apple-darwin',
    ]);
    expect(await complete(['metadata', '--fields', 'version,res'])).toEqual(['words', 'version,resolve']);
    expect(await complete(['md', '--no-d'])).toEqual(['words', '--no-default-features']);
    expect(await complete(['m'])).toEqual(['words', 'metadata', 'md']);
  });

  it('completes packages of the lock file unless it cannot be read', async () => {
    const root = path.join(temp.path, 'locked');
    cpSync(workspace, root, { recursive: true });
    const names = async (lockfile: string): Promise<readonly string[]> => {
      writeFileSync(path.join(root, 'Cargo.lock'), lockfile);
      return complete(['pkgid', ''], { cwd: root });
    };
    const locked = '[[package]]\nname = "unrelated"\nversion = "1.0.0"\n';
    expect(await names(`version = 4\n\n${locked}`)).toEqual(['words', 'greet', 'hello', 'unrelated']);
    expect(await names(`version =\n\n${locked}`)).toEqual(['words', 'greet', 'hello']);
    mkdirSync(path.join(root, 'locks'));
    writeFileSync(path.join(root, 'locks', 'Cargo.lock'), `version = 4\n\n${locked}`);
    const more = { CARGO_RESOLVER_LOCKFILE_PATH: path.join(root, 'locks', 'Cargo.lock') };
    expect(await complete(['pkgid', ''], { cwd: root, more })).toEqual([
      'words',
      'greet',
      'hello',
      'unrelated',
    ]);
  });

  it('leaves files to the shell', async () => {
    expect(await complete(['publish', ''])).toEqual(['files .crate']);
    expect(await complete(['metadata', '--manifest-path=x'])).toEqual(['files']);
    expect(await complete(['vendor', ''])).toEqual(['folders']);
  });

  it('prints no error without a valid manifest or command', async () => {
    const broken = path.join(temp.path, 'broken');
    mkdirSync(broken);
    writeFileSync(path.join(broken, 'Cargo.toml'), 'no manifest');
    for (const cwd of [broken, temp.path]) {
      expect(await complete(['tree', '-p', ''], { cwd })).toEqual(['words']);
      expect(await complete(['metadata', '-F', ''], { cwd })).toEqual(['words']);
    }
    expect(await complete(['no-such-command', ''])).toEqual(['words']);
    expect(await complete([])).toContain('metadata');
    expect(await complete(['""'])).toContain('metadata');
  });

  it('does not list `complete` among its commands', async () => {
    for (const args of [['--help'], ['--list'], ['complete', '--', '']]) {
      const { stdout } = await runProgram(tsregProgram(), args, { cwd: workspace, env });
      expect(stdout).toMatch(/^\s*completions\s/m);
      expect(stdout).not.toMatch(/^\s*complete\s/m);
    }
  });

  it('refuses an unknown shell and lists the supported ones', async () => {
    const { status, stderr } = await runProgram(tsregProgram(), ['completions', 'fsh'], {
      cwd: workspace,
      env,
    });
    expect(status).toBe(101);
    expect(stderr).toContain('[possible values: bash, zsh, fish, powershell]');
    expect(stderr).toContain("a similar value exists: 'fish'");
  });
});

/** Typed text, and the line that the shell completes it to. */
const TYPED = [
  ['tsreg metad', 'tsreg metadata '],
  ['tsreg metadata --color=al', 'tsreg metadata --color=always '],
  ['tsreg metadata --color al', 'tsreg metadata --color always '],
  ['tsreg tree -p gr', 'tsreg tree -p greet '],
  ['tsreg package -p greet --features=lo', 'tsreg package -p greet --features=loud '],
  ['tsreg metadata --manifest-path=greet/Ca', 'tsreg metadata --manifest-path=greet/Cargo.toml '],
  ['tsreg vendor gre', 'tsreg vendor greet/'],
  ['tsreg serve tok', 'tsreg serve token '],
  ['tsreg md --filter', 'tsreg md --filter-platform '],
] as const;

const CLEAR_LINE = '\u0015';

const bashMissing = missingForTyping('bash');
describe.skipIf(bashMissing !== null)(`bash${bashMissing === null ? '' : ` (${bashMissing})`}`, () => {
  it('completes the typed text', async () => {
    await using shell = startTypedShell('bash --norc --noprofile -i', {
      cwd: workspace,
      env: { ...env, PS1: '> ' },
    });
    await shell.type(`. '${path.join(scripts, 'bash')}'; echo rea''dy\n`, /ready\r?\n/);
    for (const [typed, full] of TYPED) {
      await shell.type(`${typed}\t`, new RegExp(escape(full)));
      await shell.type(CLEAR_LINE, /^/);
    }
    await shell.type(`tsreg publish ma\t`, /made\\ before\.crate /);
    await shell.type(CLEAR_LINE, /^/);
    await shell.type(String.raw`tsreg publish made\ b` + '\t', /made\\ before\.crate /);
    await shell.type(CLEAR_LINE, /^/);
    await shell.type('tsreg publish "made b\t', /"made before\.crate" /);
  });
});

const zshMissing = missingForTyping('zsh');
describe.skipIf(zshMissing !== null)(`zsh${zshMissing === null ? '' : ` (${zshMissing})`}`, () => {
  it.each(['from a folder of fpath', 'by source'])(
    'completes the typed text with the script loaded %s',
    async (way) => {
      await using shell = startTypedShell('zsh -f -i', { cwd: workspace, env: { ...env, PS1: '> ' } });
      const first = way === 'by source' ? '' : `fpath=('${scripts}' $fpath);`;
      const last = way === 'by source' ? `source '${path.join(scripts, '_tsreg')}';` : '';
      await shell.type(
        `${first} autoload -Uz compinit; compinit -u -D; ${last} echo rea''dy\n`,
        /ready\r?\n/,
      );
      for (const [typed, full] of TYPED) {
        await shell.type(`${typed}\t`, new RegExp(escape(full)));
        await shell.type(CLEAR_LINE, /^/);
      }
      await shell.type(`tsreg publish ma\t`, /made\\ before\.crate /);
    },
  );
});

const fishMissing = missingForTyping('fish');
describe.skipIf(fishMissing !== null)(`fish${fishMissing === null ? '' : ` (${fishMissing})`}`, () => {
  it('completes the typed text', () => {
    const fish = (line: string): readonly string[] =>
      execFileSync(
        'fish',
        ['--no-config', '-c', `source '${path.join(scripts, 'fish')}'; complete -C '${line}'`],
        {
          cwd: workspace,
          env,
          encoding: 'utf8',
        },
      )
        .trimEnd()
        .split('\n')
        .map((each) => each.split('\t', 1).join(''));
    for (const [typed, full] of TYPED) {
      const start = typed.slice(0, typed.lastIndexOf(' ') + 1);
      expect(fish(typed).map((word) => start + word)).toEqual([full.trimEnd()]);
    }
    expect(fish('tsreg publish ma')).toEqual(['made before.crate']);
  });
});

describe('the script for PowerShell', () => {
  it('closes every bracket and every quote', async () => {
    const { stdout } = await runProgram(tsregProgram(), ['completions', 'powershell'], {
      cwd: workspace,
      env,
    });
    const code = stdout.replaceAll(/^ *#.*$/gm, '').replaceAll(/'[^'\n]*'/g, "''");
    expect(code.replaceAll("''", '')).not.toMatch(/['"`]/);
    const open: string[] = [];
    const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
    for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
      const opening = pairs[bracket];
      if (opening === undefined) open.push(bracket);
      else expect(open.pop()).toBe(opening);
    }
    expect(open).toEqual([]);
    expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName tsreg');
  });
});

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
