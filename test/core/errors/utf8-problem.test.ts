import { expect, test } from 'vitest';
import { utf8Problem } from '../../../src/core/errors/utf8-problem.ts';

test.each([
  [[], null],
  [[...Buffer.from('aé€😀\u{10ffff}')], null],
  [[0x61, 0xff, 0x61, 0x61], 'invalid utf-8 sequence of 1 bytes from index 1'],
  [[0x80], 'invalid utf-8 sequence of 1 bytes from index 0'],
  [[0xc0, 0xaf], 'invalid utf-8 sequence of 1 bytes from index 0'],
  [[0xed, 0xa0, 0x80], 'invalid utf-8 sequence of 1 bytes from index 0'],
  [[0xe2, 0x82, 0x41], 'invalid utf-8 sequence of 2 bytes from index 0'],
  [[0xf0, 0x9f, 0x98, 0x41], 'invalid utf-8 sequence of 3 bytes from index 0'],
  [[0x61, 0xc3], 'incomplete utf-8 byte sequence from index 1'],
  [[0xe2, 0x82], 'incomplete utf-8 byte sequence from index 0'],
])('describes the first problem of %j', (bytes, problem) => {
  expect(utf8Problem(Uint8Array.from(bytes))).toBe(problem);
});

test('agrees with TextDecoder about pairs of bytes', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let first = 0x7e; first < 0x100; first += 1) {
    for (let second = 0; second < 0x100; second += 1) {
      const bytes = Uint8Array.from([first, second, 0x80, 0x80]);
      let isText = true;
      try {
        decoder.decode(bytes);
      } catch {
        isText = false;
      }
      expect(utf8Problem(bytes) === null, `${first} ${second}`).toBe(isText);
    }
  }
});
