import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openS3Blobs, type S3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { type Fault, imitateBucket, type ImitatedBucket } from '../../helpers/imitated-bucket.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { MAX_INDEX_FILE_BYTES } from '../../../src/server/store/index-limits.ts';
import type { ByteRange, FinishedBlob } from '../../../src/server/store/blobs.ts';

let store: ImitatedBucket;
let blobs: S3Blobs;
beforeEach(async () => {
  store = await imitateBucket();
  const timeouts = { connectMs: 500, idleMs: 500 };
  blobs = await openS3Blobs(store.url, store.env, { timeouts, backOffMs: 4, maxAttempts: 3 });
});
afterEach(async () => {
  blobs.close();
  await store[Symbol.asyncDispose]();
});

async function put(bytes: Uint8Array | string): Promise<FinishedBlob> {
  const writer = await blobs.begin();
  const buffer = Buffer.from(bytes);
  try {
    for (let at = 0; at < buffer.length; at += 100_000) await writer.write(buffer.subarray(at, at + 100_000));
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function read(key: string, range?: ByteRange): Promise<Buffer | null> {
  const blob = await blobs.open(key, range);
  if (blob === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of blob.stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Gives each of the next requests of `method` one of the faults; null for none. */
function failing(method: string, ...faults: readonly (Fault | null)[]): void {
  const rest = [...faults];
  store.fault = (request) => (request.method === method ? (rest.shift() ?? null) : null);
}

/** A credentials file in `folder`, and a function that opens the store with it. */
function keysIn(folder: string): {
  readonly file: string;
  readonly write: (id: string, secret?: string) => void;
  readonly open: () => Promise<S3Blobs>;
} {
  const file = path.join(folder, 'keys');
  const env = { AWS_SHARED_CREDENTIALS_FILE: file };
  return {
    file,
    write: (id, secret = 's') =>
      writeFileSync(
        file,
        `[default]\naws_access_key_id = imitated-${id}\naws_secret_access_key = ${secret}\n`,
      ),
    open: () => openS3Blobs(store.url, env, { backOffMs: 4, maxAttempts: 2 }),
  };
}

function uploads(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('tsreg-upload-'));
}

describe('a blob', () => {
  it('is uploaded in one request with its checksum and reads back unchanged', async () => {
    const { key, checksum } = await put('hello world');
    const put1 = store.requests.find(({ method }) => method === 'PUT');
    expect(put1?.key).toBe(`pre/blobs/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}.crate`);
    expect(put1?.headers['x-amz-content-sha256']).toBe(checksum);
    expect(checksum).toBe(createHash('sha256').update('hello world').digest('hex'));
    expect(store.requests.length).toBe(1);
    expect(String(await read(key))).toBe('hello world');
    expect(String(await read(key, { first: 4, last: 6 }))).toBe('o w');
    expect((await blobs.open(key, { first: 1, last: 1 }))?.size).toBe(11);
    expect(await blobs.stat(key)).toMatchObject({ key, size: 11 });
    expect(String(await read((await put('')).key))).toBe('');
    const [other] = [await put('hello world')];
    expect(other.key).not.toBe(key);
    await blobs.delete(key);
    await blobs.delete(key);
    expect([await blobs.stat(key), await blobs.open(key)]).toEqual([null, null]);
  });

  it('needs no visible temporary file if it is large, and can be sent twice', async () => {
    const bytes = randomBytes(9_000_000);
    const writer = await blobs.begin();
    await writer.write(bytes);
    expect(uploads()).toEqual([]);
    // The file is sent twice, so it must be read from the start again.
    failing('PUT', { kind: 'status', status: 503 });
    const { key, size } = await writer.finish();
    expect(size).toBe(bytes.length);
    expect((await read(key))?.equals(bytes)).toBe(true);
    expect(
      (await read(key, { first: 5_000_000, last: 5_000_009 }))?.equals(bytes.subarray(5_000_000, 5_000_010)),
    ).toBe(true);
  });

  it('leaves nothing behind if it is discarded', async () => {
    const writer = await blobs.begin();
    await writer.write(randomBytes(5_000_000));
    await writer.discard();
    await writer.discard();
    expect(store.requests).toEqual([]);
    expect(uploads()).toEqual([]);
  });

  it('is listed in pages, without other objects', async () => {
    store.pageSize = 2;
    const keys: string[] = [];
    for (let each = 0; each < 5; each += 1) keys.push((await put(`blob ${each}`)).key);
    store.objects.set('pre/blobs/README', { bytes: Buffer.from('x'), headers: {}, changedAtMs: 1 });
    store.objects.set('other/blobs/x', { bytes: Buffer.from('x'), headers: {}, changedAtMs: 1 });
    const found: string[] = [];
    for await (const { key } of blobs.list()) found.push(key);
    expect(found).toEqual(keys.toSorted());
  });

  it('is restored under its key if the checksum matches', async () => {
    const { key } = await put('hello');
    store.objects.clear();
    const content = async function* (text: string): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    };
    await expect(blobs.restore(key, content('hellO'))).rejects.toMatchObject({ code: 'checksum' });
    expect(store.objects.size).toBe(0);
    await blobs.restore(key, content('hello'));
    expect(String(await read(key))).toBe('hello');
  });

  it('cannot be read with an invalid key', async () => {
    for (const key of ['', '../x', 'a'.repeat(64), `${'a'.repeat(64)}-../../../../etc`]) {
      await expect(blobs.open(key)).rejects.toThrow('is not a valid key of a blob');
    }
  });

  it('has a signed URL that works without credentials', async () => {
    const { key } = await put('hello');
    const options = { expiresInSeconds: 60, fileName: 'a-1.0.0+b.crate' };
    const url = new URL((await blobs.signedUrl?.(key, options)) ?? '');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.searchParams.get('response-content-disposition')).toBe(
      'attachment; filename="a-1.0.0+b.crate"',
    );
    expect(url.href).not.toContain('imitated-secret');
    expect(await (await fetch(url)).text()).toBe('hello');
  });
});

describe('an unreliable object store', () => {
  it.each<[string, NonNullable<Fault>]>([
    ['says so', { kind: 'status', status: 500 }],
    ['is busy', { kind: 'status', status: 503, code: 'SlowDown' }],
    ['hangs up', { kind: 'reset' }],
    ['hangs up when it is done', { kind: 'reset-afterwards' }],
    ['says nothing', { kind: 'silence' }],
  ])('gets a retry if it %s, and stores nothing twice', async (_name, fault) => {
    failing('PUT', fault, ...(fault.kind === 'silence' ? [] : [fault]));
    const { key } = await put('hello');
    expect([...store.objects.keys()].length).toBe(1);
    failing('GET', fault.kind === 'reset-afterwards' ? null : fault);
    expect(String(await read(key))).toBe('hello');
    expect(blobs.figures?.()).toMatchObject({ failures: 0 });
    expect(blobs.figures?.().repeats).toBeGreaterThanOrEqual(2);
  });

  it('causes an error without secrets after several attempts', async () => {
    failing(
      'PUT',
      ...Array.from({ length: 9 }, () => ({ kind: 'status', status: 503, code: 'SlowDown' }) as const),
    );
    const error: unknown = await put('hello').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'network' });
    expect(String(error)).toContain('503 SlowDown It <went> wrong');
    expect(String(error)).toContain('the bucket `imitated` at `http://127.0.0.1:');
    expect(String(error)).not.toContain('imitated-');
    expect(store.requests.length).toBe(3);
    expect(blobs.figures?.()).toEqual({ requests: 3, repeats: 2, failures: 1 });
  });

  it('gets fewer attempts if it does not respond, because a client waits', async () => {
    failing('PUT', ...Array.from({ length: 9 }, () => ({ kind: 'silence' }) as const));
    await expect(put('hello')).rejects.toMatchObject({ code: 'network' });
    expect(store.requests.length).toBeLessThan(3);
  });

  it('gets only one request for a health check', async () => {
    await blobs.ping();
    failing('PUT', { kind: 'status', status: 503 });
    await expect(blobs.ping()).rejects.toMatchObject({ code: 'network' });
    expect(store.requests.length).toBe(2);
    await store[Symbol.asyncDispose]();
    await expect(blobs.ping()).rejects.toMatchObject({ code: 'network' });
    store = await imitateBucket();
  });

  it('gets a range request for the rest of a truncated response', async () => {
    const bytes = randomBytes(300_000);
    const { key } = await put(bytes);
    failing('GET', { kind: 'cut', afterBytes: 100_000 }, { kind: 'cut', afterBytes: 50_000 }, null);
    expect((await read(key))?.equals(bytes)).toBe(true);
    expect(
      store.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range),
    ).toEqual([undefined, 'bytes=100000-299999', 'bytes=150000-299999']);
    failing('GET', { kind: 'silence', afterBytes: 10 }, null);
    expect((await read(key, { first: 7, last: 299_990 }))?.equals(bytes.subarray(7, 299_991))).toBe(true);
    failing('GET', ...Array.from({ length: 9 }, () => ({ kind: 'cut', afterBytes: 1 }) as const));
    await expect(read(key)).rejects.toMatchObject({ code: 'network' });
  });

  it('keeps no connection for a reader that cancels while the rest is requested', async () => {
    const { key } = await put(randomBytes(300_000));
    const connections = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = connections();
    failing('GET', { kind: 'cut', afterBytes: 100_000 }, { kind: 'slow', ms: 150 });
    const reader = (await blobs.open(key))?.stream.getReader();
    const rest = (async () => {
      while ((await reader?.read())?.done === false);
    })().catch(() => undefined);
    while (store.requests.filter(({ method }) => method === 'GET').length < 2) await sleep(5);
    await reader?.cancel();
    await rest;
    await expect.poll(connections, { timeout: 2_000 }).toBeLessThan(before);
  });

  it('causes an error if it ignores the requested range', async () => {
    const { key } = await put('hello world');
    store.fault = ({ headers }) => {
      delete headers.range;
      return null;
    };
    await expect(blobs.open(key, { first: 4, last: 6 })).rejects.toMatchObject({ code: 'network' });
  });

  it('causes an error that explains its refusal', async () => {
    const { key } = await put('hello');
    failing('GET', { kind: 'status', status: 403, code: 'AccessDenied' });
    await expect(blobs.open(key)).rejects.toMatchObject({ code: 'auth' });
    failing('GET', { kind: 'status', status: 404, code: 'NoSuchBucket' });
    await expect(blobs.open(key)).rejects.toMatchObject({
      ...{ code: 'config', hint: expect.stringContaining('create the bucket') },
    });
    // The response of versitygw to an unknown key. The object may exist.
    failing('GET', { kind: 'status', status: 404, code: 'XAdminUserNotFound' });
    await expect(blobs.open(key)).rejects.toMatchObject({
      ...{ code: 'auth', hint: expect.stringContaining('does not know the key') },
    });
    const headers = { 'x-amz-bucket-region': 'eu-central-1' };
    failing('GET', { kind: 'status', status: 301, code: 'PermanentRedirect', headers });
    await expect(blobs.open(key)).rejects.toMatchObject({
      message: expect.stringContaining('it is in the region `eu-central-1`'),
      hint: expect.stringContaining('`region=eu-central-1`'),
    });
    failing('GET', { kind: 'body', text: '<html>' });
    await expect(async () => {
      for await (const { key: listed } of blobs.list()) expect(listed).toBe('');
    }).rejects.toThrow('did not return a list');
  });

  it.each([
    ['XAdminUserNotFound', 404, 'PUT'],
    ['InvalidAccessKeyId', 403, 'PUT'],
    ['ExpiredToken', 400, 'GET'],
    ['AccessDenied', 403, 'GET'],
    ['', 403, 'HEAD'],
  ])(
    'gets the new keys of the credentials file after a refusal (%s, %i to %s)',
    async (code, status, method) => {
      using temp = makeTempDir('keys');
      const { file, write, open } = keysIn(temp.path);
      const { key } = await put('hello');
      write('old');
      const own = await open();
      const ask = async (): Promise<unknown> => {
        if (method === 'PUT') return await own.ping();
        if (method === 'HEAD') return await own.stat(key);
        const blob = await own.open(key);
        await blob?.stream.cancel();
        return blob;
      };
      try {
        await ask();
        store.fault = ({ headers }) =>
          String(headers.authorization).includes(`Credential=imitated-new/`)
            ? null
            : { kind: 'status', status, code };
        await expect(ask()).rejects.toMatchObject({ code: 'auth' });
        // An unchanged file has no new keys, and neither has a missing one.
        rmSync(file);
        await expect(ask()).rejects.toMatchObject({ code: 'auth' });
        write('new');
        await ask();
        const asked = store.requests.length;
        await ask();
        expect(store.requests.length).toBe(asked + 1);
      } finally {
        own.close();
      }
    },
  );

  it('gets the new keys for all concurrent requests', async () => {
    using temp = makeTempDir('keys');
    const { write, open } = keysIn(temp.path);
    const { key, size } = await put('hello');
    write('old');
    const own = await open();
    try {
      store.fault = ({ headers }) =>
        String(headers.authorization).includes(`Credential=imitated-new/`)
          ? null
          : { kind: 'status', status: 403, code: '' };
      write('new');
      const found = await Promise.all(Array.from({ length: 4 }, () => own.stat(key)));
      expect(found.map((each) => each?.size)).toEqual([size, size, size, size]);
    } finally {
      own.close();
    }
  });

  it('gets a new secret of the same key', async () => {
    using temp = makeTempDir('keys');
    const { write, open } = keysIn(temp.path);
    write('id', 'old');
    const own = await open();
    try {
      failing(
        'PUT',
        ...[1, 2, 3].map(() => ({ kind: 'status', status: 403, code: 'SignatureDoesNotMatch' }) as const),
      );
      await expect(own.ping()).rejects.toMatchObject({ code: 'auth' });
      write('id', 'new');
      await expect(own.ping()).rejects.toMatchObject({ code: 'auth' });
      // The second `ping` sends two requests, the last of them with the new secret.
      expect(store.requests).toHaveLength(3);
      await own.ping();
    } finally {
      own.close();
    }
  });

  it('gets a request with the time of its own clock if that differs', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    failing('PUT', { kind: 'status', status: 403, code: 'RequestTimeTooSkewed', headers: { date } });
    await put('hello');
    const [first = '', second = ''] = store.requests.map(({ headers }) => String(headers['x-amz-date']));
    expect(second > first).toBe(true);
    expect(store.objects.size).toBe(1);
  });

  it('does not store bytes that do not match their checksum', async () => {
    store.fault = ({ headers }) => {
      headers['x-amz-content-sha256'] = '0'.repeat(64);
      return null;
    };
    await expect(put('hello')).rejects.toThrow('XAmzContentSHA256Mismatch');
    expect(store.objects.size).toBe(0);
  });
});

