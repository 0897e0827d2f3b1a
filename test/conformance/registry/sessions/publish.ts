import type { CrateDecl } from '../../../helpers/crate.ts';
import { step, steps } from '../arguments.ts';
import type { Answer, Registries, RegistryScript, Session } from '../session.ts';
import { library } from './packages.ts';

const publish = 'publish --no-verify --registry mock';
const dep = (name: string, version: string, more: Partial<CrateDecl> = {}): CrateDecl => ({
  name,
  version,
  ...more,
});
const uploads = (answer: Answer | readonly (Answer | null)[], more: RegistryScript = {}): Registries => ({
  mock: { ...more, answers: { 'PUT /api/v1/crates/new': answer } },
});
const warnings = (value: unknown): Answer => JSON.stringify({ warnings: value });
const everything = `documentation = "https://docs.example.org"
homepage = "https://example.org"
repository = "https://example.org/git"
readme = "README.md"
keywords = ["one", "two"]
categories = ["a::b", "c"]
authors = ["A <a@b>", "B"]
rust-version = "1.70"
license-file = "LICENSE"
links = "native"
build = "build.rs"
[badges]
ci = { status = "ok", branch = "main" }
[features]
default = ["std"]
std = []
extra = ["dep:optional", "renamed/x", "optional?/y", "std"]
[dependencies]
actual = "1"
renamed = { package = "actual", version = "=1.0.0", registry = "mock", features = ["x"], default-features = false }
optional = { version = ">=1, <3", optional = true, registry = "mock" }
[dev-dependencies]
tester = { version = "*", registry = "mock" }
local = { path = "local" }
[build-dependencies]
builder = { version = "~1.2", registry = "mock" }
[target.'cfg(unix)'.dependencies]
unixy = { version = "1.2.3", registry = "mock" }
[target.x86_64-pc-windows-msvc.build-dependencies]
winny = { version = "^1.0.0-rc.1", registry = "other" }
[target.'cfg(unix)'.dev-dependencies]
devy = { version = "1", registry = "mock" }
`;

