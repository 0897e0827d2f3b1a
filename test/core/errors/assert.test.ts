import { describe, expect, test } from 'vitest';
import { present } from '../../../src/core/errors/assert.ts';

describe('present', () => {
  test('returns the value, even if it is false, zero or empty', () => {
    expect([present(0, 'a number'), present('', 'a text'), present(false, 'a truth')]).toEqual([
      0,
      '',
      false,
    ]);
  });

  test.each([undefined, null])('throws a bug that names the missing value (%s)', (value) => {
    expect(() => present(value, 'the last package')).toThrow(
      expect.objectContaining({ code: 'bug', message: 'the last package is missing' }),
    );
  });
});
