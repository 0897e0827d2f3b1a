import type { Tree } from '../../../helpers/tree.ts';
import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';
import { library } from './packages.ts';

const publish = 'publish --no-verify --registry mock';
const needs = (...names: readonly string[]): string =>
  `[dependencies]\n${names.map((name) => `${name} = { path = "../${name.replace('ws-', '')}", version = "0.1.0", registry = "mock" }\n`).join('')}`;

/** ws-b depends on ws-a, ws-c on both, ws-d on none, and ws-priv is not published. */
const workspace: Tree = {
  'Cargo.toml': '[workspace]\nmembers = ["c", "b", "a", "d", "priv"]\nresolver = "2"\n',
  ...library('ws-a', { at: 'a' }),
  ...library('ws-b', { at: 'b', more: needs('ws-a') }),
  ...library('ws-c', { at: 'c', more: needs('ws-a', 'ws-b') }),
  ...library('ws-d', { at: 'd' }),
  ...library('ws-priv', { at: 'priv', more: 'publish = false\n' }),
};
const two = (more = ''): Tree => ({
  'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
  ...library('ws-a', { at: 'a' }),
  ...library('ws-b', { at: 'b', more: `${more}${needs('ws-a')}` }),
});
const limited = { status: 429, body: '{"errors":[{"detail":"You have published too many new crates."}]}' };

