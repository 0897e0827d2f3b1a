import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/io/http/decode-body.ts';
import { splitIndexFile } from '../../src/io/sources/index-cache.ts';
import { namesServer } from '../../src/io/sources/crate-downloads.ts';
import { type RecordingServer, headerOf, startRecordingServer } from '../helpers/recording-server.ts';
import { testTransport } from '../helpers/test-transport.ts';

const MAX_BYTES = 1024 * 1024;

describe('the encodings of a response', () => {
  const wrapped = (times: number): Uint8Array => {
    let body = Buffer.from('text');
    for (let at = 0; at < times; at++) body = gzipSync(body, { level: 0 });
    return body;
  };
  const named = (times: number): string => Array<string>(times).fill('gzip').join(', ');

  it('may be five', () => {
    expect(Buffer.from(decodeBody(wrapped(5), named(5), MAX_BYTES)).toString()).toBe('text');
  });

  // Each encoding may unpack to the size limit, and one header has room for thousands of encodings.
  it.each([6, 3000])('are refused if there are %i', (times) => {
    expect(() => decodeBody(wrapped(6), named(times), MAX_BYTES)).toThrow(
      'Reject response due to more than 5 content encodings',
    );
  });
});

describe('an index file', () => {
  it('with millions of empty lines is read within seconds', () => {
    const startedAt = performance.now();
    expect(splitIndexFile(Buffer.alloc(4_000_000, '\n'), 'etag: x').lines).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it('may contain the shortest line that names a version', () => {
    expect(splitIndexFile(Buffer.from('{"name":"","vers":"0.0.0"}'), 'etag: x').lines).toHaveLength(1);
  });
});

describe('a registry URL with a user', () => {
  let server: RecordingServer | null = null;
  afterEach(async () => {
    await server?.close();
  });

  it.each([
    ['bytes that are no text', '%ff:%fe', Buffer.from([0xff, 0x3a, 0xfe])],
    ['a percent sign that means nothing', '100%:p%zz', Buffer.from('100%:p%zz')],
    ['text', 'b%C3%BCcher:p%40ss', Buffer.from('bücher:p@ss')],
  ])('sends its percent-decoded credentials: %s', async (_, user, credentials) => {
    server = await startRecordingServer();
    server.restart(() => ({ status: 200, body: 'fine' }));
    const transport = testTransport({});
    try {
      const url = `${server.url.replace('//', `//${user}@`)}/x`;
      const { status } = await transport.send({ url, headers: {}, maxBytes: MAX_BYTES });
      expect(status).toBe(200);
    } finally {
      await transport.close();
    }
    const sent = server.requests.map((request) => headerOf(request, 'authorization'));
    expect(sent).toEqual([`Basic ${credentials.toString('base64')}`]);
  });
});

describe('namesServer', () => {
  it.each(['//evil/share/a.crate', '\\\\evil\\share\\a.crate', '/\\evil\\share'])(
    'is true for %j on Windows only',
    (path) => {
      expect(namesServer(path, 'win32')).toBe(true);
      expect(namesServer(path, 'linux')).toBe(false);
    },
  );

  it('is false for a path on a drive', () => {
    expect(namesServer('C:\\crates\\a.crate', 'win32')).toBe(false);
  });
});
