import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Container, encodeContainer } from '../../src/derived/container.ts';
import { DamagedRecordError } from '../../src/derived/damaged-record-error.ts';
import { RecordInMemory } from '../../src/derived/record-file.ts';
import { RecordReader, RecordWriter } from '../../src/derived/record.ts';

const blocks = fc
  .uniqueArray(fc.tuple(fc.string(), fc.uint8Array({ maxLength: 40 })), {
    selector: ([name]) => name,
    maxLength: 5,
  })
  .map((entries) => new Map(entries));

function open(file: Uint8Array): Container | null {
  return Container.open(new RecordInMemory(file));
}

/** What the file has of the named blocks; null if it does not open, or one of them is damaged. */
function readBlocks(
  file: Uint8Array,
  names: Iterable<string>,
): readonly (readonly [string, number[]])[] | null {
  const container = open(file);
  if (container === null) return null;
  try {
    return Array.from(names, (name) => [name, Array.from(container.block(name))] as const);
  } catch (error) {
    if (error instanceof DamagedRecordError) return null;
    throw error;
  }
}

describe('container', () => {
  it('gives back what was put in, wherever it lies in memory', () => {
    fc.assert(
      fc.property(blocks, fc.nat(3), (input, shift) => {
        const file = encodeContainer(input);
        const shifted = new Uint8Array(file.length + shift).subarray(shift);
        shifted.set(file);
        expect(readBlocks(shifted, input.keys())).toEqual(Array.from(input, ([k, v]) => [k, Array.from(v)]));
      }),
    );
  });

  it('has an identity of its own', () => {
    const identity = (): string | undefined => open(encodeContainer(new Map()))?.identity;
    expect(identity()).toBeDefined();
    expect(identity()).not.toBe(identity());
  });

  it('says of texts that nobody wrote that they are damaged', () => {
    const blocks = new Map<string, Uint8Array>(new RecordWriter().blocks('x'));
    for (const text of ['["a"', '{}', '[1]']) {
      const container = open(encodeContainer(blocks.set('x.strings', Buffer.from(text))));
      expect(() => container !== null && new RecordReader(container, 'x')).toThrow(DamagedRecordError);
    }
  });

  it('opens only what is a container, and is whole', () => {
    const whole = encodeContainer(new Map([['a', Buffer.from('some text of a block')]]));
    expect(open(Buffer.concat([whole, Buffer.of(0)]))).toBeNull();
    expect(open(Buffer.from('something else, of some length'))).toBeNull();
    expect(open(new Uint8Array())).toBeNull();
    const otherFormat = Uint8Array.from(whole);
    otherFormat[16]! ^= 1;
    expect(open(otherFormat)).toBeNull();
    expect(() => open(whole)?.block('c')).toThrow(DamagedRecordError);
  });
});

function readerOf(out: RecordWriter): RecordReader {
  const container = open(encodeContainer(new Map(out.blocks('r'))));
  if (container === null) throw new Error('does not open');
  return new RecordReader(container, 'r');
}

describe('record', () => {
  it('reads what was written, in order', () => {
    const out = new RecordWriter();
    out.string('x');
    out.list(['x', null, 'é'], (item) => out.string(item));
    out.int(-7);
    for (const value of [-0.5, 1_763_728_432_123.456, 2 ** 53]) out.double(value);
    const reader = readerOf(out);
    expect(reader.string()).toBe('x');
    expect(reader.list(() => reader.optionalString())).toEqual(['x', null, 'é']);
    expect(reader.int()).toBe(-7);
    const at = reader.skipDoubles(3);
    expect(Array.from(reader.doubles.subarray(at))).toEqual([-0.5, 1_763_728_432_123.456, 2 ** 53]);
    expect(() => reader.skipDoubles(1)).toThrow(DamagedRecordError);
    expect(() => reader.skipInts(1)).toThrow(DamagedRecordError);
    expect(() => reader.int()).toThrow(DamagedRecordError);
    expect(reader.stringCount).toBe(2);
  });
});