/** One package. The Cargo Book: cargo publish, Publishing on crates.io. */
export const publishSessions: readonly Session[] = [
  { name: 'a package, and again', files: library('p1'), steps: steps(publish, publish, `${publish} -n`) },
  { name: 'quietly', files: library('p1'), steps: steps(`${publish} -q`) },
  { name: 'aloud', files: library('p1'), steps: steps(`${publish} -v`) },
  {
    name: 'with colours',
    files: library('p1'),
    steps: steps(`${publish} --color always`, `${publish} --color always`),
  },
  { name: 'verified', files: library('p1'), steps: steps('publish --registry mock') },
  {
    name: 'that does not compile',
    files: { ...library('p1'), 'src/lib.rs': 'fn x() -> u8 { "no" }' },
    steps: steps('publish --registry mock -q'),
  },
  {
    name: 'a dry run',
    files: library('p1'),
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: steps(
      `${publish} --dry-run`,
      `${publish} -n -q`,
      `publish --no-verify -n --index sparse+$S/mock/index/`,
    ),
  },
  {
    name: 'a dry run where a token is needed to look',
    files: library('p1'),
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { auth: { token: 'mocktoken' } } },
    steps: steps(`${publish} --dry-run`, publish),
  },
  {
    name: 'other build metadata',
    files: library('p1', { version: '0.1.0+b2' }),
    registries: { mock: { crates: [dep('p1', '0.1.0+b1')] } },
    steps: steps(publish),
  },
  {
    name: 'a version that is yanked',
    plainDiffers: 'the index is looked at to say whether it is there',
    files: library('p1'),
    registries: {
      mock: {
        crates: [dep('p1', '0.1.0', { yanked: true })],
        answers: {
          'PUT *': {
            status: 400,
            body: '{"errors":[{"detail":"crate version `0.1.0` is already uploaded"}]}',
          },
        },
      },
    },
    steps: steps(publish),
  },
  {
    name: 'a next version',
    files: library('p1', { version: '0.2.0-rc.1+b' }),
    registries: { mock: { crates: [dep('p1', '0.1.0')] } },
    steps: steps(publish),
  },
  {
    name: 'publish = false',
    files: library('p2', { more: 'publish = false\n' }),
    steps: steps(publish, `${publish} -p p2`, `${publish} --workspace`),
  },
  {
    name: 'no version',
    files: { 'Cargo.toml': '[package]\nname = "nv"\nedition = "2021"\n', 'src/lib.rs': '' },
    steps: steps(publish),
  },
  {
    name: 'no version, but to be published',
    files: { 'Cargo.toml': '[package]\nname = "nv"\nedition = "2021"\npublish = true\n', 'src/lib.rs': '' },
    steps: steps(publish),
  },
  {
    name: 'two registries are allowed',
    files: library('p3', { more: 'publish = ["mock", "b"]\n' }),
    steps: steps('publish --no-verify', 'publish --no-verify --registry crates-io', publish),
  },
  {
    name: 'three registries are allowed',
    files: library('p3', { more: 'publish = ["mock", "b", "mock", "crates-io"]\n' }),
    steps: steps('publish --no-verify'),
  },
  {
    name: 'one registry is allowed',
    files: library('p3', { more: 'publish = ["mock"]\n' }),
    steps: steps(
      'publish --no-verify -n',
      'publish --no-verify',
      'publish --registry crates-io',
      'publish --registry nope',
    ),
  },
  {
    name: 'one registry is allowed, another is the default',
    files: library('p3', { more: 'publish = ["mock"]\n' }),
    configured: ['mock', 'other'],
    config: 'registry.default = "other"\n',
    registries: { other: {} },
    steps: steps('publish --no-verify'),
  },
  {
    name: 'an empty list of registries',
    files: library('p3', { more: 'publish = []\n' }),
    steps: steps(publish),
  },
  {
    name: 'no token',
    files: library('p3', { more: 'publish = ["mock"]\n' }),
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: steps('publish --no-verify'),
  },
  { name: 'a token on the command line', files: library('p1'), steps: steps(`${publish} --token other`) },
  {
    name: 'an index without a token',
    files: library('p1'),
    steps: steps(
      'publish --no-verify --index sparse+$S/mock/index/',
      'publish --no-verify --index sparse+$S/mock/index',
    ),
  },
  {
    name: 'an index with a token',
    files: library('p1'),
    registries: { other: {} },
    steps: steps('publish --no-verify --index sparse+$S/other/index/ --token t'),
  },
  {
    name: 'an index where a list of registries is',
    files: library('p1', { more: 'publish = ["mock"]\n' }),
    registries: { other: {} },
    steps: steps('publish --no-verify --index sparse+$S/other/index/ --token t'),
  },
  {
    name: 'a registry without an API',
    files: library('p1'),
    registries: { mock: { config: { api: null } } },
    steps: steps(publish),
  },
  {
    name: 'everything that a manifest can say',
    files: {
      ...library('all', { more: everything }),
      'README.md': '# All\n\n"quoted" \\ and ünï\t\u007f\n',
      LICENSE: 'text',
      'build.rs': 'fn main() {}',
      ...library('local', { at: 'local' }),
    },
    configured: ['mock', 'other'],
    config: '[source.crates-io]\nreplace-with = "mock"\n',
    registries: {
      mock: {
        crates: ['actual', 'optional', 'tester', 'builder', 'unixy', 'devy'].map((name) =>
          dep(name, name === 'builder' ? '1.2.5' : name === 'unixy' ? '1.2.3' : '1.0.0', {
            registry: 'mock',
            features: { x: [], y: [] },
          }),
        ),
      },
      other: { crates: [dep('winny', '1.0.0', { registry: 'other' })] },
    },
    steps: steps(publish),
  },
  {
    name: 'a readme that is not there',
    files: library('p1', { more: 'readme = "NO.md"\n' }),
    steps: steps(publish),
  },
  {
    name: 'a readme that is no text',
    files: { ...library('p1', { more: 'readme = "R.md"\n' }), 'R.md': { base64: 'SGn//g==' } },
    steps: steps(publish),
  },
  {
    name: 'a readme outside',
    files: {
      ...library('p1', { at: 'p', more: 'readme = "../R.md"\nlicense-file = "../L"\n' }),
      'R.md': 'read',
      L: 'lic',
    },
    steps: [step(publish, { cwd: 'p' })],
  },
  {
    name: 'readmes by their names',
    files: { ...library('p1'), 'README.txt': 'text' },
    steps: steps(publish),
  },
  {
    name: 'no readme',
    files: { ...library('p1', { more: 'readme = false\n' }), 'README.md': 'text' },
    steps: steps(publish),
  },
  {
    name: 'a dependency without a version',
    files: {
      ...library('p1', { more: '[dependencies]\nq = { path = "q" }\n' }),
      ...library('q', { at: 'q' }),
    },
    steps: steps(publish),
  },
  {
    name: 'a git dependency without a version',
    files: library('p1', { more: '[dependencies]\nq = { git = "file://$G/q" }\n' }),
    git: { q: { 'Cargo.toml': '[package]\nname = "q"\nversion = "0.1.0"\n', 'src/lib.rs': '' } },
    steps: steps(publish),
  },
  {
    name: 'a dependency that is not there',
    files: library('p1', { more: '[dependencies]\nq = { version = "1", registry = "mock" }\n' }),
    steps: steps(publish, `${publish} -n`),
  },
  {
    name: 'a dependency in another version',
    files: library('p1', { more: '[dependencies]\nq = { version = "0.5", registry = "mock" }\n' }),
    registries: {
      mock: { crates: [dep('q', '0.1.0', { registry: 'mock' }), dep('q', '0.2.0', { registry: 'mock' })] },
    },
    steps: steps(publish),
  },
  {
    name: 'a path with a version',
    files: {
      ...library('p1', { more: '[dependencies]\nq = { path = "q", version = "0.1", registry = "mock" }\n' }),
      ...library('q', { at: 'q' }),
    },
    registries: { mock: { crates: [dep('q', '0.1.3', { registry: 'mock' })] } },
    steps: steps(publish),
  },
  {
    name: 'features',
    files: library('p1', { more: '[features]\na = []\n' }),
    steps: steps(
      `${publish} -F nope`,
      `${publish} -F a -n`,
      `${publish} --all-features -n`,
      `${publish} --no-default-features -n`,
    ),
  },
  {
    name: 'packages that are not there',
    files: library('p1'),
    steps: steps(
      `${publish} -p nope`,
      `${publish} -p p1@9.9.9`,
      `${publish} -p p2`,
      `${publish} -p 'x*'`,
      `${publish} --exclude p1`,
      `${publish} --workspace --exclude zzz -n`,
      `${publish} -p`,
    ),
  },
  {
    name: 'no manifest',
    steps: steps(publish, `${publish} --manifest-path nope/Cargo.toml`, `${publish} --manifest-path .`),
  },
  {
    name: 'another manifest',
    files: library('p1', { at: 'sub' }),
    steps: steps(`${publish} --manifest-path sub/Cargo.toml`),
  },
  {
    name: 'flags that are none',
    files: library('p1'),
    steps: steps(
      'publish --list',
      'publish --all',
      'publish --no-metadata',
      'publish --registry mock --index x',
      'publish --jobs',
      'publish -x p1',
      'publish -q -v --registry mock',
    ),
  },
  {
    name: 'offline',
    files: library('p1'),
    steps: steps(`${publish} --offline`, `${publish} --frozen`, `${publish} --locked`),
  },
  { name: 'a target folder', files: library('p1'), steps: steps(`${publish} --target-dir far`) },
  {
    name: 'the server warns',
    files: library('p4'),
    registries: uploads(
      warnings({ invalid_categories: ['c1', 'c2'], invalid_badges: ['b1'], other: ['o1\nl2', 'second'] }),
    ),
    steps: steps(`${publish} --config net.retry=0`),
    long: true,
  },
  {
    name: 'the server refuses',
    plainDiffers: 'the index is looked at to say whether it is there',
    files: library('p1'),
    registries: uploads([
      {
        status: 429,
        headers: [['Retry-After', 'Wed, 07 Oct 2026 17:17:34 GMT']],
        body: '{"errors":[{"detail":"You have published too many new crates in a short period of time."}]}',
      },
      { status: 403, body: '{"errors":[{"detail":"no"}]}' },
      { status: 413, body: '{"errors":[{"detail":"max upload size is: 10485760"}]}' },
      { status: 500, body: 'oops' },
      503,
      '{"errors":[]}',
      '{"errors":[{"detail":"late"}]}',
      'not JSON',
      '{"warnings":',
      { status: 302, headers: [['Location', '$S/mock/x']] },
      { body: Buffer.from([0xff, 0xfe]) },
      { cut: 0 },
    ]),
    steps: steps(...Array.from({ length: 12 }, () => publish)),
  },
  {
    name: 'half of the head of an answer',
    files: library('p1'),
    registries: uploads({ cut: 25, body: '{}' }),
    steps: [step(publish, { differs: 'it says nothing, though cargo takes it for a success' })],
    long: true,
  },
  {
    name: 'a registry that knows it already',
    plainDiffers: 'the index is looked at to say whether it is there',
    files: library('p1'),
    registries: uploads({ status: 409, body: '{"errors":[{"detail":"already there"}]}' }),
    steps: steps(publish),
  },
  {
    name: 'the index is late',
    files: library('p1'),
    registries: { mock: { lag: 3 } },
    steps: steps(publish),
  },
  {
    name: 'the index fails while it is waited for',
    files: library('p1'),
    registries: {
      mock: { lag: 2, answers: { 'GET /index/2/p1': [null, { status: 500, body: 'x' }, null] } },
    },
    steps: steps(publish),
    long: true,
  },
  {
    name: 'the index never has it',
    files: library('p1'),
    registries: { mock: { lag: Number.POSITIVE_INFINITY } },
    steps: steps(publish),
    long: true,
  },
  {
    name: 'a timeout of one second',
    files: library('p1'),
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
    registries: { mock: { lag: Number.POSITIVE_INFINITY } },
    steps: steps(`${publish} -Zpublish-timeout --config publish.timeout=1`),
    plainDiffers: 'the flag is unstable',
  },
  {
    name: 'no timeout',
    files: library('p1'),
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
    registries: { mock: { lag: Number.POSITIVE_INFINITY } },
    steps: steps(`${publish} -Zpublish-timeout --config publish.timeout=0`),
    plainDiffers: 'the flag is unstable',
  },
  {
    name: 'an answer with warnings of another form',
    files: library('w1'),
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
    registries: uploads([
      warnings({ invalid_categories: ['c1'], invalid_badges: ['b1', 'b2'], other: ['o1\nl2', 'second'] }),
      warnings(null),
      '{"warning":null}',
      '{"ok":true}',
      '',
      warnings({ invalid_categories: 'c', other: ['a', 5, null, 'b'] }),
      warnings({ other: {} }),
      '[]',
      'null',
      '5',
      { status: 204 },
      { status: 201, body: '{}' },
      warnings({ other: [''] }),
    ]),
    steps: steps(
      ...Array.from({ length: 13 }, () => `${publish} -Zpublish-timeout --config publish.timeout=0`),
    ),
    plainDiffers: 'the flag is unstable',
  },
  {
    name: 'a large archive',
    files: {
      ...library('big'),
      'src/data': {
        base64: Buffer.from(
          Array.from({ length: 1_200_000 }, (_, at) => ((at * 2654435761) >>> 13) & 0xff),
        ).toString('base64'),
      },
    },
    steps: steps(publish),
  },
  { name: 'a git repository with changes', files: library('p1'), steps: steps(`${publish} --allow-dirty`) },
  {
    name: 'a provider that is asked',
    files: {
      ...library('p1'),
      provider: {
        text: '#!/bin/sh\nprintf \'{"v":[1]}\\n\'\nIFS= read -r line\nprintf \'%s\\n\' "$line" >> $W/../asked\nprintf \'{"Ok":{"kind":"get","token":"t","cache":"session","operation_independent":false}}\\n\'\n',
        mode: '755',
      },
    },
    config: 'registries.mock.credential-provider = "$W/provider"\n',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: [...steps(publish), { args: ['search', 'x', '--registry', 'mock'] }],
  },
];
