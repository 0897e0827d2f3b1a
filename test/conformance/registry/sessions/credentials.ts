import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';

/** A provider that records its requests and responds with `REPLY`. */
const provider = {
  text: `#!/bin/sh
printf '%s\\n' "argv: $*" >> $W/asked
printf '%s\\n' "\${HELLO:-{\\"v\\":[1]\\}}"
IFS= read -r line || exit 1
printf '%s\\n' "$line" >> $W/asked
[ -n "$REPLY_FILE" ] && cat "$REPLY_FILE" || printf '%s\\n' "$REPLY"
exit \${EXIT:-0}
`,
  mode: '755',
} as const;
const files = { provider } as const;
const using = 'registries.mock.credential-provider = ["$W/provider", "a1", "b 2"]\n';
const withoutToken = { CARGO_REGISTRIES_MOCK_TOKEN: null } as const;
const token = (more = '"cache":"session","operation_independent":true'): string =>
  `{"Ok":{"kind":"get","token":"provided",${more}}}`;
const yank = 'yank foo@1.0.0 --registry mock';

/** Returns a session with one yank and a provider that responds with `reply`. */
const replying = (name: string, reply: string, env: Record<string, string> = {}): Session => ({
  name,
  files,
  config: using,
  env: { ...withoutToken, REPLY: reply, ...env },
  steps: steps(yank),
});

