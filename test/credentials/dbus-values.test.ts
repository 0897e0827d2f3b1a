import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeCall } from '../../src/credentials/dbus/message.ts';
import { decodeValues, encodeValues } from '../../src/credentials/dbus/values.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('values', () => {
  it.each([
    ['y', [7], '07'],
    ['yu', [1, 2], '0100000002000000'],
    ['b', [true], '01000000'],
    ['s', ['foo'], '03000000666f6f00'],
    ['g', ['a{ss}'], '05617b73737d00'],
    ['ay', [new Uint8Array([1, 2])], '020000000102'],
    ['v', [{ signature: 'u', value: 5 }], '0175000005000000'],
    // The length of an array does not count what is in front of its first element.
    ['a(yu)', [[[1, 2]]], '08000000000000000100000002000000'],
    ['a{ss}', [[['a', 'b']]], '0e00000000000000' + '010000006100' + '0000' + '010000006200'],
    [
      '(oayays)',
      [['/', new Uint8Array(), new Uint8Array([9]), 't']],
      '010000002f000000' + '00000000' + '01000000' + '09000000' + '010000007400',
    ],
  ] as const)('%s', (signature, values, bytes) => {
    expect(hex(encodeValues(signature, values))).toBe(bytes);
    expect(decodeValues(signature, Buffer.from(bytes, 'hex'), { isBigEndian: false })).toEqual(values);
  });

  it('are read with their other end first, too', () => {
    const bytes = Buffer.from('0000000100000000fffffffffffffffe', 'hex');
    expect(decodeValues('ux', bytes, { isBigEndian: true })).toEqual([1, -2n]);
  });

  it.each([
    ['s', 'ff00000041'],
    ['ay', '05000000'],
    ['au', '0800000001000000'],
    ['v', '017a00'],
    ['(', ''],
    ['a', ''],
  ])('%s of %s is refused', (signature, bytes) => {
    expect(() => decodeValues(signature, Buffer.from(bytes, 'hex'), { isBigEndian: false })).toThrow();
  });
});

describe('messages', () => {
  const call = encodeCall(
    { destination: 'a.b', path: '/x', interface: 'a.b', member: 'Do', signature: 's', body: ['hi'] },
    3,
  );

  it('begin with what every bus reads', () => {
    expect(hex(call.subarray(0, 12))).toBe('6c010001' + '07000000' + '03000000');
    expect(call.length % 8).toBe(7);
  });

  it('are read when all of one is there', () => {
    for (let length = 0; length < call.length; length += 1) {
      expect(decodeMessage(call.subarray(0, length))).toBeNull();
    }
    const decoded = decodeMessage(Buffer.concat([call, call]));
    expect(decoded?.length).toBe(call.length);
    expect(decoded?.message).toMatchObject({ kind: 'call', path: '/x', member: 'Do', body: ['hi'] });
  });

  it('may not be of any length', () => {
    const long = Buffer.from(call);
    long.writeUInt32LE(0x7fffffff, 4);
    expect(() => decodeMessage(long)).toThrow('a D-Bus message is too long');
  });
});
