import { step, steps } from '../arguments.ts';
import type { Session } from '../session.ts';

const each = (flags: string): ReturnType<typeof steps> =>
  steps(`yank foo@1.0.0 ${flags}`, `owner foo -l ${flags}`, `search foo ${flags}`);

/** The choice of a registry, and the errors without one. The Cargo Book: Registries, Source Replacement. */
export const registryChoiceSessions: readonly Session[] = [
  {
    name: 'an unknown registry',
    steps: [
      ...each('--registry nope'),
      ...steps(
        'publish --registry nope',
        'login --registry nope',
        'logout --registry nope',
        'info x --registry nope',
      ),
    ],
  },
  {
    name: 'names that are none',
    steps: steps(
      "yank foo@1.0.0 --registry ''",
      'yank foo@1.0.0 --registry 1bad',
      "yank foo@1.0.0 --registry 'a b'",
      'yank foo@1.0.0 --registry a/b',
      'yank foo@1.0.0 --registry -x',
      "search x --registry ''",
      "login --registry ''",
      'logout --registry a.b',
      'yank foo@1.0.0 --registry größe',
    ),
  },
  {
    name: 'registry and index',
    steps: steps(
      'yank foo@1.0.0 --registry mock --index sparse+$S/mock/index/',
      'owner foo -l --index sparse+$S/mock/index/ --registry mock',
    ),
  },
  {
    name: 'indexes that are none',
    steps: steps(
      'search x --index nope',
      "search x --index ''",
      'search x --index sparse+$S/mock/index',
      'search x --index sparse+nope',
      "search x --index 'http://[x'",
      'search x --index sparse+http:///',
      'search x --index sparse+ftp://127.0.0.1/x/',
      'yank foo@1.0.0 --index nope',
      'owner foo -l --index nope',
    ),
  },
  {
    name: 'an index with a password',
    steps: steps(
      'search x --index sparse+http://u:p@127.0.0.1:$P/mock/index/',
      'yank foo@1.0.0 --token t --index sparse+http://u:p@127.0.0.1:$P/mock/index/',
    ),
  },
  {
    name: 'a configured index with a password',
    config: '[registries.secret]\nindex = "sparse+http://u:p@127.0.0.1:$P/mock/index/"\n',
    steps: each('--registry secret'),
  },
  {
    name: 'a configured index that is none',
    config:
      '[registries.bad]\nindex = "not a url"\n[registries.noslash]\nindex = "sparse+$S/mock/index"\n[registries.empty]\n[registries.number]\nindex = 5\n',
    steps: steps(
      'yank foo@1.0.0 --registry bad',
      'yank foo@1.0.0 --registry noslash',
      'yank foo@1.0.0 --registry empty',
      'yank foo@1.0.0 --registry number',
    ),
  },
  {
    name: 'an index without a name',
    steps: steps(
      'yank foo@1.0.0 --index sparse+$S/other/index/ --token t',
      'search x --index sparse+$S/other/index/',
      'yank foo@1.0.0 --index sparse+$S/other/index/',
    ),
    registries: { other: {} },
  },
  {
    name: 'an index that has a name',
    steps: steps(
      'yank foo@1.0.0 --index sparse+$S/mock/index/ --token t',
      'yank foo@1.0.0 --index sparse+$S/mock/index/',
      'search x --index sparse+$S/mock/index/',
    ),
  },
  { name: 'the default', config: '[registry]\ndefault = "mock"\n', steps: [...each(''), ...steps('logout')] },
  { name: 'the default from the environment', env: { CARGO_REGISTRY_DEFAULT: 'mock' }, steps: each('') },
  {
    name: 'a default that is unknown',
    config: '[registry]\ndefault = "nope"\n',
    steps: [...each(''), ...each('--registry mock')],
  },
  { name: 'a default that is no name', config: '[registry]\ndefault = "a b"\n', steps: each('') },
  { name: 'a default of another type', config: '[registry]\ndefault = 5\n', steps: each('') },
  {
    name: 'the default on the command line',
    steps: steps('yank foo@1.0.0 --config registry.default=\'"mock"\''),
  },
  {
    name: 'registry.index',
    config: '[registry]\nindex = "sparse+$S/mock/index/"\n',
    steps: [...each(''), ...each('--registry mock')],
  },
  {
    name: 'a registry from the environment alone',
    configured: [],
    env: { CARGO_REGISTRIES_ALT_INDEX: 'sparse+$S/mock/index/', CARGO_REGISTRIES_ALT_TOKEN: 'alttoken' },
    steps: each('--registry alt'),
  },
  {
    name: 'a name with a hyphen from the environment',
    configured: [],
    env: { CARGO_REGISTRIES_MY_REG_INDEX: 'sparse+$S/mock/index/', CARGO_REGISTRIES_MY_REG_TOKEN: 't' },
    steps: [...each('--registry my-reg'), ...each('--registry my_reg')],
  },
  {
    name: 'a name with a hyphen',
    configured: [],
    config: '[registries.my-reg]\nindex = "sparse+$S/mock/index/"\n',
    env: { CARGO_REGISTRIES_MY_REG_TOKEN: 't' },
    steps: each('--registry my-reg'),
  },
  {
    name: 'two names for one index',
    config: '[registries.second]\nindex = "sparse+$S/mock/index/"\n',
    env: { CARGO_REGISTRIES_SECOND_TOKEN: 's' },
    steps: [
      ...each('--registry mock'),
      ...each('--registry second'),
      ...steps('login --registry mock', 'logout --registry second'),
    ],
  },
  {
    name: 'two registries',
    configured: ['mock', 'other'],
    registries: { other: {} },
    env: { CARGO_REGISTRIES_OTHER_TOKEN: 'othertoken' },
    steps: [...each('--registry other'), ...each('--registry mock')],
  },
  {
    name: 'config.json without an API',
    registries: { mock: { config: { api: null } } },
    steps: [...each('--registry mock'), ...steps('login --registry mock', 'logout --registry mock')],
  },
  {
    name: 'an API that is null',
    registries: { mock: { answers: { 'GET /index/config.json': '{"dl":"$S/dl","api":null}' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'an API with a slash at its end',
    registries: { mock: { config: { api: '$S/mock/' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'an API that is elsewhere',
    registries: { mock: { config: { api: 'http://127.0.0.1:$DEAD/x' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'an API that is no URL',
    registries: { mock: { config: { api: 'nonsense' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'an API that is empty',
    registries: { mock: { config: { api: '' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'an API of another protocol',
    registries: { mock: { config: { api: 'ftp://127.0.0.1:$DEAD' } } },
    steps: each('--registry mock'),
  },
  {
    name: 'config.json that is none',
    registries: {
      mock: {
        answers: {
          'GET /index/config.json': [
            '{',
            '{}',
            '{"api":"$S/mock"}',
            '[]',
            'null',
            '"x"',
            '{"dl":5}',
            '{"dl":"x","api":7}',
            '{"dl":"x","auth-required":"yes"}',
            '<html>',
            '',
          ],
        },
      },
    },
    steps: steps(...Array.from({ length: 11 }, () => 'yank foo@1.0.0 --registry mock')),
  },
  {
    name: 'no config.json',
    registries: { mock: { answers: { 'GET /index/config.json': [404, 410, 451] } } },
    steps: steps(...Array.from({ length: 3 }, () => 'yank foo@1.0.0 --registry mock')),
  },
  {
    name: 'crates-io replaced by a registry that has a name',
    config: '[source.crates-io]\nreplace-with = "mock"\n',
    steps: [...each(''), ...each('--registry mock')],
  },
  {
    name: 'crates-io replaced by a registry without one',
    config:
      '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+$S/other/index/"\n',
    registries: { other: {} },
    steps: [...each(''), ...each('--registry mock')],
  },
  {
    name: 'crates-io replaced by a folder',
    config: '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "$W/vendor"\n',
    files: { vendor: { dir: true } },
    steps: [...each(''), ...each('--registry mock'), ...steps('publish', 'login', 'info foo')],
  },
  {
    name: 'crates-io replaced by a local registry',
    config: '[source.crates-io]\nreplace-with = "local"\n[source.local]\nlocal-registry = "$W/local"\n',
    files: { 'local/index': { dir: true } },
    steps: each(''),
  },
  {
    name: 'crates-io replaced by git',
    config: '[source.crates-io]\nreplace-with = "g"\n[source.g]\ngit = "file://$G/x"\n',
    steps: each(''),
  },
  {
    name: 'a replacement that is broken',
    config: '[source.crates-io]\nreplace-with = "nowhere"\n',
    steps: [...each(''), ...each('--registry mock')],
  },
  {
    name: 'the registry itself replaced',
    config:
      '[source.mine]\nregistry = "sparse+$S/mock/index/"\nreplace-with = "other"\n[source.other]\nregistry = "sparse+$S/other/index/"\n',
    registries: { other: {} },
    steps: each('--registry mock'),
  },
  {
    name: 'configuration beside the package',
    files: {
      '.cargo/config.toml': '[registries.near]\nindex = "sparse+$S/mock/index/"\ntoken = "neartoken"\n',
      'sub/x': '',
    },
    steps: [...each('--registry near'), step('yank foo@1.0.0 --registry near', { cwd: 'sub' })],
  },
  {
    name: 'configuration on the command line',
    configured: [],
    steps: steps(
      'yank foo@1.0.0 --registry x --config registries.x.index=\'"sparse+$S/mock/index/"\' --token t',
      'yank foo@1.0.0 --registry x --config registries.x.index=\'"sparse+$S/mock/index/"\' --config registries.x.token=\'"t"\'',
      'yank foo@1.0.0 --config registry.token=\'"t"\' --registry x',
      'search x --registry x --config registries.x.index=\'"sparse+$S/mock/index/"\'',
    ),
  },
  {
    name: 'a git index',
    configured: [],
    config: '[registries.old]\nindex = "file://$G/index"\n',
    env: { CARGO_REGISTRIES_OLD_TOKEN: 'oldtoken' },
    git: { index: { 'config.json': '{"dl":"$S/mock/dl","api":"$S/mock"}' } },
    steps: [...each('--registry old'), ...steps('yank foo@1.0.0 --registry old --offline')],
  },
  {
    name: 'a git index without an API',
    configured: [],
    config: '[registries.old]\nindex = "file://$G/index"\n',
    env: { CARGO_REGISTRIES_OLD_TOKEN: 'oldtoken' },
    git: { index: { 'config.json': '{"dl":"$S/mock/dl"}' } },
    steps: each('--registry old'),
  },
  {
    name: 'a git index that is not there',
    configured: [],
    config: '[registries.old]\nindex = "file://$G/nowhere"\n',
    env: { CARGO_REGISTRIES_OLD_TOKEN: 'oldtoken' },
    steps: steps('yank foo@1.0.0 --registry old'),
  },
  {
    name: 'no token for an index without a name',
    steps: steps('search x --index sparse+$S/other/index/'),
    registries: { other: { config: { 'auth-required': true } } },
  },
];