it('does not time out or send another request while a reader pauses', async () => {
  const retryPolicy = 1500;
  const patient = await openS3Blobs(store.url, store.env, {
    timeouts: { connectMs: retryPolicy, idleMs: retryPolicy },
  });
  const { key } = await put(randomBytes(24_000_000));
  const blob = await patient.open(key);
  const reader = blob?.stream.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  // Longer than the idle timeout, which does not apply while the reader pauses.
  await new Promise((resolve) => setTimeout(resolve, retryPolicy + 300));
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect(store.requests.filter(({ method }) => method === 'GET').length).toBe(1);
  patient.close();
}, 20_000);

it('learns from several concurrent requests that the store does not support conditions', async () => {
  store.fault = ({ headers }) =>
    headers['if-none-match'] === undefined ? null : { kind: 'status', status: 501, code: 'NotImplemented' };
  const options = { etag: null, contentType: 'text/plain', cacheControl: 'no-cache' };
  const writes = ['a', 'b', 'c'].map(async (name) => await blobs.staticFiles?.write(name, name, options));
  expect(await Promise.all(writes)).toEqual([true, true, true]);
});

it('reads the largest static file', async () => {
  const text = `${'x'.repeat(MAX_INDEX_FILE_BYTES)}\t\n`;
  store.objects.set('pre/static/index/foo', { bytes: Buffer.from(text), headers: {}, changedAtMs: 1 });
  expect((await blobs.staticFiles?.read('index/foo'))?.text.length).toBe(text.length);
});

it('refuses an object of unknown size', async () => {
  const { key } = await put('hello');
  failing('GET', { kind: 'chunked' });
  await expect(blobs.open(key)).rejects.toThrow('did not send the size');
});
