import { expect, test } from 'vitest';
import { debugList, debugText } from '../../../src/core/errors/debug-text.ts';

test.each([
  ['dave', '"dave"'],
  ['a"b\\c\'', '"a\\"b\\\\c\'"'],
  ['\t\r\n\0', '"\\t\\r\\n\\0"'],
  ['\u0007\u007f\u200b\u2028', '"\\u{7}\\u{7f}\\u{200b}\\u{2028}"'],
  ['é😀 \u00a0', '"é😀 \\u{a0}"'],
  ['\u{10ffff}', '"\\u{10ffff}"'],
])('quotes %j', (text, shown) => {
  expect(debugText(text)).toBe(shown);
});

test('quotes a list', () => {
  expect(debugList([])).toBe('[]');
  expect(debugList(['a', 'b c'])).toBe('["a", "b c"]');
});
