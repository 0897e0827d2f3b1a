/** Encoding and decoding of D-Bus messages. D-Bus Specification, "Message Format". */
import { TsregError } from '../../../core/errors/error.ts';
import { type DBusValue, decodeValues, encodeValues, isVariant } from './values.ts';

/** A method call. */
export interface DBusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** The signature of `body`. */
  readonly signature: string;
  readonly body: readonly DBusValue[];
}

/** A received message. Absent names are empty. */
export interface DBusMessage {
  readonly kind: 'call' | 'return' | 'error' | 'signal' | 'unknown';
  /** Serial of the call that this responds to; 0 if none. */
  readonly replySerial: number;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly errorName: string;
  readonly sender: string;
  readonly body: readonly DBusValue[];
}

/** The kinds by their code. */
const KINDS = ['unknown', 'call', 'return', 'error', 'signal'] as const;
/**
 * The signature of a header: byte order, kind, flags, protocol (bytes), length of the body, serial (32 bits), and the
 * fields, each with its code.
 */
const HEADER_SIGNATURE = 'yyyyuua(yv)';
const BODY_LENGTH_OFFSET = 4;
const FIELDS_LENGTH_OFFSET = 12;
/** The bytes of a header up to the first field. */
const FIXED_BYTES = 16;
const MAX_BYTES = 16 * 1024 * 1024;
/** The codes of header fields. */
const FIELD = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
};
/** The letters `l` and `B`. */
const LITTLE_ENDIAN = 0x6c;
const BIG_ENDIAN = 0x42;

/** Encodes a call. The response will have `serial` as its reply serial. */
export function encodeCall(call: DBusCall, serial: number): Buffer {
  const body = encodeValues(call.signature, call.body);
  const field = (code: number, signature: string, value: string): DBusValue => [code, { signature, value }];
  const fields: readonly DBusValue[] = [
    field(FIELD.path, 'o', call.path),
    field(FIELD.destination, 's', call.destination),
    field(FIELD.interface, 's', call.interface),
    field(FIELD.member, 's', call.member),
    ...(call.signature === '' ? [] : [field(FIELD.signature, 'g', call.signature)]),
  ];
  const noFlags = 0;
  const protocol = 1;
  const header = encodeValues(HEADER_SIGNATURE, [
    LITTLE_ENDIAN,
    KINDS.indexOf('call'),
    noFlags,
    protocol,
    body.length,
    serial,
    fields,
  ]);
  return Buffer.concat([header, Buffer.alloc(paddingAfter(header.length)), body]);
}

/** Returns the message at the start of `bytes` and its length; null if incomplete. Throws if it is invalid. */
export function decodeMessage(
  bytes: Buffer,
): { readonly message: DBusMessage; readonly length: number } | null {
  if (bytes.length < FIXED_BYTES) return null;
  const isBigEndian = bytes[0] === BIG_ENDIAN;
  const unsignedAt = (offset: number): number =>
    isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset);
  const bodyLength = unsignedAt(BODY_LENGTH_OFFSET);
  const headerLength = FIXED_BYTES + unsignedAt(FIELDS_LENGTH_OFFSET);
  const bodyStart = headerLength + paddingAfter(headerLength);
  const length = bodyStart + bodyLength;
  if (length > MAX_BYTES) throw new TsregError('a D-Bus message is too long', { code: 'limit' });
  if (bytes.length < length) return null;
  const [, kind, , , , , fields] = decodeValues(HEADER_SIGNATURE, bytes.subarray(0, headerLength), {
    isBigEndian,
  });
  const fieldValues = new Map<number, DBusValue>();
  for (const pair of Array.isArray(fields) ? fields : []) {
    const [code, variant]: readonly DBusValue[] = Array.isArray(pair) ? pair : [];
    if (typeof code === 'number' && isVariant(variant)) fieldValues.set(code, variant.value);
  }
  const textField = (code: number): string => {
    const value = fieldValues.get(code);
    return typeof value === 'string' ? value : '';
  };
  const replySerial = fieldValues.get(FIELD.replySerial);
  const message: DBusMessage = {
    kind: KINDS[typeof kind === 'number' ? kind : 0] ?? 'unknown',
    replySerial: typeof replySerial === 'number' ? replySerial : 0,
    path: textField(FIELD.path),
    interface: textField(FIELD.interface),
    member: textField(FIELD.member),
    errorName: textField(FIELD.errorName),
    sender: textField(FIELD.sender),
    body: decodeValues(textField(FIELD.signature), bytes.subarray(bodyStart, length), { isBigEndian }),
  };
  return { message, length };
}

/** Returns the padding after a header, which ends at a multiple of eight bytes. */
function paddingAfter(length: number): number {
  return (8 - (length % 8)) % 8;
}
