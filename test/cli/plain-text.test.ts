import { expect, test } from 'vitest';
import { harmlessText, plainText } from '../../src/cli/plain-text.ts';

test('nothing steers a terminal, by one character or by two', () => {
  const text = 'a\x1b[2Jb\u009b2Jc\x1b]0;t\x07d\u009d0;u\u009ce\x07\n\tf';
  expect(harmlessText(text)).toBe('ab2Jcd0;ue\n\tf');
});

test('a line stays a line, and runs one way', () => {
  expect(plainText('a\r\n\nb\u2028c \u202edcba\u2066e')).toBe('a b c dcbae');
  expect(plainText('שלום, naïve 日本')).toBe('שלום, naïve 日本');
});