/** Several packages at once. The Cargo Book: cargo publish. */
export const publishWorkspaceSessions: readonly Session[] = [
  { name: 'all of it', files: workspace, steps: steps(`${publish} --workspace`) },
  {
    name: 'again',
    files: two(),
    steps: steps(`${publish} --workspace`, `${publish} --workspace`, `${publish} --workspace -n`),
  },
  { name: 'a virtual workspace without a flag', files: workspace, steps: steps(`${publish} -n`) },
  { name: 'a dry run', files: workspace, steps: steps(`${publish} --workspace -n`) },
  {
    name: 'some of it',
    files: workspace,
    steps: steps(
      `${publish} -p ws-a -p ws-b -n`,
      `${publish} -p ws-b -n`,
      `${publish} -p 'ws-[ad]' -n`,
      `${publish} -p ws-priv -n`,
      `${publish} -p ws-priv -p ws-a -n`,
    ),
  },
  {
    name: 'without some of it',
    files: workspace,
    steps: steps(
      `${publish} --workspace --exclude ws-c --exclude ws-d -n`,
      `${publish} --workspace --exclude ws-a -n`,
      `${publish} --workspace --exclude 'ws-*' -n`,
    ),
  },
  {
    name: 'a member',
    files: workspace,
    steps: [step(publish, { cwd: 'a' }), step(publish, { cwd: 'b' }), step(publish, { cwd: 'priv' })],
  },
  {
    name: 'nothing to publish',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: 'publish = false\n' }),
      ...library('ws-b', { at: 'b', more: 'publish = false\n' }),
    },
    steps: steps(
      `${publish} --workspace`,
      publish,
      `${publish} --workspace --exclude ws-b`,
      `${publish} -p ws-a -p ws-b`,
    ),
  },
  {
    name: 'the first is refused',
    plainDiffers: 'the index is looked at to say whether it is there',
    files: two(),
    registries: { mock: { answers: { 'PUT *': limited } } },
    steps: steps(`${publish} --workspace`),
  },
  {
    name: 'the second is refused, and again',
    plainDiffers: 'the index is looked at to say whether it is there',
    files: two(),
    registries: { mock: { answers: { 'PUT *': [null, limited, null] } } },
    steps: steps(`${publish} --workspace`, `${publish} --workspace`, `${publish} -p ws-b`),
  },
  {
    name: 'lists of registries that do not agree',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: 'publish = ["mock"]\n' }),
      ...library('ws-b', { at: 'b', more: 'publish = ["other"]\n' }),
    },
    steps: steps('publish --no-verify --workspace', `${publish} --workspace`),
  },
  {
    name: 'lists of registries that have one in common',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: 'publish = ["mock"]\n' }),
      ...library('ws-b', { at: 'b', more: 'publish = ["other", "mock"]\n' }),
    },
    steps: steps('publish --no-verify --workspace', `${publish} --workspace -n`),
  },
  {
    name: 'a list of registries and none',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: 'publish = ["mock"]\n' }),
      ...library('ws-b', { at: 'b' }),
    },
    steps: steps('publish --no-verify --workspace'),
  },
  {
    name: 'the same list of registries',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: 'publish = ["mock"]\n' }),
      ...library('ws-b', { at: 'b', more: 'publish = ["mock"]\n' }),
      ...library('ws-p', { at: 'p', more: 'publish = false\n' }),
    },
    steps: steps('publish --no-verify --workspace -n'),
  },
  {
    name: 'the index is late',
    files: two(),
    registries: { mock: { lag: 2 } },
    steps: steps(`${publish} --workspace`),
    long: true,
  },
  {
    name: 'the index never has the first',
    files: workspace,
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
    registries: { mock: { lag: Number.POSITIVE_INFINITY } },
    steps: steps(`${publish} --workspace -Zpublish-timeout --config publish.timeout=1`),
    plainDiffers: 'the flag is unstable',
  },
  {
    name: 'a root that is a package',
    files: {
      ...library('root', {
        more: '[workspace]\nmembers = ["sub"]\n[dependencies]\nsub = { path = "sub", version = "0.1", registry = "mock" }\n',
      }),
      ...library('sub', { at: 'sub' }),
    },
    steps: steps(`${publish} -n`, `${publish} --workspace`),
  },
  {
    name: 'a cycle through dev-dependencies',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', { at: 'a', more: '[dev-dependencies]\nws-b = { path = "../b" }\n' }),
      ...library('ws-b', { at: 'b', more: needs('ws-a') }),
    },
    steps: steps(`${publish} --workspace`),
  },
  {
    name: 'a cycle through dev-dependencies with versions',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      ...library('ws-a', {
        at: 'a',
        more: '[dev-dependencies]\nws-b = { path = "../b", version = "0.1.0", registry = "mock" }\n',
      }),
      ...library('ws-b', { at: 'b', more: needs('ws-a') }),
    },
    steps: steps(`${publish} --workspace -n`),
  },
  {
    name: 'inherited values',
    files: {
      'Cargo.toml':
        '[workspace]\nmembers = ["a"]\nresolver = "2"\n[workspace.package]\nversion = "0.3.0"\nedition = "2021"\ndescription = "inherited"\nlicense = "MIT"\nreadme = "README.md"\nkeywords = ["k"]\npublish = ["mock"]\nrust-version = "1.60"\n[workspace.dependencies]\nq = { version = "1", registry = "mock", features = ["x"] }\n',
      'README.md': 'of all',
      'a/Cargo.toml':
        '[package]\nname = "ws-a"\nversion.workspace = true\nedition.workspace = true\ndescription.workspace = true\nlicense.workspace = true\nreadme.workspace = true\nkeywords.workspace = true\npublish.workspace = true\nrust-version.workspace = true\n[dependencies]\nq = { workspace = true, optional = true, features = ["y"] }\n',
      'a/src/lib.rs': '',
    },
    registries: {
      mock: { crates: [{ name: 'q', version: '1.0.0', registry: 'mock', features: { x: [], y: [] } }] },
    },
    steps: steps('publish --no-verify --workspace'),
  },
  {
    name: 'verified',
    files: two(),
    steps: [
      step('publish --registry mock --workspace', {
        differs: 'the build is another process, which learns the address of the registry alone',
      }),
    ],
    long: true,
  },
  {
    name: 'a provider that is asked for each',
    files: {
      ...two(),
      provider: {
        text: '#!/bin/sh\nprintf \'{"v":[1]}\\n\'\nIFS= read -r line\nprintf \'%s\\n\' "$line" >> $H/asked\nprintf \'{"Ok":{"kind":"get","token":"t","cache":"never","operation_independent":true}}\\n\'\n',
        mode: '755',
      },
    },
    config: 'registries.mock.credential-provider = "$W/provider"\n',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: steps(`${publish} --workspace`),
  },
];
