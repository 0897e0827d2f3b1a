import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../../../src/commands/shared/command.ts';
import { networkHint } from '../../../src/cli/network-hint.ts';
import { renderError } from '../../../src/cli/render-error.ts';
import { type ErrorCode, TsregError } from '../../../src/core/errors/error.ts';
import { metadata, publish, vendor, whoami } from '../../../src/index.ts';
import { gzipStored, packTar } from '../../helpers/tar.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('codes');
let server: Server;
let registryUrl = '';

beforeAll(async () => {
  server = createServer((request, answer) => {
    if (request.url === '/config.json') answer.end(JSON.stringify({ dl: registryUrl, api: registryUrl }));
    else answer.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  registryUrl = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
});
afterAll(() => {
  server.close();
  temp.remove();
});

/** An operation that fails, in its own folder with `files`. */
interface Mishap {
  readonly files?: Readonly<Record<string, string>>;
  run(call: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }): Promise<unknown>;
  /** The parts of the message: what is wrong, where it is, and what to do next. */
  readonly what: RegExp;
  readonly where: RegExp;
  /** A string says why the message has no such part. */
  readonly now: RegExp | string;
  /** How the command uses the network, if the test checks its network hint too. */
  readonly network?: Command['network'];
}

const PACKAGE = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n';
const SOURCES = { 'src/lib.rs': '' };
/** A vendor folder with `log` 0.4.0, whose checksum differs from the one in the lock file. */
const VENDORED = {
  '.cargo/config.toml':
    '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n',
  'vendor/log/Cargo.toml': '[package]\nname = "log"\nversion = "0.4.0"\n',
  'vendor/log/src/lib.rs': '',
  'vendor/log/.cargo-checksum.json': `{"files":{},"package":"${'0'.repeat(64)}"}`,
};

/** Every error code: a new code is a type error until it is here. */
const MISHAPS: Readonly<Record<ErrorCode, Mishap>> = {
  usage: {
    run: ({ env }) => metadata({ cwd: 'app', env }),
    what: /must be absolute/,
    where: /`cwd`/,
    now: /not `app`/,
  },
  config: {
    files: { 'Cargo.toml': PACKAGE, ...SOURCES, '.cargo/config.toml': '[build]\ntarget-dir = 1\n' },
    run: (call) => metadata(call),
    what: /`build\.target-dir`/,
    where: /\.cargo[/\\]config\.toml/,
    now: /expected a string, but found an? integer/,
  },
  toml: {
    files: { 'Cargo.toml': '[package]\nname = app\n' },
    run: (call) => metadata(call),
    what: /string values must be quoted/,
    where: /Cargo\.toml:2:8/,
    now: /quoted/,
  },
  manifest: {
    files: { 'Cargo.toml': PACKAGE },
    run: (call) => metadata(call),
    what: /no targets specified in the manifest/,
    where: /Cargo\.toml/,
    now: /either src\/lib\.rs, src\/main\.rs, a \[lib\] section, or \[\[bin\]\] section must be present/,
  },
  workspace: {
    files: { 'Cargo.toml': '[workspace]\nmembers = []\n', 'in/Cargo.toml': PACKAGE, 'in/src/lib.rs': '' },
    run: (call) => metadata({ ...call, cwd: path.join(call.cwd, 'in') }),
    what: /believes it's in a workspace when it's not/,
    where: /workspace: .*Cargo\.toml/,
    now: /adding `in` to the `workspace\.members` array/,
  },
  lockfile: {
    files: { 'Cargo.toml': PACKAGE, ...SOURCES },
    run: (call) => metadata({ ...call, locked: true }),
    what: /cannot create the lock file/,
    where: /Cargo\.lock/,
    now: /remove the --locked flag and use --offline/,
  },
  resolve: {
    files: { ...VENDORED, ...SOURCES, 'Cargo.toml': `${PACKAGE}[dependencies]\nlog = "2"\n` },
    run: (call) => metadata(call),
    what: /failed to select a version for the requirement `log = "\^2"`/,
    where: /required by package `app v0\.1\.0 \(/,
    now: /candidate versions found which didn't match: 0\.4\.0/,
  },
  source: {
    files: {
      ...SOURCES,
      'Cargo.toml': `${PACKAGE}[dependencies]\nlog = "1"\n`,
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "here"\n[source.here]\nlocal-registry = "nowhere"\n',
    },
    run: (call) => metadata(call),
    what: /local registry path is not a directory/,
    where: /source[/\\]nowhere/,
    now: /is not a directory/,
  },
  checksum: {
    files: {
      ...VENDORED,
      ...SOURCES,
      'Cargo.toml': `${PACKAGE}[dependencies]\nlog = "0.4"\n`,
      'Cargo.lock': `version = 4\n\n[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = [\n "log",\n]\n\n[[package]]\nname = "log"\nversion = "0.4.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${'1'.repeat(64)}"\n`,
    },
    run: (call) => metadata(call),
    what: /checksum for `log v0\.4\.0` changed between lock files/,
    where: /log v0\.4\.0/,
    now: /unable to verify that `log v0\.4\.0` is the same/,
  },
  archive: {
    files: { 'app.crate': 'no archive' },
    run: (call) => publishFile(call),
    what: /invalid gzip header/,
    where: /failed to read the archive `.*app\.crate`/,
    now: /`tsreg package` makes one/,
  },
  limit: {
    files: { 'app.crate': '' },
    run: async (call) => {
      const manifest = { path: 'app-0.1.0/Cargo.toml', data: Buffer.alloc(5 * 1024 * 1024, '#') };
      writeFileSync(path.join(call.cwd, 'app.crate'), gzipStored(packTar([manifest])));
      await publishFile(call);
    },
    what: /`Cargo\.toml` is too large/,
    where: /the archive `.*app\.crate`/,
    now: /more than 4194304 bytes/,
  },
  network: {
    files: {
      'Cargo.toml': `${PACKAGE}[dependencies]\nlog = { version = "1", registry = "mine" }\n`,
      ...SOURCES,
    },
    run: (call) =>
      whoami({
        ...call,
        registry: 'mine',
        config: ['registries.mine.index = "sparse+http://127.0.0.1:1/"'],
        token: 'x',
      }),
    what: /download of config\.json failed/,
    where: /Failed to connect to 127\.0\.0\.1:1 /,
    now: /help: the server does not respond: check `--index`, or the `index` of the registry in `\.cargo\/config\.toml`/,
    network: 'required',
  },
  auth: {
    run: (call) => whoami({ ...call, registry: 'mine', config: [mine()] }),
    what: /no token found/,
    where: /for `mine`/,
    now: /please run `tsreg login --registry mine`\nor use .* CARGO_REGISTRIES_MINE_TOKEN[^]*help: most registries show you a token at http:\/\/127\.0\.0\.1:\d+\/me/,
  },
  git: {
    files: { 'Cargo.toml': `${PACKAGE}[dependencies]\nlog = { git = "NOWHERE/src" }\n`, ...SOURCES },
    run: (call) => metadata(call),
    what: /failed to get `log` as a dependency of package `app/,
    where: /unable to update file:.*\/git\/src/,
    now: /help: `git ls-remote file:.*\/git\/src` shows git's own error/,
  },
  toolchain: {
    files: { 'Cargo.toml': PACKAGE, ...SOURCES },
    run: (call) => metadata({ ...call, filterPlatforms: ['wasm32-wasip4'] }),
    what: /unknown target/,
    where: /`wasm32-wasip4`/,
    now: /help: a target with a similar name exists: `wasm32-wasip1`/,
  },
  'not-found': {
    run: (call) => metadata(call),
    what: /could not find `Cargo\.toml`/,
    where: /in `.*` or any parent directory/,
    now: /help: go to the folder of a package, or name its `Cargo\.toml` with `--manifest-path`/,
  },
  io: {
    files: { 'Cargo.toml': PACKAGE, ...SOURCES, vendor: 'a file' },
    run: (call) => vendor(call),
    what: /failed to create directory/,
    where: /io[/\\]vendor`/,
    now: /help: the destination is not a folder, or is not writable: pass another one to `tsreg vendor DIR`/,
  },
  aborted: {
    files: { 'Cargo.toml': PACKAGE, ...SOURCES },
    run: (call) => metadata({ ...call, signal: AbortSignal.abort() }),
    what: /interrupted/,
    where: /./,
    now: 'whoever fired the signal knows why',
  },
  bug: {
    run: () => Promise.reject(new TsregError('a source did not give `log v1.0.0`', { code: 'bug' })),
    what: /a source did not give/,
    where: /log v1\.0\.0/,
    now: /this is a bug in tsreg, please report it/,
  },
};

type Call = Parameters<Mishap['run']>[0];

function publishFile(call: Call): Promise<unknown> {
  return publish({ ...call, file: 'app.crate', registry: 'mine', config: [mine()], token: 'x' });
}

function mine(): string {
  return `registries.mine.index = "sparse+${registryUrl}/"`;
}

function prepare(code: string, files: Readonly<Record<string, string>>): string {
  const cwd = path.join(temp.path, code);
  mkdirSync(cwd, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(cwd, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('NOWHERE', pathToFileURL(cwd).href));
  }
  return cwd;
}

it.each(Object.entries(MISHAPS))(
  '%s: the message says what is wrong, where, and what to do next',
  async (code, mishap) => {
    const cwd = prepare(code, mishap.files ?? {});
    const env = {
      CARGO_HOME: path.join(temp.path, 'home'),
      PATH: process.env['PATH'] ?? '',
      CARGO_NET_RETRY: '0',
    };
    const error = await mishap.run({ cwd, env }).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof TsregError)) throw new Error(`no TsregError: ${String(error)}`);
    const { network } = mishap;
    const hint = networkHint(
      error,
      { name: code, ...(network === undefined ? {} : { network }) },
      { offline: false },
    );
    const styled = renderError(error, {
      cwd,
      width: null,
      verbose: false,
      quiet: false,
      program: 'tsreg',
      hint,
    });
    // oxlint-disable-next-line no-control-regex
    const text = styled.replaceAll(/\x1b\[[\d;]*m/g, '');
    expect(text).toMatch(mishap.what);
    expect(text).toMatch(mishap.where);
    if (typeof mishap.now !== 'string') expect(text).toMatch(mishap.now);
    expect(error.code).toBe(code);
  },
);
