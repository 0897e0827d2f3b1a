import { describe, expect, it } from 'vitest';
import { closestName, closestNameHint, editDistance } from '../../../src/core/errors/similar-names.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['ABC', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['märy', 'mary', 1],
  ])('of %j and %j is %d', (a, b, distance) => {
    expect(editDistance(a, b, 10)).toBe(distance);
    expect(editDistance(b, a, 10)).toBe(distance);
  });

  it('is null beyond the limit', () => {
    expect(editDistance('abcd', 'wxyz', 3)).toBeNull();
    expect(editDistance('a', 'abcde', 3)).toBeNull();
  });
});

describe('closestName', () => {
  it('returns the first of the nearest names, or null', () => {
    expect(closestName('serd', ['sere', 'serde', 'tokio'])).toBe('sere');
    expect(closestName('serd', ['tokio-util'])).toBeNull();
  });

  it('is shown in a hint by closestNameHint', () => {
    expect(closestNameHint('abd', ['abc'], 'feature')).toBe(
      '\n\nhelp: a feature with a similar name exists: `abc`',
    );
    expect(closestNameHint('abd', [], 'feature')).toBe('');
  });
});
