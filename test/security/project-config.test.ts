import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/io/config/config.ts';
import { reportTo } from '../../src/core/report/report.ts';
import { type HostileRegistry, startHostileRegistry } from '../helpers/hostile-registry.ts';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const program = tsregProgram();
const METADATA = ['metadata', '--format-version', '1'];
const MODES = ['off', 'data'] as const;

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('project-config');
  writeTree(temp.path, {
    'home/.keep': '',
    'ws/Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    'ws/src/lib.rs': '',
  });
});
afterEach(() => temp.remove());

const at = (...parts: readonly string[]): string => path.join(temp.path, ...parts);
const mark = (): string => at('mark');

/** Writes a configuration file of the project. */
function project(config: string, name = 'ws/.cargo/config.toml'): void {
  writeTree(temp.path, { [name]: config });
}

/** Writes a program that creates the mark when it runs, and returns its path. */
function evilProgram(name = 'ws/evil.sh'): string {
  writeTree(temp.path, { [name]: `#!/bin/sh\necho ran >> ${mark()}\n` });
  chmodSync(at(name), 0o755);
  return at(name);
}

function run(
  args: readonly string[],
  mode: string | null,
  more: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: at('user'),
    CARGO_HOME: at('home'),
    ...(mode === null ? {} : { TSREG_PROJECT_CONFIG: mode }),
    ...more,
  };
  return runProgram(program, args, { cwd: at('ws'), env });
}

describe.skipIf(onWindows).each(MODES)(
  'a program of the project with TSREG_PROJECT_CONFIG=%s (not on Windows: it is a shell script)',
  (mode) => {
    const dependent = (): void =>
      writeTree(temp.path, {
        'ws/Cargo.toml':
          '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nx = { path = "../x" }\n',
        'x/Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n',
        'x/src/lib.rs': '',
      });

    test.each([
      ['build.rustc', (file: string) => `build.rustc = "${file}"\n`],
      ['build.rustc-wrapper', (file: string) => `build.rustc-wrapper = "${file}"\n`],
      ['build.rustc, included', () => 'include = ["more.toml"]\n'],
    ])('does not run if it is %s', async (_, config) => {
      dependent();
      const file = evilProgram();
      project(config(file));
      project(`build.rustc = "${file}"\n`, 'ws/.cargo/more.toml');
      expect((await run(METADATA, mode)).status).toBe(0);
      expect(existsSync(mark())).toBe(false);
      // Without the setting the program does run, so the mark works.
      rmSync(at('ws', 'Cargo.lock'), { force: true });
      await run(METADATA, null);
      expect(existsSync(mark())).toBe(true);
    });

    test('does not run if it is the toolchain of a `rust-toolchain.toml`', async () => {
      dependent();
      // Imitates rustup, which runs the toolchain that the file in its working folder names.
      writeTree(temp.path, {
        'bin/rustc': `#!/bin/sh\n[ -f rust-toolchain.toml ] && echo ran >> ${mark()}\nprintf 'release: 1.95.0\\nhost: x86_64-unknown-linux-gnu\\n'\n`,
        'ws/rust-toolchain.toml': '[toolchain]\npath = "evil"\n',
      });
      chmodSync(at('bin', 'rustc'), 0o755);
      const PATH = `${at('bin')}:${process.env['PATH'] ?? ''}`;
      expect((await run(METADATA, mode, { PATH })).status).toBe(0);
      expect(existsSync(mark())).toBe(false);
      rmSync(at('ws', 'Cargo.lock'), { force: true });
      await run(METADATA, null, { PATH });
      expect(existsSync(mark())).toBe(true);
    });

    test('does not run if it is a credential provider', async () => {
      await using evil = await startHostileRegistry();
      evil.files.set('/config.json', JSON.stringify({ dl: evil.url, api: evil.url, 'auth-required': true }));
      const file = evilProgram();
      writeTree(temp.path, { 'home/config.toml': `registries.corp.index = "${evil.index}"\n` });
      for (const config of [
        `registries.corp.credential-provider = ["${file}"]\n`,
        `registry.global-credential-providers = ["${file}"]\n`,
        `credential-alias.x = ["${file}"]\nregistry.global-credential-providers = ["x"]\n`,
      ]) {
        project(config);
        expect((await run(['info', 'x', '--registry', 'corp'], mode)).status).toBe(101);
        expect(existsSync(mark())).toBe(false);
        await run(['info', 'x', '--registry', 'corp'], null);
        expect(existsSync(mark())).toBe(true);
        rmSync(mark());
      }
    });
  },
);

