import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';

const manifest = '[package]\nname = "here"\nversion = "0.3.0"\nedition = "2021"\n';
const member = (name: string): string => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`;

/** The Cargo Book: cargo yank. */
export const yankSessions: readonly Session[] = [
  {
    name: 'a version and back',
    steps: steps('yank foo@1.0.0 --registry mock', 'yank foo@1.0.0 --undo --registry mock'),
  },
  {
    name: 'the version as a flag',
    steps: steps('yank foo --version 1.0.0 --registry mock', 'yank foo --vers 1.0.0 --registry mock'),
  },
  { name: 'quietly', steps: steps('yank foo@1.0.0 --registry mock -q', 'yank -q foo@1.0.0') },
  { name: 'aloud', steps: steps('yank foo@1.0.0 --registry mock -v', 'yank foo@1.0.0 --registry mock -vv') },
  {
    name: 'with colours',
    steps: steps(
      'yank foo@1.0.0 --registry mock --color always',
      'yank foo@1.0.0 --undo --registry nope --color always',
    ),
  },
  { name: 'no version', steps: steps('yank foo --registry mock', 'yank', 'yank --registry nope') },
  { name: 'the version twice', steps: steps('yank foo@1.0.0 --version 1.0.0 --registry mock') },
  { name: 'a version without a name', steps: steps('yank @1.0.0 --registry mock', 'yank @ --registry mock') },
  {
    name: 'an empty version',
    steps: steps('yank foo@ --registry mock', "yank foo --version '' --registry mock"),
  },
  {
    name: 'a crate without a name',
    plainDiffers: 'what cannot be the name of a crate is not asked for',
    steps: steps("yank '' --version 1.0.0 --registry mock", "yank '' --registry mock"),
  },
  {
    name: 'versions that are none',
    steps: steps(
      'yank foo@1.0 --registry mock',
      'yank foo@1 --registry mock',
      'yank foo@v1.0.0 --registry mock',
      'yank foo@1.0.0.0 --registry mock',
      'yank foo@01.0.0 --registry mock',
      'yank foo@1.0.0- --registry mock',
      'yank foo@latest --registry mock',
      'yank foo --version v1.0.0 --registry mock',
      'yank foo --version 1.0 --registry mock',
      'yank foo@99999999999999999999.0.0 --registry mock',
    ),
  },
  { name: 'a pre-release with build metadata', steps: steps('yank foo@1.0.0-rc.1+build.5 --registry mock') },
  {
    name: 'names that are none',
    plainDiffers: 'what cannot be a name is refused before anything is sent',
    steps: steps(
      "yank 'a/b@1.0.0' --registry mock",
      "yank 'a b@1.0.0' --registry mock",
      "yank 'é@1.0.0' --registry mock",
      'yank Foo_Bar@1.0.0 --registry mock',
      'yank foo@1.0.0@2.0.0 --registry mock',
      "yank '../../x@1.0.0' --registry mock",
      "yank 'a%2Fb?x#y@1.0.0' --registry mock",
    ),
  },
  {
    name: 'the package here',
    files: { 'Cargo.toml': manifest, 'src/lib.rs': '', 'sub/x': '' },
    steps: [
      ...steps('yank --version 0.1.0 --registry mock', 'yank --undo --version 0.1.0 --registry mock'),
      step('yank --version 0.1.0 --registry mock', { cwd: 'sub' }),
    ],
  },
  { name: 'no package here', steps: steps('yank --version 0.1.0 --registry mock') },
  {
    name: 'a virtual workspace here',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\nresolver = "2"\n',
      'a/Cargo.toml': member('a'),
      'a/src/lib.rs': '',
    },
    steps: [
      ...steps('yank --version 0.1.0 --registry mock'),
      step('yank --version 0.1.0 --registry mock', { cwd: 'a' }),
    ],
  },
  {
    name: 'a manifest that is broken',
    files: { 'Cargo.toml': '[package\n' },
    steps: steps('yank --version 0.1.0 --registry mock', 'yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'flags that are none',
    steps: steps('yank --bogus', 'yank --versio 1.0.0 foo', 'yank foo --version'),
  },
  {
    name: 'not found',
    registries: {
      mock: {
        answers: {
          'DELETE /api/v1/crates/foo/1.0.0/yank': {
            status: 404,
            body: '{"errors":[{"detail":"crate `foo` does not exist"}]}',
          },
        },
      },
    },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'an error with 500 is not tried again',
    registries: { mock: { answers: { 'PUT *': { status: 500, body: 'oops' } } } },
    steps: steps('yank foo@1.0.0 --undo --registry mock'),
  },
  {
    name: 'errors with 200',
    registries: { mock: { answers: { 'DELETE *': '{"errors":[{"detail":"a"},{"detail":"b"}]}' } } },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: '204',
    registries: { mock: { answers: { 'DELETE *': 204 } } },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'a token on the command line',
    steps: steps(
      'yank foo@1.0.0 --registry mock --token other',
      "yank foo@1.0.0 --registry mock --token ''",
      "yank foo@1.0.0 --registry mock --token 'Bearer a b'",
      "yank foo@1.0.0 --registry mock --token 'tö'",
      "yank foo@1.0.0 --registry mock --token ' padded '",
    ),
  },
  {
    name: 'an empty token in the environment',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: '' },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'a token with a line break',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: 'a\nb' },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'a token with a tab',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: 'a\tb' },
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'no token',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --undo --registry mock',
      'owner --list foo --registry mock',
      'search foo --registry mock',
    ),
  },
  {
    name: 'offline',
    steps: steps(
      'yank foo@1.0.0 --registry mock --offline',
      'yank foo@1.0.0 --registry mock --frozen',
      'yank foo@1.0.0 --registry mock --locked',
      'yank foo@1.0.0 --registry mock --config net.offline=true',
    ),
  },
  {
    name: 'offline with what is cached',
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --registry mock --offline',
      'search foo --registry mock --offline',
      'yank foo@1.0.0 --registry mock',
    ),
  },
];
