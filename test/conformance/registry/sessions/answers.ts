import { gzipSync } from 'node:zlib';
import { steps } from '../arguments.ts';
import type { Answer, Session } from '../session.ts';

const errors = (status: number, ...details: string[]): Answer => ({
  status,
  body: JSON.stringify({ errors: details.map((detail) => ({ detail })) }),
});
const chunked = [['Transfer-Encoding', 'chunked']] as const;

/** Unusual responses of a web API, by name. */
const oddAnswers: Readonly<Record<string, Answer>> = {
  'an empty body': '',
  'no body': 204,
  '201 with ok': { status: 201, body: '{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}' },
  '202 with ok': { status: 202, body: '{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}' },
  'ok with more':
    '{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0},"more":{"deep":[1,2,{"x":null}]}}',
  'not JSON': 'welcome',
  HTML: { headers: [['Content-Type', 'text/html']], body: '<html>\n<body>It works!</body>\n</html>\n' },
  'cut JSON': '{"ok":tr',
  'JSON and more': '{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}} x',
  'white space': ' \n\t{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}\r\n ',
  'a byte order mark': '\ufeff{"ok":true}',
  null: 'null',
  'an array': '[true,"m"]',
  'a string': '"ok"',
  'a number': '42',
  'ok as text': '{"ok":"true"}',
  'ok as a number': '{"ok":1}',
  'ok as null': '{"ok":null}',
  'ok twice': '{"ok":true,"ok":true,"msg":"m","msg":"n"}',
  'no ok': '{"okay":true}',
  'not UTF-8': { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
  'not UTF-8 with 500': { status: 500, body: Buffer.from([0x66, 0xff, 0x6f]) },
  'errors with 200': errors(200, 'first', 'second'),
  'errors with 404': errors(404, 'crate `foo` does not exist'),
  'errors with 403': errors(403, 'this token is not for that'),
  'errors with 418': errors(418, 'short and stout'),
  'errors with 413': errors(413, 'max upload size is: 10485760'),
  'errors with 429': {
    status: 429,
    headers: [['Retry-After', '7']],
    body: '{"errors":[{"detail":"Please try again after Wed, 07 Oct 2026 17:17:34 GMT"}]}',
  },
  'errors with 299': errors(299, 'odd'),
  'no errors in errors': errors(200),
  'no errors in errors, with 500': errors(500),
  'errors of several lines': errors(400, 'line one\nline two\n\n  indented', 'next'),
  'an error without a detail': { status: 400, body: '{"errors":[{"details":"x"}]}' },
  'a detail that is a number': { status: 400, body: '{"errors":[{"detail":7}]}' },
  'errors that are text': { status: 400, body: '{"errors":["x"]}' },
  'errors as an array of arrays': { status: 400, body: '{"errors":[["x"]]}' },
  'an array that holds errors': { status: 400, body: '[[{"detail":"x"}]]' },
  'errors that are null': { status: 400, body: '{"errors":null}' },
  'errors and ok': '{"errors":[{"detail":"x"}],"ok":true,"msg":"m"}',
  'errors after ok': '{"ok":true,"errors":[{"detail":"x","code":5}]}',
  'errors twice': { status: 400, body: '{"errors":[{"detail":"x"}],"errors":[{"detail":"y"}]}' },
  'other errors': { status: 400, body: '{"http":400,"message":"bad","details":"very"}' },
  'unauthorised in plain text': {
    status: 401,
    headers: [
      ['WWW-Authenticate', 'Basic realm="x"'],
      ['Content-Type', 'text/plain'],
    ],
    body: 'who are you?',
  },
  'unauthorised and nothing': {
    status: 401,
    headers: [
      ['WWW-Authenticate', 'Basic'],
      ['WWW-Authenticate', 'Bearer'],
    ],
  },
  'a method that is not allowed': { status: 405, headers: [['Allow', 'GET']] },
  'many headers': {
    status: 503,
    headers: [
      ['retry-after', '120'],
      ['X-Foo', 'a'],
      ['x-foo', 'b'],
      ['X-Empty', ''],
      ['X-Spaces', 'a   b  '],
      ['Set-Cookie', 'a=b; HttpOnly'],
      ['X-Latin', 'caf\u00e9'],
    ],
    body: 'busy\nvery\n\n',
  },
  'a body of many lines': { status: 500, body: 'a\n\n  b\n\tc\r\nd\n\n\n' },
  'a reason of its own': { status: 500, reason: 'Out Of Order  Today', body: 'x' },
  'no reason': { raw: 'HTTP/1.1 500\r\nContent-Length: 1\r\n\r\nx' },
  'a strange status': { status: 599, reason: 'Network', body: 'x' },
  'HTTP/1.0': { raw: 'HTTP/1.0 404 Not Found\r\nContent-Length: 2\r\n\r\nno', close: true },
  'a redirect': { status: 302, headers: [['Location', '$S/mock/api/v1/elsewhere']], body: 'over there' },
  'a redirect for good': { status: 308, headers: [['Location', '/mock/api/v1/elsewhere']] },
  'not modified': 304,
  'an interim answer': {
    before: 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n',
    status: 500,
    body: 'late',
  },
  gzip: {
    headers: [['Content-Encoding', 'gzip']],
    body: gzipSync('{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}'),
  },
  'an error in gzip': {
    status: 500,
    headers: [
      ['Content-Encoding', 'gzip'],
      ['X-A', 'b'],
    ],
    body: gzipSync('busy'),
  },
  chunks: {
    headers: chunked,
    body: '8\r\n{"ok":tr\r\n37\r\nue,"msg":"m","users":[],"crates":[],"meta":{"total":0}}\r\n0\r\n\r\n',
  },
  'chunks that do not fit': {
    headers: chunked,
    body: '4\r\n{"ok":true}\r\n0\r\n\r\n',
  },
  'an error in chunks': { status: 500, headers: chunked, body: '4\r\nbusy\r\n0\r\n\r\n' },
  'a body that ends with the connection': {
    raw: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"ok":true,"msg":"m","users":[],"crates":[],"meta":{"total":0}}',
    close: true,
  },
  'a large error': { status: 500, body: `${'0123456789abcdef'.repeat(64)}\n`.repeat(64) },
  'another message': { status: 200, body: '{"ok":true,"msg":null}' },
};

/** The reasons for different output in tsreg's own mode. */
const plainDiffers: Readonly<Record<string, string>> = {
  'a large error': 'only so much of a body is shown',
  'another message': 'the message is not needed for anything',
};

/** Sessions with the same response to every request to the web API. */
export const answerSessions: readonly Session[] = Object.entries(oddAnswers).map(([name, answer]) => ({
  name,
  registries: { mock: { answers: { '* /api/v1/*': answer } } },
  ...(plainDiffers[name] === undefined ? {} : { plainDiffers: plainDiffers[name] }),
  steps: steps(
    'yank foo@1.0.0 --registry mock',
    'yank foo@1.0.0 --undo --registry mock',
    'owner foo --list --registry mock',
    'owner foo --add x --registry mock',
    'owner foo --remove x --registry mock',
    'search foo --registry mock',
  ),
}));
