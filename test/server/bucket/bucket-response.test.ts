import { expect, test } from 'vitest';
import { bucketError } from '../../../src/server/bucket/bucket-failure.ts';
import { parseFault } from '../../../src/server/bucket/bucket-response.ts';

test('parseFault removes what controls a terminal from a message, and makes it one line', () => {
  const message = 'no\n\u009b31m \u202ebucket';
  expect(parseFault(`<Error><Code>NoSuchBucket</Code><Message>${message}</Message></Error>`)).toEqual({
    code: 'NoSuchBucket',
    message: 'no 31m bucket',
  });
});

test('parseFault keeps a reference with an unknown name', () => {
  const body = '<Error><Code>toString</Code><Message>&constructor; &amp; &nbsp;</Message></Error>';
  expect(parseFault(body)).toEqual({ code: 'toString', message: '&constructor; & &nbsp;' });
});

test('bucketError has no hint for an unknown code', () => {
  const refusal = { status: 400, fault: { code: 'toString', message: '' }, theirRegion: null };
  const { hint } = bucketError(refusal, { action: 'use', bucket: 'the bucket', region: 'r' });
  expect(hint).toBe(null);
});
