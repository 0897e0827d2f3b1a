import { expect, test } from 'vitest';
import { parseFault } from '../../../src/server/bucket/bucket-response.ts';

test('parseFault removes what controls a terminal from a message, and makes it one line', () => {
  const message = 'no\n\u009b31m \u202ebucket';
  expect(parseFault(`<Error><Code>NoSuchBucket</Code><Message>${message}</Message></Error>`)).toEqual({
    code: 'NoSuchBucket',
    message: 'no 31m bucket',
  });
});
