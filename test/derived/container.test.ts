import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decodeContainer, encodeContainer } from '../../src/derived/container.ts';
import { DamagedRecordError, RecordReader, RecordWriter } from '../../src/derived/record.ts';

const blocks = fc
  .uniqueArray(fc.tuple(fc.string(), fc.uint8Array({ maxLength: 40 })), {
    selector: ([name]) => name,
    maxLength: 5,
  })
  .map((entries) => new Map(entries));

describe('container', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(blocks, (input) => {
        const output = decodeContainer(encodeContainer(input));
        expect(output && Array.from(output, ([k, v]) => [k, Array.from(v)])).toEqual(
          Array.from(input, ([k, v]) => [k, Array.from(v)]),
        );
      }),
    );
  });

  it('reads as null or as what was put in, whichever byte is flipped and wherever it is cut', () => {
    const input = new Map<string, Uint8Array>([
      ['a', Buffer.from('some text of a block')],
      ['b', new Uint8Array(9)],
    ]);
    const whole = encodeContainer(input);
    const same = (bytes: Uint8Array): boolean => {
      const read = decodeContainer(bytes);
      return (
        read === null ||
        (read.size === 2 &&
          Array.from(input).every(([k, v]) => Buffer.compare(read.get(k) ?? Buffer.of(1, 2), v) === 0))
      );
    };
    for (let i = 0; i < whole.length; i += 1) {
      for (const mask of [1, 0x80, 0xff]) {
        const damaged = Uint8Array.from(whole);
        damaged[i]! ^= mask;
        expect(same(damaged), `byte ${i}`).toBe(true);
      }
      expect(decodeContainer(whole.subarray(0, i)), `cut at ${i}`).toBeNull();
    }
    expect(decodeContainer(Buffer.concat([whole, Buffer.of(0)]))).toBeNull();
    expect(decodeContainer(whole)).not.toBeNull();
  });
});

describe('record', () => {
  it('reads what was written, in order', () => {
    const out = new RecordWriter();
    out.string('x');
    out.list(['x', null, 'é'], (item) => out.string(item));
    out.int(-7);
    const { ints, strings } = out.finish();
    const reader = new RecordReader(ints, strings);
    expect(reader.string()).toBe('x');
    expect(reader.list(() => reader.optionalString())).toEqual(['x', null, 'é']);
    expect(reader.int()).toBe(-7);
    expect(() => reader.int()).toThrow(DamagedRecordError);
    expect(reader.stringCount).toBe(2);
  });
});
