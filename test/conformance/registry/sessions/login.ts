import type { Tree } from '../../../helpers/tree.ts';
import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';

const noToken = { CARGO_REGISTRIES_MOCK_TOKEN: null } as const;
const explicit = 'registry.global-credential-providers = ["cargo:token"]\n';

/** Returns a home with stored credentials in the file `name`. */
const credentials = (text: string, name = 'credentials.toml'): Tree => ({ [name]: text });

/** The Cargo Book: cargo login, cargo logout. */
export const loginSessions: readonly Session[] = [
  {
    name: 'a token from stdin',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'cargo login abc \n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'only the first line',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'one\ntwo\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'no line break at the end',
    env: noToken,
    steps: [step('login --registry mock', { input: 'one' })],
  },
  {
    name: 'carriage returns and spaces',
    env: noToken,
    steps: [
      step('login --registry mock', { input: '  one two \r\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'empty stdin',
    env: noToken,
    steps: [
      step('login --registry mock', { input: '' }),
      step('login --registry mock', { input: '\n' }),
      step('login --registry mock', { input: 'cargo login\n' }),
      step('login --registry mock', { input: '\nsecond\n' }),
    ],
  },
  {
    name: 'a token as an argument',
    env: noToken,
    steps: steps(
      'login --registry mock abc',
      "login --registry mock ''",
      "login --registry mock 'cargo login x'",
      "login --registry mock ' y '",
    ),
  },
  {
    name: 'tokens that are none',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'tö\n' }),
      step('login --registry mock', { input: 'a\tb\n' }),
      step('login --registry mock', { input: 'a\u0007b\n' }),
      ...steps("login --registry mock 'a\nb'"),
    ],
  },
  {
    name: 'tokens that TOML escapes',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'a"b\\c\'d\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'Bearer',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'Bearer xyz\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'again',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      step('login --registry mock', { input: 'two\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'two registries',
    env: noToken,
    configured: ['mock', 'other'],
    registries: { other: {} },
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      step('login --registry other', { input: 'two\n' }),
      ...steps('yank foo@1.0.0 --registry mock', 'yank foo@1.0.0 --registry other', 'logout --registry mock'),
    ],
  },
  {
    name: 'the default registry',
    env: noToken,
    config: 'registry.default = "mock"\n',
    steps: [step('login', { input: 'one\n' }), ...steps('yank foo@1.0.0', 'logout')],
  },
  {
    name: 'other keys are kept',
    env: noToken,
    home: credentials(
      '# a comment\n[registry]\ntoken = "cratesio" # why\n[registries.other]\ntoken = "x"\nmore = [1, 2, { a = 1 }]\n[unknown]\nkey = 1979-05-27\n',
    ),
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      ...steps('logout --registry mock', 'logout --registry mock'),
    ],
  },
  {
    name: 'a registry that is there already',
    env: noToken,
    home: credentials(
      '[registries.mock]\ntoken = "old"\nother = 1\n[registries.zzz]\ntoken = "z"\n[registry]\ntoken = "c"\n',
    ),
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      ...steps('yank foo@1.0.0 --registry mock', 'logout --registry mock'),
    ],
  },
  {
    name: 'the older file',
    env: noToken,
    home: credentials('[registries.mock]\ntoken = "old"\n', 'credentials'),
    steps: [
      ...steps('yank foo@1.0.0 --registry mock'),
      step('login --registry mock', { input: 'one\n' }),
      ...steps('logout --registry mock'),
    ],
  },
  {
    name: 'both files',
    env: noToken,
    home: {
      credentials: '[registries.mock]\ntoken = "old"\n',
      'credentials.toml': '[registries.mock]\ntoken = "new"\n',
    },
    steps: [
      ...steps('yank foo@1.0.0 --registry mock'),
      step('login --registry mock', { input: 'one\n' }),
      ...steps('logout --registry mock'),
    ],
  },
  {
    name: 'the oldest form',
    env: noToken,
    home: credentials('token = "ancient"\n'),
    steps: [step('login --registry mock', { input: 'one\n' })],
  },
  {
    name: 'a file that is broken',
    env: noToken,
    home: credentials('[registries\n'),
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      ...steps('logout --registry mock', 'yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'a file of another form',
    env: noToken,
    home: credentials('registries = 5\n'),
    steps: [step('login --registry mock', { input: 'one\n' }), ...steps('logout --registry mock')],
  },
  {
    name: 'the mode of the file',
    env: noToken,
    home: { 'credentials.toml': { text: '[registries.mock]\ntoken = "old"\n', mode: '644' } },
    steps: [step('login --registry mock', { input: 'one\n' })],
  },
  {
    name: 'unused keys',
    env: noToken,
    home: credentials('[registries.mock]\ntoken = "old"\nother = 1\n'),
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'to a registry without an API',
    env: noToken,
    registries: { mock: { config: { api: null } } },
    steps: [step('login --registry mock', { input: 'one\n' }), step('login --registry mock', { input: '' })],
  },
  {
    name: 'where config.json is missing',
    env: noToken,
    registries: { mock: { answers: { 'GET /index/config.json': 404 } } },
    steps: [step('login --registry mock', { input: 'one\n' })],
  },
  {
    name: 'where config.json is cached',
    env: noToken,
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      step('login --registry mock', { input: 'two\n' }),
    ],
  },
  {
    name: 'the address of the challenge',
    env: noToken,
    config: explicit,
    registries: {
      mock: { auth: { token: 't', challenge: ['Basic realm="x"', 'Cargo login_url="https://l/me"'] } },
    },
    steps: [
      step('login --registry mock', { input: '' }),
      step('login --registry mock', { input: 't\n' }),
      ...steps('yank foo@1.0.0 --registry mock'),
    ],
  },
  {
    name: 'challenges',
    env: noToken,
    config: explicit,
    registries: {
      mock: { auth: { token: 't', challenge: ['Basic, cargo login_url="https://low/me", Bearer x="y"'] } },
    },
    steps: [step('login --registry mock', { input: '' })],
  },
  {
    name: 'a challenge without an address',
    env: noToken,
    config: explicit,
    registries: { mock: { auth: { token: 't', challenge: ['Cargo'] } } },
    steps: [step('login --registry mock', { input: '' })],
  },
  {
    name: 'a challenge that is none',
    env: noToken,
    config: explicit,
    registries: { mock: { auth: { token: 't', challenge: [] } } },
    steps: [step('login --registry mock', { input: '' }), ...steps('yank foo@1.0.0 --registry mock')],
  },
  {
    name: 'offline',
    env: noToken,
    steps: [
      step('login --registry mock --offline', { input: 'one\n' }),
      step('login --registry mock', { input: 'one\n' }),
      step('login --registry mock --offline', { input: 'two\n' }),
    ],
  },
  {
    name: 'quietly and aloud',
    plainDiffers: 'asymmetric tokens need no unstable flag',
    env: noToken,
    steps: [
      step('login --registry mock -q', { input: 'one\n' }),
      step('login --registry mock -v', { input: 'one\n' }),
      ...steps('logout --registry mock -q', 'logout --registry mock -q', 'logout --registry mock -v'),
    ],
  },
  {
    name: 'with colours',
    env: noToken,
    steps: [
      step('login --registry mock --color always', { input: 'one\n' }),
      step('login --registry mock --color always', { input: '' }),
      ...steps('logout --registry mock --color always', 'logout --registry mock --color always'),
    ],
  },
  {
    name: 'arguments for a provider that wants none',
    env: noToken,
    steps: [
      step('login --registry mock -- --x y', { input: 'one\n' }),
      step('login --registry mock tok -- z', { input: 'one\n' }),
      ...steps('login --index x', 'login a b', 'logout a'),
    ],
  },
  {
    name: 'while a token is in the environment',
    steps: [
      step('login --registry mock', { input: 'one\n' }),
      ...steps('yank foo@1.0.0 --registry mock', 'logout --registry mock'),
    ],
  },
  {
    name: 'out twice',
    env: noToken,
    home: credentials('[registries.mock]\ntoken = "old"\n'),
    steps: steps('logout --registry mock', 'logout --registry mock'),
  },
  {
    name: 'out with a token in the environment alone',
    steps: steps('logout --registry mock', 'logout --registry mock'),
  },
  {
    name: 'out where a config file has the token',
    env: noToken,
    config: 'registries.mock.token = "configured"\n',
    steps: steps('logout --registry mock', 'yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'out with a secret key',
    plainDiffers: 'asymmetric tokens need no unstable flag',
    env: noToken,
    home: credentials(
      '[registries.mock]\nsecret-key = "k3.secret.x"\nsecret-key-subject = "s"\ntoken = "t"\n',
    ),
    steps: steps('logout --registry mock'),
  },
];
