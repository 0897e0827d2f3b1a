import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BufferedWriter } from '../../../src/io/terminal/buffered-writer.ts';

it('writes all bytes in order, in full chunks except the last', () => {
  const text = fc.string({ maxLength: 20, unit: 'binary' });
  const parts = fc.array(fc.oneof(text, fc.uint8Array({ maxLength: 20 })), { maxLength: 20 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 30 }), (all, chunkBytes) => {
      const pieces: Uint8Array[] = [];
      const writer = new BufferedWriter((piece) => pieces.push(Uint8Array.from(piece)), chunkBytes);
      all.forEach(writer.add);
      writer.end();
      expect(Buffer.concat(pieces)).toEqual(Buffer.concat(all.map((part) => Buffer.from(part))));
      for (const piece of pieces.slice(0, -1)) expect(piece.length).toBe(chunkBytes);
      expect(pieces.every(({ length }) => length > 0 && length <= chunkBytes)).toBe(true);
    }),
  );
});
