import { expect, test } from 'vitest';
import { humanBytes } from '../../../src/core/report/human-bytes.ts';

test.each([
  [0, '0B'],
  [1, '1B'],
  [1023, '1023B'],
  [1024, '1.0KiB'],
  [1280, '1.2KiB'],
  [2304, '2.2KiB'],
  [3328, '3.2KiB'],
  [3840, '3.8KiB'],
  [1_048_570, '1024.0KiB'],
  [1_048_575, '1024.0KiB'],
  [1_048_576, '1.0MiB'],
  [16_777_215, '16.0MiB'],
  [123_456_789, '117.7MiB'],
  [1_073_741_823, '1.0GiB'],
  [99_999_999_999, '93.1GiB'],
  [2 ** 60 - 1, '1.0EiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(humanBytes(bytes)).toBe(text);
});
