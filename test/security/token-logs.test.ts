import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runProgram, tsregProgram, type RunResult } from '../helpers/program.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// The token is on the command line, and the registry requires it for reading too.

const temp = makeTempDir('token-logs');
const bin = path.join(temp.path, 'bin');
const root = path.join(temp.path, 'user');
const calls = path.join(temp.path, 'calls');
let registry: ServedRegistry;
let token = '';

beforeAll(async () => {
  registry = await serveRegistry(path.join(temp.path, 'data'), ['--auth-required']);
  token = await registry.token('alice');
  await registry.publish({ name: 'base', version: '1.0.0' }, token);
  script('rustc', 'echo "release: 1.90.0"; echo "host: x86_64-unknown-linux-gnu"');
  // Imitates cargo and records how it is started, with one folder for each command.
  script(
    'cargo',
    `case "$1" in --version) echo "cargo 1.95.0 (x)"; echo "libgit2: 1.9.0"; exit 0;; esac
    mkdir -p ${calls}/$1; printf '%s\\n' "$@" > ${calls}/$1/arguments; env > ${calls}/$1/environment
    for manifest in ${root}/target/package/*/Cargo.toml; do cp $manifest ${calls}/$1/; done`,
  );
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

beforeEach(() => {
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(path.join(root, 'home'), { recursive: true });
  writeFileSync(path.join(root, 'home', 'config.toml'), `[registries.own]\nindex = "${registry.index}"\n`);
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  write('registry = "own"');
});

function write(registryKey: string): void {
  const dependency = `base = { version = "1", ${registryKey} }`;
  const text = `[package]\nname = "top"\nversion = "1.0.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n`;
  writeFileSync(path.join(root, 'Cargo.toml'), `${text}[dependencies]\n${dependency}\n`);
}

function script(name: string, text: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(path.join(bin, name), 0o755);
}

function publish(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const home = path.join(root, 'home');
  const all = ['publish', '--dry-run', '--allow-dirty', '--token', token, ...args];
  return runProgram(tsregProgram(), all, {
    cwd: root,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home, CARGO_HOME: home, ...env },
  });
}

const noted = (command: string, what: string): string =>
  readFileSync(path.join(calls, command, what), 'utf8');

describe.skipIf(onWindows)(
  'verification of a package that needs `--token` for its dependencies (not on Windows: cargo is a shell script here)',
  () => {
    test('passes the token to `cargo fetch` in the environment, and not to `cargo build`', async () => {
      const { status, stderr } = await publish(['--registry', 'own']);
      expect(status, stderr).toBe(0);
      expect(noted('fetch', 'environment')).toContain(`\nCARGO_REGISTRIES_OWN_TOKEN=${token}\n`);
      expect(noted('fetch', 'environment')).toContain(
        '\nCARGO_REGISTRIES_OWN_CREDENTIAL_PROVIDER=cargo:token\n',
      );
      expect(noted('build', 'environment')).not.toContain(token);
      for (const command of ['fetch', 'build']) expect(noted(command, 'arguments')).not.toContain(token);
    });

    test('names the registry during the build, and keeps the index URL in the unpacked manifest', async () => {
      await publish(['--registry', 'own']);
      expect(noted('build', 'Cargo.toml')).toContain('\nregistry = "own"\n');
      const unpacked = path.join(root, 'target', 'package', 'top-1.0.0', 'Cargo.toml');
      expect(readFileSync(unpacked, 'utf8')).toContain(`\nregistry-index = "${registry.index}"\n`);
    });

    test('passes the token for a registry that has only a URL', async () => {
      writeFileSync(path.join(root, 'home', 'config.toml'), '');
      write(`registry-index = "${registry.index}"`);
      const { status, stderr } = await publish(['--index', registry.index]);
      expect(status, stderr).toBe(0);
      const environment = noted('fetch', 'environment');
      expect(environment).toContain(`\nCARGO_REGISTRIES_TSREG_UNNAMED_INDEX=${registry.index}\n`);
      expect(environment).toContain(`\nCARGO_REGISTRIES_TSREG_UNNAMED_TOKEN=${token}\n`);
      expect(noted('build', 'environment')).not.toContain(token);
    });
  },
);

test.each([
  { CARGO_LOG: 'trace', RUST_LOG: 'trace', CARGO_HTTP_DEBUG: 'true' },
  { NODE_DEBUG: 'http,http2,https,net,tls,stream,undici,fetch', DEBUG: '*' },
])('writes no token into logs with %j', async (env) => {
  const flags = ['--registry', 'own', '--no-verify', '--verbose', '--config', 'http.debug=true'];
  const { status, stdout, stderr } = await publish(flags, env);
  expect(status, stderr).toBe(0);
  expect(stdout + stderr).not.toContain(token);
  expect(existsSync(path.join(root, 'home', 'credentials.toml'))).toBe(false);
});
