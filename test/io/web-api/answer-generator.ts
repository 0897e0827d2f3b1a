import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** The bytes that a server sends, and whether it keeps the connection open after them. */
export interface GeneratedAnswer {
  readonly bytes: Buffer;
  readonly stalls: boolean;
}

const right =
  '{"ok":true,"msg":"m","users":[{"id":1,"login":"a","name":null}],"crates":[{"name":"a","max_version":"1.0.0","description":null}],"meta":{"total":1},"warnings":{"other":["w"]}}';

/** Bodies: most are almost valid, because random bytes rarely are. */
const body: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(Buffer.from(right)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.nat({ max: right.length - 1 }),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '\\', '\n', '\0', 'é'),
      )
      .map(([at, put]) => Buffer.from(right.slice(0, at) + put + right.slice(at + 1))),
  },
  { weight: 2, arbitrary: fc.nat({ max: right.length }).map((at) => Buffer.from(right.slice(0, at))) },
  { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  {
    weight: 3,
    arbitrary: fc
      .record(
        {
          ok: fc.constantFrom(true, false, 'true', 1, null),
          msg: fc.constantFrom('m', '', 5, null, 'a\u001b[31mb\u0000', 'x'.repeat(5000)),
          errors: fc.oneof(
            fc.array(
              fc.record({ detail: fc.oneof(fc.string(), fc.constantFrom(5, null, 'a\nb\u001b]0;x\u0007')) }),
              { maxLength: 3 },
            ),
            fc.constantFrom(null, 'x', [[]], [['x']], {}),
          ),
          users: fc.array(fc.record({ id: fc.oneof(fc.integer(), fc.double()), login: fc.string() }), {
            maxLength: 2,
          }),
          crates: fc.array(fc.record({ name: fc.string(), max_version: fc.string() }), { maxLength: 2 }),
          meta: fc.record({ total: fc.oneof(fc.nat(), fc.constantFrom(-1, '1', null, 2 ** 40)) }),
          warnings: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) => Buffer.from(JSON.stringify(value) ?? 'null')),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        '[true,"m"]',
        '[[[1,"a",null,null,null]]]',
        '\ufeff{"ok":true}',
        ' {"ok":true}\n',
        '{"ok":true} x',
        '['.repeat(4000),
        '{"ok":true,"ok":true}',
      )
      .map((text) => Buffer.from(text)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(70_000, 300_000)
      .map((size) => Buffer.from(`{"ok":true,"pad":"${'p'.repeat(size)}"}`)),
  },
);

const status: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('200') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '201',
      '202',
      '204',
      '206',
      '299',
      '301',
      '302',
      '304',
      '307',
      '308',
      '400',
      '401',
      '403',
      '404',
      '405',
      '409',
      '413',
      '418',
      '429',
      '500',
      '502',
      '503',
      '599',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('100', '101', '103', '999', '000', '20', '2000', '-1', 'abc', '') },
);

const header: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'Content-Type: text/html',
    'Content-Type: application/json; charset=latin1',
    'Location: /elsewhere',
    'Retry-After: 3',
    'Retry-After: never',
    'WWW-Authenticate: Cargo login_url="https://x"',
    'X-Long: ' + 'y'.repeat(3000),
    'X-Escape: \u001b[2J',
    'X-Latin: caf\u00e9',
    'Set-Cookie: a=b',
    'Connection: close',
    'Connection: keep-alive',
    ': no name',
    'no colon',
    ' folded',
    'Content-Length: 5',
    'Content-Length: -5',
    'Content-Length: 99999999999',
    'Transfer-Encoding: gzip',
    'Trailer: x',
  ),
  fc.string({ maxLength: 40 }).map((text) => `X-Any: ${text.replace(/[\r\n]/g, ' ')}`),
);

const framing = fc.constantFrom(
  'length',
  'length',
  'length',
  'length',
  'chunked',
  'closed',
  'gzip',
  'deflate',
  'not gzip',
  'short',
  'long',
  'broken chunks',
);

function framed(kind: string, content: Buffer): { headers: string[]; sent: Buffer } {
  const lengthOf = (bytes: Buffer): string => `Content-Length: ${bytes.length}`;
  const packed = kind === 'gzip' ? gzipSync(content) : kind === 'deflate' ? deflateSync(content) : content;
  switch (kind) {
    case 'chunked':
    case 'broken chunks': {
      const half = content.length >> 1;
      const parts = [content.subarray(0, half), content.subarray(half)].filter(({ length }) => length > 0);
      const chunks = parts.flatMap((part) => [
        Buffer.from(`${(kind === 'chunked' ? part.length : part.length + 3).toString(16)}\r\n`),
        part,
        Buffer.from('\r\n'),
      ]);
      return {
        headers: ['Transfer-Encoding: chunked'],
        sent: Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]),
      };
    }
    case 'gzip':
    case 'deflate':
      return { headers: [`Content-Encoding: ${kind}`, lengthOf(packed)], sent: packed };
    case 'not gzip':
      return { headers: ['Content-Encoding: gzip', lengthOf(content)], sent: content };
    case 'short':
      return { headers: [`Content-Length: ${content.length >> 1}`], sent: content };
    case 'long':
      return { headers: [`Content-Length: ${content.length + 7}`], sent: content };
    case 'closed':
      return { headers: [], sent: content };
    default:
      return { headers: [lengthOf(content)], sent: content };
  }
}

/** A response that is valid for every request. */
export const rightAnswer: GeneratedAnswer = {
  bytes: Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${right.length}\r\n\r\n${right}`),
  stalls: false,
};

/** Random responses: most are almost valid, some are truncated, and a few never end. */
export const anyAnswer: fc.Arbitrary<GeneratedAnswer> = fc
  .record({
    body,
    status,
    framing,
    headers: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) },
    ),
    before: fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n',
      '\r\n',
    ),
    version: fc.oneof(
      { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
      { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'ICY') },
    ),
    cut: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
    ),
    stalls: fc.nat({ max: 40 }).map((one) => one === 0),
  })
  .map((parts) => {
    const { headers, sent } = framed(parts.framing, parts.body);
    const head = [`${parts.version} ${parts.status} Reason`, ...headers, ...parts.headers, '', ''].join(
      '\r\n',
    );
    const whole = Buffer.concat([Buffer.from(parts.before), Buffer.from(head, 'latin1'), sent]);
    const isCut = parts.cut !== null;
    const bytes = isCut ? whole.subarray(0, Math.floor((parts.cut ?? 1) * whole.length)) : whole;
    return { bytes, stalls: parts.stalls };
  });
