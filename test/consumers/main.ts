// Runs third-party tools once with real cargo and once with the shim, and compares the results: npm run consumers
// Also reads `serve --demo` with a client for the web API of crates.io.
// `--all` includes tools that take minutes to build. Needs cargo, python3, npm and the network. Downloads and builds
// stay in .tmp/consumers.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { compilerFolder, findOracle, STABLE_CHANNEL } from '../conformance/oracle.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { tsregProgram } from '../helpers/program.ts';
import { authority, certificate, privateKey } from '../helpers/public-registry-certificates.ts';
import { serveRegistry } from '../helpers/served-registry.ts';

/** One invocation of a tool. */
interface Question {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The parts of Rust on the PATH besides the shim. With `cargo`, the shim passes builds to a real cargo. */
  readonly needs: 'nothing' | 'rustc' | 'cargo';
  /** A folder whose files are part of the result. It is emptied before the run. */
  readonly output?: string;
  /** Compares only the names in `output`, because builds are not reproducible. */
  readonly namesOnly?: boolean;
}

/** A tool, and how to install it. */
interface Tool {
  readonly name: string;
  readonly isSlow?: boolean;
  install(): Promise<void>;
  readonly questions: readonly Question[];
}

const VERSIONS = { maturin: '1.16.0', napi: '3.10.12', deny: '0.20.2' };
const SYSTEM = '/usr/local/bin:/usr/bin:/bin';

const root = path.join(projectRoot, '.tmp', 'consumers');
const at = (...names: string[]): string => path.join(root, ...names);
const oracle = findOracle();
const [cargo] = oracle.command;
const env = {
  ...STABLE_CHANNEL,
  HOME: root,
  CARGO_HOME: at('home'),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

/** Arguments of `cargo build` for a crate in this folder. */
function buildArguments(manifest: string): readonly string[] {
  return ['build', '--locked', '--quiet', '--manifest-path', manifest, '--target-dir', at('target')];
}

const readerManifest = path.join(projectRoot, 'test/consumers/reader/Cargo.toml');
const reader = at('target/debug/reader');
const workspaces = { reader: readerManifest, small: at('small/Cargo.toml'), python: at('python/Cargo.toml') };

const tools: readonly Tool[] = [
  {
    name: 'cargo_metadata, guppy and krates',
    install: async () => {
      await run([cargo, ...buildArguments(readerManifest)], { path: realPath() });
    },
    questions: ['cargo_metadata', 'guppy', 'krates'].flatMap((kind) =>
      Object.entries(workspaces).map(
        ([name, manifest]): Question => ({
          name: `${kind} on ${name}`,
          command: [reader, kind, manifest],
          cwd: root,
          needs: 'nothing',
        }),
      ),
    ),
  },
  {
    name: 'maturin',
    install: async () => {
      if (!existsSync(at('venv/bin/pip'))) await run(['python3', '-m', 'venv', at('venv')]);
      await run([at('venv/bin/pip'), 'install', '--quiet', `maturin==${VERSIONS.maturin}`]);
    },
    questions: [
      {
        name: 'maturin sdist',
        command: [at('venv/bin/maturin'), 'sdist', '--out', at('sdist')],
        cwd: at('python'),
        needs: 'rustc',
        output: at('sdist'),
      },
    ],
  },
  {
    name: '@napi-rs/cli',
    install: async () => {
      const target = ['--prefix', at('napi-cli'), '--no-audit', '--no-fund', '--silent'];
      await run(['npm', 'install', ...target, `@napi-rs/cli@${VERSIONS.napi}`]);
    },
    questions: [
      {
        name: 'napi build',
        command: [at('napi-cli/node_modules/.bin/napi'), 'build', '--output-dir', at('napi-out')],
        cwd: at('napi'),
        needs: 'cargo',
        output: at('napi-out'),
        namesOnly: true,
      },
    ],
  },
  {
    name: 'cargo-deny',
    isSlow: true,
    install: async () => {
      const version = ['--version', VERSIONS.deny, '--locked', '--debug', '--quiet'];
      await run([cargo, 'install', 'cargo-deny', ...version, '--root', at('deny')], { path: realPath() });
    },
    questions: [
      ['list', '--format', 'json'],
      ['check', 'bans', 'licenses', 'sources'],
    ].flatMap((args) =>
      Object.entries(workspaces).map(
        ([name, manifest]): Question => ({
          name: `cargo-deny ${args[0] ?? ''} on ${name}`,
          command: [at('deny/bin/cargo-deny'), '--manifest-path', manifest, '--offline', ...args],
          cwd: root,
          needs: 'nothing',
        }),
      ),
    ),
  },
];

/** The result of an invocation. */
interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  /** The lines in alphabetical order: some tools print messages in any order. */
  readonly stderr: string;
  readonly files: readonly string[];
}

await prepare();
let differing = 0;
for (const tool of tools) {
  if (tool.isSlow === true && !process.argv.includes('--all')) continue;
  const started = Date.now();
  await tool.install();
  console.log(`${tool.name}: there after ${((Date.now() - started) / 1000).toFixed(0)} s`);
  for (const question of tool.questions) if (!(await isSame(question))) differing += 1;
}
if (!(await readsRegistry())) differing += 1;
console.log(differing === 0 ? 'All answers are the same.' : `${differing} answers differ.`);
if (differing > 0) process.exitCode = 1;

