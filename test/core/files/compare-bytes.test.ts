import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBytes } from '../../../src/core/files/compare-bytes.ts';

it('orders strings by their UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareBytes('\u{10000}', '\uffff')).toBeGreaterThan(0);
});