describe.each(MODES)('a server of the project with TSREG_PROJECT_CONFIG=%s', (mode) => {
  const asks = async (
    config: (evil: HostileRegistry) => string,
    args: readonly string[],
  ): Promise<number> => {
    await using evil = await startHostileRegistry();
    evil.fallback = '';
    project(config(evil));
    await run(args, mode, { CARGO_NET_RETRY: '0', CARGO_HTTP_TIMEOUT: '5' });
    return evil.requests.length;
  };

  test('gets no request in place of a registry of the home', async () => {
    await using own = await startHostileRegistry();
    writeTree(temp.path, {
      'home/config.toml': `registry.global-credential-providers = ["cargo:token"]\nregistries.corp.index = "${own.index}"\n`,
      'home/credentials.toml': '[registries.corp]\ntoken = "secret-token"\n',
    });
    expect(
      await asks((evil) => `registries.corp.index = "${evil.index}"\n`, ['info', 'x', '--registry', 'corp']),
    ).toBe(0);
    expect(own.requests).toContain('/config.json');
  });

  test.each([
    [
      'source.crates-io',
      (evil: HostileRegistry) => `source.crates-io.replace-with = "e"\nsource.e.registry = "${evil.index}"\n`,
    ],
    ['http.proxy', (evil: HostileRegistry) => `http.proxy = "${evil.url}"\n`],
    [
      'registry.default',
      (evil: HostileRegistry) => `registry.default = "e"\nregistries.e.index = "${evil.index}"\n`,
    ],
  ])('gets no request through %s', async (_, config) => {
    writeTree(temp.path, {
      'home/config.toml':
        'source.crates-io.replace-with = "v"\nsource.v.registry = "sparse+http://127.0.0.1:9/"\n',
    });
    const more = ['info', 'serde'];
    expect(await asks(config, more)).toBe(0);
  });
});

