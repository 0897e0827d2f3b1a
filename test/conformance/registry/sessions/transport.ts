import { step, steps } from '../arguments.ts';
import type { Answer, Registries, Session } from '../session.ts';

const configAnswer = (answer: Answer | readonly (Answer | null)[]): Registries => ({
  mock: { answers: { 'GET /index/config.json': answer } },
});
const busy: Answer = {
  status: 503,
  headers: [
    ['X-Cache', 'MISS'],
    ['x-amz-cf-id', 'abc'],
  ],
  body: 'busy',
};

/** Failures of the network, and the settings in `[http]` and `[net]` for them. */
export const transportSessions: readonly Session[] = [
  {
    name: 'a busy index with one try more',
    registries: configAnswer(busy),
    steps: steps('yank foo@1.0.0 --registry mock --config net.retry=1'),
  },
  { name: 'a busy index', registries: configAnswer(busy), steps: steps('yank foo@1.0.0 --registry mock') },
  {
    name: 'an index that is busy twice',
    registries: configAnswer([busy, { status: 429, body: 'slow' }, null]),
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'no tries',
    registries: configAnswer([500, 502, 504]),
    steps: steps(
      'yank foo@1.0.0 --registry mock --config net.retry=0',
      'search x --registry mock --config net.retry=0',
      'owner foo -l --registry mock --config net.retry=0',
    ),
  },
  {
    name: 'an index that refuses',
    registries: configAnswer([
      403,
      { status: 400, body: 'bad\nrequest' },
      { status: 418, body: 'x'.repeat(600) },
      { status: 403, body: Buffer.from([0xff, 0xfe, 0x41]) },
    ]),
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --registry mock',
    ),
  },
  {
    name: 'an index that redirects',
    registries: {
      mock: {
        answers: {
          'GET /index/config.json': { status: 302, headers: [['Location', '$S/other/index/config.json']] },
        },
      },
      other: {},
    },
    steps: steps('yank foo@1.0.0 --registry mock', 'search x --registry mock'),
  },
  {
    name: 'an index that was not modified',
    registries: configAnswer([
      { headers: [['ETag', '"one"']], body: '{"dl":"$S/mock/dl","api":"$S/mock"}' },
      304,
    ]),
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'yank foo@1.0.0 --registry mock',
      'search x --registry mock',
    ),
  },
  {
    name: 'not modified where nothing is cached',
    registries: configAnswer(304),
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'an index with a date',
    registries: configAnswer([
      {
        headers: [['Last-Modified', 'Wed, 07 Oct 2026 17:17:34 GMT']],
        body: '{"dl":"$S/mock/dl","api":"$S/mock"}',
      },
      304,
    ]),
    steps: steps('yank foo@1.0.0 --registry mock', 'yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'an index that nobody serves',
    config: '[registries.dead]\nindex = "sparse+http://127.0.0.1:$DEAD/index/"\n',
    env: { CARGO_REGISTRIES_DEAD_TOKEN: 't' },
    steps: steps(
      'yank foo@1.0.0 --registry dead --config net.retry=0',
      'yank foo@1.0.0 --registry dead --config net.retry=1',
      'search x --registry dead --config net.retry=0',
    ),
  },
  {
    name: 'a host that is not known',
    config: '[registries.gone]\nindex = "sparse+http://no-such-host.invalid/index/"\n',
    env: { CARGO_REGISTRIES_GONE_TOKEN: 't' },
    steps: steps('yank foo@1.0.0 --registry gone --config net.retry=0'),
    long: true,
  },
  {
    name: 'an answer that is cut',
    registries: {
      mock: {
        answers: {
          '* /api/v1/*': { body: '{"ok":true,"msg":"m"}', headers: [['Content-Length', '500']], cut: 60 },
        },
      },
    },
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'owner foo -a x --registry mock',
      'search x --registry mock',
    ),
  },
  {
    name: 'an answer that is cut in its head',
    registries: { mock: { answers: { '* /api/v1/*': { body: '{"ok":true}', cut: 20 } } } },
    steps: [
      step('yank foo@1.0.0 --registry mock', {
        differs: 'half a head is no answer, though cargo takes it for one',
      }),
    ],
  },
  {
    name: 'no answer at all',
    registries: { mock: { answers: { '* /api/v1/*': { cut: 0 } } } },
    steps: steps(
      'yank foo@1.0.0 --registry mock',
      'owner foo -a x --registry mock',
      'search x --registry mock',
      'owner foo -l --registry mock',
    ),
  },
  {
    name: 'no HTTP',
    registries: { mock: { answers: { '* /api/v1/*': { raw: 'SSH-2.0-OpenSSH_9.6\r\n', close: true } } } },
    steps: steps('yank foo@1.0.0 --registry mock', 'search x --registry mock'),
  },
  {
    name: 'a name of its own',
    config: '[http]\nuser-agent = "my-agent/1 (x)"\n',
    steps: steps('yank foo@1.0.0 --registry mock', 'search x --registry mock'),
  },
  {
    name: 'a proxy',
    config:
      '[http]\nproxy = "127.0.0.1:$P"\n[registries.far]\nindex = "sparse+http://registry.invalid/mock/index/"\n',
    env: { CARGO_REGISTRIES_FAR_TOKEN: 't' },
    steps: steps('yank foo@1.0.0 --registry far --config net.retry=0'),
  },
  {
    name: 'a proxy that is dead',
    env: { http_proxy: 'http://127.0.0.1:$DEAD' },
    steps: steps('yank foo@1.0.0 --registry mock --config net.retry=0'),
  },
  {
    name: 'a slow answer',
    config: '[http]\ntimeout = 1\n',
    registries: { mock: { answers: { '* /api/v1/*': { body: '{"ok":true}', delayMs: 2500 } } } },
    long: true,
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'a version of TLS that is none',
    config: '[http]\nssl-version = "x"\n',
    steps: [
      step('yank foo@1.0.0 --registry mock'),
      // This step excludes the files from the comparison: the programs create the folder of the registry at different
      // times.
      step('--version', { differs: 'the program says its own name' }),
    ],
  },
  {
    name: 'certificates that are not there',
    config: '[http]\ncainfo = "$W/none.pem"\n',
    steps: steps('yank foo@1.0.0 --registry mock'),
  },
  {
    name: 'plain text where TLS is wanted',
    config: '[registries.tls]\nindex = "sparse+https://127.0.0.1:$P/mock/index/"\n',
    env: { CARGO_REGISTRIES_TLS_TOKEN: 't' },
    steps: steps('yank foo@1.0.0 --registry tls --config net.retry=0'),
  },
];