/** Returns whether a client for the web API of crates.io understands every response of `serve --demo`. */
async function readsRegistry(): Promise<boolean> {
  const manifest = path.join(projectRoot, 'test/consumers/registry-client/Cargo.toml');
  await run([cargo, ...buildArguments(manifest)], { path: realPath() });
  rmSync(at('registry'), { recursive: true, force: true });
  const files = { authority, certificate, privateKey };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(`${name}.pem`), text);
  const tls = ['--tls-cert', at('certificate.pem'), '--tls-key', at('privateKey.pem')];
  const flags = ['--demo', '--base-url', 'https://crates.io', ...tls];
  await using registry = await serveRegistry(at('registry'), flags);
  const address = /"address":"([^"]+)"/;
  while (!address.test(registry.log())) await setTimeout(50);
  const { exitCode, stdout, stderr } = await execa(
    at('target/debug/registry-client'),
    [address.exec(registry.log())?.[1] ?? '', at('authority.pem')],
    { reject: false, stdin: 'ignore', timeout: 120_000 },
  );
  console.log(`${exitCode === 0 ? '✓' : '✗'} crates_io_api on serve --demo\n${stdout}${stderr}`);
  return exitCode === 0;
}

async function isSame(question: Question): Promise<boolean> {
  const expected = await ask(question, realPath());
  const found = await ask(question, shimPath(question.needs));
  const isAnswer = expected.status === 0 || question.name.startsWith('cargo-deny check');
  const same = isAnswer && JSON.stringify(expected) === JSON.stringify(found);
  console.log(`${same ? '✓' : '✗'} ${question.name}`);
  if (!same) console.log(`with cargo: ${show(expected)}\nwith the shim: ${show(found)}`);
  return same;
}

async function ask({ command, cwd, output, namesOnly }: Question, searchPath: string): Promise<Answer> {
  if (output !== undefined) rmSync(output, { recursive: true, force: true });
  const [file, ...args] = command;
  const result = await execa(file, args, {
    cwd,
    env: { ...env, PATH: searchPath },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 120_000,
  });
  const names = output === undefined || !existsSync(output) ? [] : readdirSync(output).sort();
  const files = names.map((name) =>
    namesOnly === true ? name : `${name} ${digest(path.join(output ?? '', name))}`,
  );
  const said = namesOnly === true ? [] : result.stderr.split('\n').map(withoutTime).sort();
  return {
    status: result.exitCode ?? null,
    stdout: namesOnly === true ? '' : result.stdout,
    stderr: said.join('\n'),
    files,
  };
}

function withoutTime(line: string): string {
  return line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, '');
}

function show({ status, stdout, stderr, files }: Answer): string {
  return `${status}\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}\n${files.join('\n')}`;
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Returns a PATH on which real cargo and its compiler come first. */
function realPath(): string {
  return [path.dirname(cargo), compilerFolder(cargo), SYSTEM].join(':');
}

function shimPath(needs: Question['needs']): string {
  const rust = { nothing: [], rustc: [at('rustc')], cargo: [path.dirname(cargo), at('rustc')] }[needs];
  return [at('shim'), path.dirname(process.execPath), ...rust, SYSTEM].join(':');
}

async function run(
  [file, ...args]: readonly [string, ...string[]],
  options: { readonly path?: string } = {},
): Promise<void> {
  const variables = options.path === undefined ? {} : { ...env, PATH: options.path };
  await execa(file, args, { env: variables, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' });
}

/** Creates the shim, a folder that contains the compiler but no cargo, and the workspaces. */
async function prepare(): Promise<void> {
  mkdirSync(at('rustc'), { recursive: true });
  rmSync(at('rustc/rustc'), { force: true });
  symlinkSync(path.join(compilerFolder(cargo), 'rustc'), at('rustc/rustc'));
  const [node, ...program] = tsregProgram().command;
  await execa(node, [...program, 'shim', at('shim'), '--quiet']);
  const manifest = (name: string, rest: string): string =>
    `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "${name}"\n${rest}`;
  const cdylib = '[lib]\ncrate-type = ["cdylib"]\n[workspace]\n';
  const files = {
    'small/Cargo.toml': manifest(
      'small',
      '[features]\nextra = ["member/more"]\n[dependencies]\nmember = { path = "member" }\n[workspace]\n',
    ),
    'small/src/lib.rs': '',
    'small/member/Cargo.toml': manifest('member', '[features]\nmore = []\n[dependencies]\nlibc = "0.2"\n'),
    'small/member/src/lib.rs': '',
    'python/Cargo.toml': manifest('python', `${cdylib}[dependencies]\nbeside = { path = "../beside" }\n`),
    'python/pyproject.toml':
      '[build-system]\nrequires = ["maturin>=1,<2"]\nbuild-backend = "maturin"\n' +
      '[project]\nname = "python"\nrequires-python = ">=3.8"\ndynamic = ["version"]\n' +
      '[tool.maturin]\nbindings = "cffi"\n',
    'python/src/lib.rs': '',
    'beside/Cargo.toml': manifest('beside', ''),
    'beside/src/lib.rs': '',
    'napi/Cargo.toml': manifest('napi-small', cdylib),
    'napi/src/lib.rs': '',
    'napi/package.json': '{"name":"small","version":"0.1.0","napi":{"binaryName":"small"}}\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  for (const file of [...Object.values(workspaces), at('napi/Cargo.toml')]) {
    await run([cargo, 'fetch', '--quiet', '--manifest-path', file], { path: realPath() });
  }
}