describe('TSREG_PROJECT_CONFIG', () => {
  const settings = (
    mode: string | null,
    more: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
  ) => {
    const warnings: string[] = [];
    const report = reportTo({
      warning: (text) => void warnings.push(typeof text === 'string' ? text : text.title),
    });
    const env = { CARGO_HOME: at('home'), ...(mode === null ? {} : { TSREG_PROJECT_CONFIG: mode }), ...more };
    const config = loadConfig({ cwd: at('ws'), env, report }).withArguments(args);
    return { config, warnings };
  };

  test.each(['', null])('trusts the whole configuration by default: %j', (mode) => {
    project('build.rustc = "x"\n');
    expect(settings(mode).config.string('build.rustc')?.value).toBe('x');
  });

  test.each(['on', 'OFF', 'none', '0', 'data '])('cannot have the value %j', async (mode) => {
    const { status, stderr } = await run(METADATA, mode);
    expect(status).toBe(101);
    expect(stderr).toContain(
      `invalid value \`${mode}\` for \`TSREG_PROJECT_CONFIG\`: expected \`off\` or \`data\``,
    );
  });

  test.each(MODES)('trusts the home, environment and `--config` with %s', (mode) => {
    writeTree(temp.path, {
      'home/config.toml': 'include = ["more.toml"]\nbuild.rustc = "from-home"\n',
      'home/more.toml': 'build.rustc-wrapper = "included"\n',
    });
    project('build.rustc = "from-project"\n');
    const { config } = settings(mode, { CARGO_HTTP_PROXY: 'from-environment' }, [
      'http.cainfo = "from-argument"',
    ]);
    expect(config.string('build.rustc')?.value).toBe('from-home');
    expect(config.string('build.rustc-wrapper')?.value).toBe('included');
    expect(config.string('http.proxy')?.value).toBe('from-environment');
    expect(config.string('http.cainfo')?.value).toBe('from-argument');
  });

  test.each(MODES)('trusts a `.cargo` above the working folder that links to the home, with %s', (mode) => {
    writeTree(temp.path, { 'home/config.toml': 'build.rustc = "from-home"\n' });
    symlinkSync(at('home'), at('.cargo'), 'junction');
    project('build.rustc = "from-project"\n');
    expect(settings(mode).config.string('build.rustc')?.value).toBe('from-home');
  });

  test('trusts no project file, including those of parent folders, with `off`', () => {
    project('term.color = "always"\nbuild.target = "x"\n');
    project('build.jobs = 3\n', '.cargo/config');
    const { config, warnings } = settings('off');
    expect(config.values().size).toBe(0);
    expect(warnings).toEqual([]);
  });

  test('trusts only keys that neither run a program nor name a server with `data`', () => {
    project(
      'paths = ["x"]\nbuild = { target = "t", jobs = 2, rustc = "r", rustflags = ["-Zx"], target-dir = "/" }\n' +
        '[patch.crates-io]\na = { path = "a" }\n[term]\ncolor = "never"\nquiet = true\n[profile.dev]\nopt-level = 1\n' +
        '[resolver]\nlockfile-path = "x/Cargo.lock"\n[http]\nproxy = "p"\ncainfo = "c"\n[net]\ngit-fetch-with-cli = true\n[env]\nA = "b"\n[alias]\nx = "y"\n' +
        '[target.x]\nlinker = "l"\n[registries.r]\nindex = "i"\n[registry]\ndefault = "r"\ntoken = "t"\n' +
        '[source.s]\ndirectory = "d"\n[credential-alias]\nc = "c"\n[doc]\nbrowser = "b"\n[unstable]\nu = true\n[new]\nkey = 1\n',
    );
    const { config, warnings } = settings('data');
    expect([...config.values().keys()]).toEqual(['paths', 'build', 'patch', 'term', 'profile']);
    expect([...(config.table('build')?.keys() ?? [])]).toEqual(['target', 'jobs']);
    expect([...(config.table('term')?.keys() ?? [])]).toEqual(['color']);
    const ignored =
      'build.rustc build.rustflags build.target-dir term.quiet resolver.lockfile-path http.proxy http.cainfo net.git-fetch-with-cli env.A alias.x ' +
      'target.x registries.r registry.default registry.token source.s credential-alias.c doc.browser unstable.u new.key';
    const keys = ignored
      .split(' ')
      .map((key) => `\`${key}\``)
      .join(', ');
    expect(warnings).toEqual([
      `ignoring ${keys} in the project's file \`${at('ws', '.cargo', 'config.toml')}\`, because of \`TSREG_PROJECT_CONFIG=data\``,
    ]);
  });

  test('warns once about ignored keys, and not if no key is ignored', async () => {
    project('net.git-fetch-with-cli = true\n');
    for (let count = 0; count < 2; count += 1) {
      const { stderr } = await run(METADATA, 'data');
      expect(stderr.split('TSREG_PROJECT_CONFIG=data')).toHaveLength(2);
    }
    project('build.jobs = 2\n');
    expect((await run(METADATA, 'data')).stderr).not.toContain('TSREG_PROJECT_CONFIG');
  });

  test('allows an invalid project file with `off`, but not with `data`', async () => {
    project('this is no TOML');
    expect((await run(METADATA, 'off')).status).toBe(0);
    expect((await run(METADATA, 'data')).status).toBe(101);
  });
});

test('the cache of a run with one TSREG_PROJECT_CONFIG does not affect a run with another', async () => {
  mkdirSync(at('other'));
  writeTree(temp.path, {
    'ws/Cargo.toml':
      '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nx = { path = "../x" }\n',
    'x/Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n',
    'x/src/lib.rs': '',
    'over/x/Cargo.toml': '[package]\nname = "x"\nversion = "0.2.0"\n',
    'over/x/src/lib.rs': '',
  });
  project('build.target-dir = "elsewhere"\npaths = ["../over/x"]\n');
  const modes = [null, 'data', 'off', 'data', null, 'off', null];
  for (const args of [METADATA, ['tree']]) {
    const without = new Map<string | null, string>();
    for (const mode of new Set(modes)) {
      without.set(mode, (await run(args, mode, { TSREG_CACHE: 'off' })).stdout);
    }
    for (const mode of modes) {
      const { stdout, stderr } = await run(args, mode);
      expect(stdout, `${args[0]} ${mode}`).toEqual(without.get(mode));
      expect(stderr.includes('TSREG_PROJECT_CONFIG=data')).toBe(mode === 'data');
    }
    if (args === METADATA) expect(new Set(without.values()).size).toBe(3);
  }
  writeFileSync(at('ws', '.cargo', 'config.toml'), '');
  for (const mode of modes) expect((await run(METADATA, mode)).status).toBe(0);
});
