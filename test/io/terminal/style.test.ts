import { describe, expect, it } from 'vitest';
import { stripDelete, stripStyles, styled } from '../../../src/io/terminal/style.ts';

describe('output outside a terminal', () => {
  it.each([
    [styled('error', 'error'), 'error'],
    [`a${styled('literal', '-x')}\tb\r\n`, 'a-x\tb\r\n'],
    ['\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u0007', 'link'],
    ['\u001b(B\u001b7plain\u001b=', 'plain'],
    ['a\u0001b\u0007c\u000bd\u007fe\u001b', 'abcde'],
    ['Ünï\u009b\u2028 [1m', 'Ünï\u009b\u2028 [1m'],
  ])('has no escapes and no control characters: %j', (text, stripped) => {
    expect(stripStyles(text)).toBe(stripped);
  });

  it('has no DEL byte, and buffers without one are not copied', () => {
    expect(Buffer.from(stripDelete(Buffer.from('"a\u007f\u2028é"'))).toString()).toBe('"a\u2028é"');
    const clean = Buffer.from('{}');
    expect(stripDelete(clean)).toBe(clean);
  });
});
