import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openS3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { openCredentials } from '../../../src/server/bucket/open-credentials.ts';
import { imitateBucket } from '../../helpers/imitated-bucket.ts';

/** The credentials that the imitated package finds, or its error. */
let found: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | Error;
const calls: boolean[] = [];

vi.mock('@aws-sdk/credential-providers', () => ({
  fromNodeProviderChain: () => async (options: { readonly forceRefresh: boolean }) => {
    calls.push(options.forceRefresh);
    if (found instanceof Error) throw found;
    return found;
  },
}));

beforeEach(() => {
  found = { accessKeyId: 'imitated-first', secretAccessKey: 's' };
  calls.length = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('uses the variables without asking the package', async () => {
  const provider = await openCredentials({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' });
  expect(await provider({ forceRefresh: false })).toEqual({
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null },
  });
  await expect(openCredentials({ AWS_ACCESS_KEY_ID: 'id' })).rejects.toThrow('only one of');
  expect(calls).toEqual([]);
});

it('returns what the package finds, and refreshes it at most every ten seconds', async () => {
  const provider = await openCredentials({});
  expect(await provider({ forceRefresh: false })).toEqual({
    ...{ accessKeyId: 'imitated-first', secretAccessKey: 's', sessionToken: null },
  });
  found = { accessKeyId: 'imitated-second', secretAccessKey: 's', sessionToken: 't' };
  for (let i = 0; i < 3; i += 1)
    expect(await provider({ forceRefresh: true })).toMatchObject({ sessionToken: 't' });
  vi.advanceTimersByTime(10_000);
  await provider({ forceRefresh: true });
  expect(calls).toEqual([false, false, true, false, false, true]);
});

it('explains what to do if the package finds nothing, without the rest of its message', async () => {
  found = new Error('Could not load credentials\nsecret detail');
  await expect(openCredentials({})).rejects.toMatchObject({
    ...{ code: 'auth', message: 'cannot get the keys for the object store: Could not load credentials' },
    hint: expect.stringContaining('aws sts get-caller-identity'),
  });
});

it('refuses keys that cannot be in a header', async () => {
  found = { accessKeyId: 'id\n', secretAccessKey: 's' };
  await expect(openCredentials({})).rejects.toThrow('contains a line end');
});

it('signs requests and URLs with new keys after a refusal, and fails without a retry if there are none', async () => {
  await using bucket = await imitateBucket();
  const blobs = await openS3Blobs(bucket.url, {});
  try {
    bucket.fault = ({ headers }) =>
      String(headers.authorization).includes('Credential=imitated-second/')
        ? null
        : { kind: 'status', status: 403, code: 'InvalidAccessKeyId' };
    await expect(blobs.ping()).rejects.toMatchObject({ code: 'auth' });
    found = { accessKeyId: 'imitated-second', secretAccessKey: 's' };
    vi.advanceTimersByTime(10_000);
    await blobs.ping();
    const key = `${'a'.repeat(64)}-0123456789abcdef`;
    const options = { expiresInSeconds: 60, fileName: 'a.crate' };
    expect(await blobs.signedUrl?.(key, options)).toContain('X-Amz-Credential=imitated-second%2F');
    found = new Error('the service does not respond');
    await expect(blobs.ping()).rejects.toThrow('the service does not respond');
  } finally {
    blobs.close();
  }
});