/** The Cargo Book: Registry Authentication, Credential Provider Protocol. */
export const credentialSessions: readonly Session[] = [
  {
    name: 'what a provider is asked',
    files,
    config: using,
    env: { ...withoutToken, REPLY: token() },
    steps: steps(
      yank,
      `${yank} --undo`,
      'owner foo -l --registry mock',
      'owner foo -a x -r y --registry mock',
      'search x --registry mock',
    ),
  },
  {
    name: 'to log in and out',
    files,
    config: using,
    env: withoutToken,
    steps: [
      step('login --registry mock', { input: 'stdtok\n', env: { REPLY: '{"Ok":{"kind":"login"}}' } }),
      step('login --registry mock -- x --y', { env: { REPLY: '{"Ok":{"kind":"login"}}' } }),
      step('login --registry mock tok', { env: { REPLY: '{"Ok":{"kind":"login"}}' } }),
      step('logout --registry mock', { env: { REPLY: '{"Ok":{"kind":"logout"}}' } }),
      step('logout --registry mock', { env: { REPLY: '{"Err":{"kind":"not-found"}}' } }),
      step('login --registry mock', {
        input: 't\n',
        env: { REPLY: '{"Err":{"kind":"operation-not-supported"}}' },
      }),
      step('logout --registry mock', { env: { REPLY: '{"Err":{"kind":"operation-not-supported"}}' } }),
      step('logout --registry mock', { env: { REPLY: '{"Ok":{"kind":"login"}}' } }),
    ],
  },
  {
    name: 'not found while a token is in the environment',
    files,
    config: using,
    env: { REPLY: '{"Err":{"kind":"not-found"}}' },
    steps: steps(yank),
  },
  replying('not found', '{"Err":{"kind":"not-found"}}'),
  replying('a URL that is not supported', '{"Err":{"kind":"url-not-supported"}}'),
  replying('an operation that is not supported', '{"Err":{"kind":"operation-not-supported"}}'),
  replying('another error', '{"Err":{"kind":"other","message":"M","caused-by":["c1","c2"]}}'),
  replying('another error without a cause', '{"Err":{"kind":"other","message":"M\\nN","caused-by":[]}}'),
  replying('an error of an unknown kind', '{"Err":{"kind":"new-kind","message":"M"}}'),
  replying('an answer of another kind', '{"Ok":{"kind":"login"}}'),
  replying('an answer of an unknown kind', '{"Ok":{"kind":"new"}}'),
  replying('no JSON', 'welcome'),
  replying('an empty line', ''),
  replying('JSON that is cut', '{"Ok":{"kind":"get"'),
  replying('fields that are missing', '{"Ok":{"kind":"get","token":"provided"}}'),
  replying('a cache that is unknown', token('"cache":"sometimes","operation_independent":true')),
  replying(
    'operation_independent in another spelling',
    token('"cache":"session","operation-independent":true'),
  ),
  replying('never cached', token('"cache":"never","operation_independent":true')),
  replying('an expiry that is past', token('"cache":"expires","expiration":1,"operation_independent":true')),
  replying(
    'an expiry to come',
    token('"cache":"expires","expiration":99999999999,"operation_independent":true'),
  ),
  replying('an expiry that is missing', token('"cache":"expires","operation_independent":true')),
  replying('more fields', token('"cache":"session","operation_independent":true,"more":[1]')),
  replying(
    'an empty token',
    '{"Ok":{"kind":"get","token":"","cache":"session","operation_independent":true}}',
  ),
  replying(
    'a token with a line break',
    '{"Ok":{"kind":"get","token":"a\\nb","cache":"session","operation_independent":true}}',
  ),
  replying('a program that fails', token(), { EXIT: '3' }),
  replying('another version of the protocol', token(), { HELLO: '{"v":[2,3]}' }),
  replying('several versions of the protocol', token(), { HELLO: '{"v":[1,2]}' }),
  replying('no greeting', token(), { HELLO: 'hello' }),
  {
    name: 'aloud',
    files,
    config: using,
    env: { ...withoutToken, REPLY: token() },
    steps: steps(`${yank} -v`),
  },
  {
    name: 'a provider that does not exist',
    config: 'registries.mock.credential-provider = "no-such-provider-anywhere"\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a provider that says nothing',
    files: { provider: { text: '#!/bin/sh\nexit 0\n', mode: '755' } },
    config: using,
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a provider as text with arguments',
    files,
    config: 'registries.mock.credential-provider = "$W/provider  x   y"\n',
    env: { ...withoutToken, REPLY: token() },
    steps: steps(yank),
  },
  {
    name: 'the last of the global providers first',
    files: { first: provider, second: provider },
    config: 'registry.global-credential-providers = ["$W/first one", "cargo:token", "$W/second two"]\n',
    env: { REPLY: '{"Err":{"kind":"not-found"}}' },
    steps: steps(`${yank} -v`),
  },
  {
    name: 'an empty list of global providers',
    config: 'registry.global-credential-providers = []\n',
    steps: steps(yank),
  },
  {
    name: 'no cargo:token among the global providers',
    files,
    config: 'registry.global-credential-providers = ["$W/provider"]\nregistries.mock.token = "configured"\n',
    env: { ...withoutToken, REPLY: '{"Err":{"kind":"not-found"}}' },
    steps: steps(yank),
  },
  {
    name: 'an alias',
    files,
    config:
      'registries.mock.credential-provider = "mine"\n[credential-alias]\nmine = ["$W/provider", "aliased"]\n',
    env: { ...withoutToken, REPLY: token() },
    steps: steps(`${yank} -v`),
  },
  {
    name: 'an alias as text',
    files,
    config:
      'registries.mock.credential-provider = ["mine"]\n[credential-alias]\nmine = "$W/provider aliased"\n',
    env: { ...withoutToken, REPLY: token() },
    steps: steps(yank),
  },
  {
    name: 'an alias that has arguments already',
    files,
    config:
      'registries.mock.credential-provider = ["mine", "x"]\n[credential-alias]\nmine = ["$W/provider", "aliased"]\n',
    env: { ...withoutToken, REPLY: token() },
    steps: steps(yank),
  },
  {
    name: 'an alias of a name that is taken',
    files,
    config:
      'registries.mock.credential-provider = "cargo:token"\n[credential-alias]\n"cargo:token" = ["$W/provider"]\n',
    env: { REPLY: token() },
    steps: steps(yank),
  },
  {
    name: 'a token from the output of a program',
    config:
      'registries.mock.credential-provider = ["cargo:token-from-stdout", "sh", "-c", "echo from-$CARGO_REGISTRY_NAME_OPT", "{index_url}"]\n',
    env: withoutToken,
    steps: steps(
      yank,
      `${yank} -v`,
      'owner foo -a x -r y --registry mock',
      'login --registry mock',
      'logout --registry mock',
    ),
  },
  {
    name: 'a program of two lines',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout", "printf", "a\\nb\\n"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a program that prints nothing',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout", "true"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a program that fails at once',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout", "false"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a program that prints what is no text',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout", "printf", "\\\\377"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a program without a name',
    config: 'registries.mock.credential-provider = [""]\n',
    env: withoutToken,
    steps: steps(yank, 'logout --registry mock'),
  },
  {
    name: 'a program that is missing',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout", "no-such-program-anywhere"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'no program',
    config: 'registries.mock.credential-provider = ["cargo:token-from-stdout"]\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'the stores of other systems',
    env: withoutToken,
    steps: steps(
      `${yank} --config registries.mock.credential-provider='"cargo:macos-keychain"'`,
      `${yank} --config registries.mock.credential-provider='"cargo:wincred"'`,
    ),
  },
  {
    name: 'asymmetric tokens',
    config: 'registries.mock.credential-provider = "cargo:paseto"\n',
    env: withoutToken,
    steps: steps(yank),
    plainDiffers: 'no unstable flag is needed for them',
  },
  {
    name: 'auth-required with the default provider',
    registries: { mock: { auth: { token: 'mocktoken' } } },
    steps: steps(yank, 'search x --registry mock'),
  },
  {
    name: 'auth-required with a wrong token',
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { auth: { token: 'another' } } },
    steps: steps(yank, 'search x --registry mock', 'owner foo -l --registry mock'),
  },
  {
    name: 'auth-required with a provider',
    files,
    config: using,
    env: { ...withoutToken, REPLY: token() },
    registries: {
      mock: { auth: { token: 'provided', challenge: ['Basic realm="x"', 'Cargo login_url="https://l/me"'] } },
    },
    steps: steps(yank, 'search x --registry mock', 'owner foo -a x -r y --registry mock'),
  },
  {
    name: 'auth-required with a provider whose tokens are for one operation',
    files,
    config: using,
    env: { ...withoutToken, REPLY: token('"cache":"session","operation_independent":false') },
    registries: { mock: { auth: { token: 'provided' } } },
    steps: steps(yank, 'search x --registry mock'),
  },
  {
    name: 'auth-required in config.json alone',
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { config: { 'auth-required': true } } },
    steps: steps(yank, 'search x --registry mock', yank),
  },
  {
    name: 'indexes beside the tokens',
    home: {
      'credentials.toml':
        '[registries.mock]\nindex = "sparse+http://127.0.0.1:9/"\ntoken = "filed"\n[registries.other]\nindex = "sparse+$S/mock/index/"\ntoken = "b"\n',
    },
    env: withoutToken,
    steps: steps(yank, 'logout --registry mock'),
  },
  {
    name: 'where tokens come from',
    config: 'registries.mock.token = "configured"\n',
    home: { 'credentials.toml': '[registries.mock]\ntoken = "filed"\n' },
    files: { '.cargo/config.toml': 'registries.mock.token = "near"\n' },
    steps: [step(yank), step(yank, { env: withoutToken }), step(`${yank} --token given`)],
  },
  {
    name: 'a token in a config file',
    config: 'registries.mock.token = "configured"\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a token of another type',
    config: 'registries.mock.token = 5\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'a provider of another type',
    config: 'registries.mock.credential-provider = 5\n',
    env: withoutToken,
    steps: steps(yank),
  },
  {
    name: 'an empty provider',
    config: 'registries.mock.credential-provider = []\n',
    env: withoutToken,
    steps: steps(yank, `${yank} --config registries.mock.credential-provider='""'`),
  },
  {
    name: 'a provider from the environment',
    files,
    env: { ...withoutToken, CARGO_REGISTRIES_MOCK_CREDENTIAL_PROVIDER: '$W/provider e1 e2', REPLY: token() },
    steps: steps(yank),
  },
  {
    name: 'token and secret key',
    plainDiffers: 'asymmetric tokens need no unstable flag',
    config: 'registries.mock.secret-key = "k3.secret.x"\n',
    steps: steps(yank),
  },
];
