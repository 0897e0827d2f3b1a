import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeCall } from '../../../src/io/credentials/dbus/message.ts';
import { decodeValues, encodeValues } from '../../../src/io/credentials/dbus/values.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('D-Bus values', () => {
  it.each([
    ['y', [7], '07'],
    ['yu', [1, 2], '0100000002000000'],
    ['b', [true], '01000000'],
    ['s', ['foo'], '03000000666f6f00'],
    ['g', ['a{ss}'], '05617b73737d00'],
    ['ay', [new Uint8Array([1, 2])], '020000000102'],
    ['v', [{ signature: 'u', value: 5 }], '0175000005000000'],
    // The length of an array does not include the padding before its first element.
    ['a(yu)', [[[1, 2]]], '08000000000000000100000002000000'],
    ['a{ss}', [[['a', 'b']]], '0e00000000000000' + '010000006100' + '0000' + '010000006200'],
    [
      '(oayays)',
      [['/', new Uint8Array(), new Uint8Array([9]), 't']],
      '010000002f000000' + '00000000' + '01000000' + '09000000' + '010000007400',
    ],
  ] as const)('are encoded and decoded with the signature %s', (signature, values, bytes) => {
    expect(hex(encodeValues(signature, values))).toBe(bytes);
    expect(decodeValues(signature, Buffer.from(bytes, 'hex'), { isBigEndian: false })).toEqual(values);
  });

  it('are decoded in big-endian order too', () => {
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
  ])('with the signature %s are refused if they are invalid: %s', (signature, bytes) => {
    expect(() => decodeValues(signature, Buffer.from(bytes, 'hex'), { isBigEndian: false })).toThrow();
  });
});

describe('D-Bus messages', () => {
  const call = encodeCall(
    { destination: 'a.b', path: '/x', interface: 'a.b', member: 'Do', signature: 's', body: ['hi'] },
    3,
  );

  it('begin with the standard header', () => {
    expect(hex(call.subarray(0, 12))).toBe('6c010001' + '07000000' + '03000000');
    expect(call.length % 8).toBe(7);
  });

  it('are decoded once they are complete', () => {
    for (let length = 0; length < call.length; length += 1) {
      expect(decodeMessage(call.subarray(0, length))).toBeNull();
    }
    const decoded = decodeMessage(Buffer.concat([call, call]));
    expect(decoded?.length).toBe(call.length);
    expect(decoded?.message).toMatchObject({ kind: 'call', path: '/x', member: 'Do', body: ['hi'] });
  });

  it('are refused if they are too long', () => {
    const long = Buffer.from(call);
    long.writeUInt32LE(0x7fffffff, 4);
    expect(() => decodeMessage(long)).toThrow('a D-Bus message is too long');
  });
});
