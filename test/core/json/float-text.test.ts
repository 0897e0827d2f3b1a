import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { floatText } from '../../../src/core/json/float-text.ts';

describe('floatText', () => {
  it.each([
    [1e10, '10000000000.0'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [0.00001, '0.00001'],
    [0.0000123, '0.0000123'],
    [1e-6, '1e-6'],
    [2.5e-8, '2.5e-8'],
    [5e-324, '5e-324'],
    [123456789012345680, '1.2345678901234568e+17'],
    [-0, '-0.0'],
    [0, '0.0'],
    [-1.5, '-1.5'],
    [100, '100.0'],
    [12.25, '12.25'],
  ])('prints %d as %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it('prints text that parses to the same float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Number(floatText(value)), value)).toBe(true);
      }),
    );
  });
});
