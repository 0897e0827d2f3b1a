import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';
import { library } from './packages.ts';

const logged = { CARGO_REGISTRY_TOKEN: 'publictoken' } as const;
const crates = [
  { name: 'serde', version: '1.0.0', extra: 'description = "d"\nlicense = "MIT"\n' },
  { name: 'serde', version: '1.1.0', extra: 'description = "d"\n' },
] as const;
const scripted = { 'crates-io': { crates } } as const;

/** Sessions for the special texts about crates.io, with a proxy in place of its hosts. */
export const publicRegistrySessions: readonly Session[] = [
  {
    name: 'yank',
    env: logged,
    registries: scripted,
    steps: steps(
      'yank foo@1.0.0',
      'yank foo@1.0.0 --registry crates-io',
      'yank foo@1.0.0 --undo',
      'yank foo@1.0.0 --index https://github.com/rust-lang/crates.io-index --token t',
    ),
  },
  {
    name: 'owner',
    env: logged,
    registries: scripted,
    steps: steps('owner foo -l', 'owner foo -a x', 'owner foo -r x'),
  },
  { name: 'search', registries: scripted, steps: steps('search foo', 'search foo --registry crates-io') },
  {
    name: 'search for more',
    registries: {
      'crates-io': {
        answers: {
          'GET *': [
            null,
            '{"crates":[{"name":"a","max_version":"1.0.0","description":"x"}],"meta":{"total":500}}',
          ],
        },
      },
    },
    steps: steps("search 'a b+c' é --limit 100", "search 'a b+c' é --limit 100", 'search x --limit 5'),
  },
  {
    name: 'no token',
    registries: scripted,
    steps: steps('yank foo@1.0.0', 'owner foo -l', 'yank foo@1.0.0 --registry crates-io'),
  },
  {
    name: 'no token and another default',
    config: 'registry.default = "mock"\n',
    registries: scripted,
    steps: steps('yank foo@1.0.0 --registry crates-io'),
  },
  {
    name: 'login and logout',
    registries: scripted,
    steps: [
      step('login', { input: 'abc\n' }),
      ...steps('yank foo@1.0.0', 'logout', 'logout'),
      step('login', { input: '' }),
      step('login --registry crates-io', { input: 'x\n' }),
    ],
  },
  {
    name: 'a provider for all',
    registries: scripted,
    files: {
      provider: {
        text: '#!/bin/sh\nprintf \'{"v":[1]}\\n\'\nIFS= read -r line\nprintf \'%s\\n\' "$line" >> $W/asked\nprintf \'{"Ok":{"kind":"get","token":"t","cache":"session","operation_independent":true}}\\n\'\n',
        mode: '755',
      },
    },
    config: '[registry]\ncredential-provider = "$W/provider"\n',
    steps: steps('yank foo@1.0.0', 'owner foo -l'),
  },
  {
    name: 'publish',
    env: logged,
    registries: scripted,
    files: library('p1'),
    steps: steps('publish --no-verify', 'publish --no-verify', 'publish --no-verify -n'),
  },
  {
    name: 'publish without metadata',
    env: logged,
    registries: scripted,
    files: {
      'Cargo.toml': '[package]\nname = "p1"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '',
    },
    steps: steps('publish --no-verify'),
  },
  {
    name: 'publish with what is elsewhere',
    env: logged,
    registries: { ...scripted, mock: { crates: [{ name: 'q', version: '1.0.0', registry: 'mock' }] } },
    files: library('p1', { more: '[dependencies]\nq = { version = "1", registry = "mock" }\nserde = "1"\n' }),
    steps: steps('publish --no-verify', 'publish --no-verify -n --registry mock'),
  },
  {
    name: 'publish elsewhere with what is here',
    registries: { ...scripted, mock: {} },
    files: library('p1', { more: '[dependencies]\nserde = "1"\n' }),
    steps: steps('publish --no-verify --registry mock'),
  },
  { name: 'info', registries: scripted, steps: steps('info serde', 'info serde@1.0.0', 'info nope') },
  {
    name: 'the host is unavailable',
    plainDiffers: 'the index is looked at to say whether it is there',
    env: logged,
    registries: { 'crates-io': { answers: { 'PUT *': { status: 503, body: 'busy' } } } },
    files: library('p1'),
    steps: steps('publish --no-verify', 'yank foo@1.0.0 --undo'),
  },
  {
    name: 'the protocol of git',
    env: logged,
    config: 'registries.crates-io.protocol = "x"\n',
    registries: scripted,
    steps: steps('yank foo@1.0.0'),
  },
];
