import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openS3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { openCredentials } from '../../../src/server/bucket/open-credentials.ts';
import { imitateBucket } from '../../helpers/imitated-bucket.ts';

interface Found {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** What the imitated package finds. */
let find: () => Promise<Found>;
/** How often the imitated package searched. */
let searches = 0;

vi.mock('@aws-sdk/credential-providers', () => ({
  // As in several versions of the package, each function caches its first result, even a failure.
  fromNodeProviderChain: () => {
    let result: Promise<Found> | null = null;
    return () => {
      if (result === null) {
        searches += 1;
        result = find();
      }
      return result;
    };
  },
}));

const keys = (accessKeyId: string, more: Partial<Found> = {}): Found => ({
  ...{ accessKeyId, secretAccessKey: 's' },
  ...more,
});
const expiring = (accessKeyId: string, inMs: number): Found =>
  keys(accessKeyId, { expiration: new Date(Date.now() + inMs) });
const fail = (): Promise<Found> => Promise.reject(new Error('the service does not respond'));
const GET = { forceRefresh: false };
const FORCE = { forceRefresh: true };

beforeEach(() => {
  find = async () => keys('imitated-first');
  searches = 0;
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('uses the variables without asking the package', async () => {
  const provider = await openCredentials({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' });
  expect(await provider(GET)).toEqual({
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null },
  });
  await expect(openCredentials({ AWS_ACCESS_KEY_ID: 'id' })).rejects.toThrow('only one of');
  expect(searches).toBe(0);
});

it('returns what the package finds, and searches again at most every ten seconds', async () => {
  const provider = await openCredentials({});
  expect(await provider(GET)).toEqual({
    ...{ accessKeyId: 'imitated-first', secretAccessKey: 's', sessionToken: null },
  });
  find = async () => keys('imitated-second', { sessionToken: 't' });
  for (let i = 0; i < 3; i += 1) expect(await provider(FORCE)).toMatchObject({ sessionToken: 't' });
  expect(await provider(GET)).toMatchObject({ sessionToken: 't' });
  expect(searches).toBe(2);
  vi.advanceTimersByTime(10_000);
  await provider(FORCE);
  expect(searches).toBe(3);
});

it('explains what to do if the package finds nothing, without the rest of its message', async () => {
  find = () => Promise.reject(new Error('Could not load credentials\nsecret detail'));
  await expect(openCredentials({})).rejects.toMatchObject({
    ...{ code: 'auth', message: 'cannot get the keys for the object store: Could not load credentials' },
    hint: expect.stringContaining('aws sts get-caller-identity'),
  });
});

it('refuses keys that cannot be in a header', async () => {
  find = async () => keys('id\n');
  await expect(openCredentials({})).rejects.toThrow('contains a line end');
});

describe('temporary keys', () => {
  it('are replaced in the background in the five minutes before they expire', async () => {
    find = async () => expiring('first', 3_600_000);
    const provider = await openCredentials({});
    find = async () => expiring('second', 3_600_000);
    vi.advanceTimersByTime(3_299_000);
    await provider(GET);
    expect(searches).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(await provider(GET)).toMatchObject({ accessKeyId: 'first' });
    await vi.waitFor(async () => expect(await provider(GET)).toMatchObject({ accessKeyId: 'second' }));
    expect(searches).toBe(2);
  });

  it('are used until they expire if no others are found, with a search every ten seconds', async () => {
    find = async () => expiring('first', 60_000);
    const provider = await openCredentials({});
    find = fail;
    for (let second = 0; second < 59; second += 1) {
      expect(await provider(GET)).toMatchObject({ accessKeyId: 'first' });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(searches).toBe(7);
  });

  it('that are expired cause one search, whose failure counts for ten seconds', async () => {
    find = async () => expiring('first', 60_000);
    const provider = await openCredentials({});
    vi.advanceTimersByTime(60_000);
    find = fail;
    for (let i = 0; i < 3; i += 1)
      await expect(Promise.all([provider(GET), provider(FORCE)])).rejects.toThrow('does not respond');
    find = async () => expiring('second', 60_000);
    await expect(provider(GET)).rejects.toThrow('does not respond');
    expect(searches).toBe(2);
    vi.advanceTimersByTime(10_000);
    const found = await Promise.all([provider(GET), provider(FORCE), provider(GET)]);
    expect(found.map(({ accessKeyId }) => accessKeyId)).toEqual(['second', 'second', 'second']);
    expect(searches).toBe(3);
  });

  it('are replaced although an earlier search never ends', async () => {
    find = async () => expiring('first', 60_000);
    const provider = await openCredentials({});
    vi.advanceTimersByTime(60_000);
    find = () => new Promise(() => undefined);
    const waiting = expect(provider(GET)).rejects.toThrow('there are none after 30 seconds');
    await vi.advanceTimersByTimeAsync(30_000);
    await waiting;
    find = async () => expiring('second', 60_000);
    vi.advanceTimersByTime(10_000);
    expect(await provider(GET)).toMatchObject({ accessKeyId: 'second' });
  });
});

describe('a refusal by the store', () => {
  const KEY = `${'a'.repeat(64)}-0123456789abcdef`;

  it('causes one search for new keys, for which all refused requests wait', async () => {
    await using bucket = await imitateBucket();
    const blobs = await openS3Blobs(bucket.url, {});
    try {
      bucket.fault = ({ headers }) =>
        String(headers.authorization).includes('Credential=imitated-second/')
          ? null
          : { kind: 'status', status: 403, code: 'InvalidAccessKeyId' };
      let finish: () => void = () => undefined;
      const isReady = new Promise<void>((resolve) => {
        finish = resolve;
      });
      find = async () => {
        await isReady;
        return keys('imitated-second');
      };
      const pings = Promise.all(Array.from({ length: 20 }, () => blobs.ping()));
      await vi.waitFor(() => expect([searches, bucket.requests.length]).toEqual([2, 20]));
      finish();
      await pings;
      expect(searches).toBe(2);
      const options = { expiresInSeconds: 60, fileName: 'a.crate' };
      expect(await blobs.signedUrl?.(KEY, options)).toContain('X-Amz-Credential=imitated-second%2F');
    } finally {
      blobs.close();
    }
  });

  it('is returned without a retry if there are no other keys, and requests work again later', async () => {
    await using bucket = await imitateBucket();
    const blobs = await openS3Blobs(bucket.url, {});
    try {
      bucket.fault = () => ({ kind: 'status', status: 403, code: 'InvalidAccessKeyId' });
      await expect(blobs.ping()).rejects.toMatchObject({ code: 'auth' });
      find = fail;
      vi.advanceTimersByTime(10_000);
      await expect(blobs.ping()).rejects.toThrow('403 InvalidAccessKeyId');
      expect([bucket.requests.length, blobs.figures?.().failures]).toEqual([2, 1]);
      bucket.fault = () => null;
      await blobs.ping();
    } finally {
      blobs.close();
    }
  });
});

it('counts a failure for each request and each URL that cannot be signed', async () => {
  await using bucket = await imitateBucket();
  find = async () => expiring('imitated-first', 60_000);
  const blobs = await openS3Blobs(bucket.url, {});
  try {
    vi.advanceTimersByTime(60_000);
    find = fail;
    await expect(blobs.ping()).rejects.toThrow('the service does not respond');
    const url = blobs.signedUrl?.(`${'a'.repeat(64)}-0123456789abcdef`, {
      ...{ expiresInSeconds: 60, fileName: 'a.crate' },
    });
    await expect(url).rejects.toThrow('the service does not respond');
    expect(blobs.figures?.()).toEqual({ requests: 0, repeats: 0, failures: 2 });
  } finally {
    blobs.close();
  }
});
