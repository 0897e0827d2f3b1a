import { steps } from '../arguments.ts';
import type { Answer, Registries, Session } from '../session.ts';

const found = (crates: readonly unknown[], total: number = crates.length): string =>
  JSON.stringify({ crates, meta: { total } });
const answering = (answer: Answer | readonly Answer[]): Registries => ({
  mock: { answers: { 'GET /api/v1/crates?*': answer } },
});
const crate = (name: string, max_version: string, description?: string | null): unknown => ({
  name,
  max_version,
  ...(description === undefined ? {} : { description }),
});
const long = 'a very long description, '.repeat(20);

/** The Cargo Book: cargo search. */
export const searchSessions: readonly Session[] = [
  {
    name: 'one word',
    steps: steps(
      'search hoare --registry mock',
      'search hoare --registry mock -q',
      'search hoare --registry mock -v',
      'search hoare --registry mock --color always',
    ),
  },
  {
    name: 'several words',
    steps: steps(
      'search a b c --registry mock',
      "search 'a b+c/é' --registry mock",
      "search 'x&y=z#?' \"it's\" --registry mock",
      'search --registry mock -- --limit',
    ),
  },
  { name: 'no word', steps: steps('search --registry mock', "search '' --registry mock") },
  {
    name: 'descriptions',
    plainDiffers: 'what was sent beyond the limit is not counted as left',
    registries: answering(
      found(
        [
          crate('hoare', '0.1.1', 'a\nb'),
          crate('nodesc', '1.0.0', null),
          crate('x', '0.0.0'),
          crate('long', '2.0.0', long),
          crate('empty', '1.0.0', ''),
          crate('cr', '1.0.0', 'a\r\nb\tc'),
        ],
        16,
      ),
    ),
    steps: steps('search x y --registry mock --limit 2', 'search hoare --registry mock'),
  },
  {
    name: 'wide names',
    registries: answering(
      found([
        crate('größe', '0.1.1', 'ü'),
        crate('ラスト', '1.0.0', 'ラスト'.repeat(60)),
        crate('a'.repeat(64), '1.2.3-rc.1+b', long),
      ]),
    ),
    steps: steps('search x --registry mock'),
  },
  {
    name: 'matches are marked',
    plainDiffers: 'what was sent beyond the limit is not counted as left',
    registries: answering(
      found([crate('foo', '0.1.1', 'Foo foo FOO foofoo'), crate('bar', '1.0.0', 'about = "foo" # foo')], 9),
    ),
    steps: steps(
      'search foo --registry mock --color always',
      'search o --registry mock --color always',
      'search = --registry mock --color always --limit 1',
      'search foo bar --registry mock --color always',
      'search --registry mock --color always',
    ),
  },
  {
    name: 'nothing found',
    registries: answering(found([])),
    steps: steps('search x --registry mock', 'search x --registry mock -q'),
  },
  {
    name: 'more than shown',
    registries: answering(found([crate('a', '1.0.0', 'd')], 1234)),
    steps: steps(
      'search a --registry mock',
      'search a --registry mock --limit 1',
      'search a --registry mock --limit 100',
      'search a --registry mock --limit 1000',
      'search a --registry mock --limit 1234',
      'search a --registry mock --limit 99',
    ),
  },
  {
    name: 'a total that is less than shown',
    registries: answering(found([crate('a', '1.0.0'), crate('b', '1.0.0')], 0)),
    steps: steps('search a --registry mock'),
  },
  {
    name: 'limits that are none',
    plainDiffers: 'what was sent beyond the limit is not counted as left',
    steps: steps(
      'search x --limit x',
      "search x --limit ''",
      'search x --limit -1',
      'search x --limit 1.5',
      'search x --limit 4294967296',
      'search x --limit +5 --registry mock',
      'search x --limit 0 --registry mock',
      'search x --limit',
    ),
  },
  {
    name: 'without a token',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    steps: steps('search x --registry mock'),
  },
  {
    name: 'auth-required',
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { auth: { token: 'mocktoken' } } },
    steps: steps('search x --registry mock', 'search y --registry mock'),
  },
  {
    name: 'auth-required and no token',
    env: { CARGO_REGISTRIES_MOCK_TOKEN: null },
    config: 'registry.global-credential-providers = ["cargo:token"]\n',
    registries: { mock: { auth: { token: 'mocktoken' } } },
    steps: steps('search x --registry mock'),
  },
  {
    name: 'the cached configuration is used',
    steps: steps(
      'search x --registry mock',
      'search x --registry mock',
      'yank foo@1.0.0 --registry mock',
      'search x --registry mock',
    ),
  },
  {
    name: 'answers of another form',
    registries: answering([
      '{"crates":[]}',
      '{"meta":{"total":0}}',
      '{"crates":[],"meta":{}}',
      '{"crates":[],"meta":{"total":-1}}',
      '{"crates":[],"meta":{"total":"1"}}',
      '{"crates":[],"meta":{"total":4294967296}}',
      '{"crates":[{"name":"a"}],"meta":{"total":1}}',
      '{"crates":[{"max_version":"1.0.0"}],"meta":{"total":1}}',
      '{"crates":[{"name":"a","max_version":1}],"meta":{"total":1}}',
      '{"crates":[{"name":"a","max_version":"x","description":7}],"meta":{"total":1}}',
      '{"crates":{},"meta":{"total":1}}',
      '[[],[5]]',
      '{"crates":[["a","d","1.0.0"]],"meta":[3]}',
      '{"crates":[],"meta":{"total":1.0}}',
      '{"crates":[],"meta":{"total":1e2}}',
      'null',
      '"x"',
    ]),
    steps: steps(...Array.from({ length: 17 }, () => 'search x --registry mock')),
  },
  {
    name: 'a version that is none',
    registries: answering(found([crate('a', 'not a version', 'd')])),
    steps: steps('search a --registry mock'),
  },
  {
    name: 'by the address of the index',
    steps: steps(
      'search x --index sparse+$S/mock/index/',
      'search x --index sparse+$S/mock/index/ --registry mock',
      'search x --index sparse+$S/other/index/',
    ),
  },
  {
    name: 'failures',
    registries: answering([
      { status: 500, body: 'oops' },
      { status: 401, body: '{"errors":[{"detail":"must be logged in"}]}' },
      { status: 302, headers: [['Location', '$S/mock/elsewhere']] },
    ]),
    steps: steps('search a --registry mock', 'search a --registry mock', 'search a --registry mock'),
  },
];
