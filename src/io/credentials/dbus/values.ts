/**
 * Encoding and decoding of D-Bus values. D-Bus Specification, "Marshaling". `signature.ts` lists the codes of types.
 */
import { TsregError } from '../../../core/errors/error.ts';
import { alignmentOf, type DBusType, parseSignature } from './signature.ts';

/**
 * A D-Bus value. Strings, paths and signatures are `string`; 64-bit integers are `bigint`, other numbers `number`; byte
 * arrays are `Uint8Array`; structs and dictionary entries are arrays of their members.
 */
export type DBusValue = string | number | bigint | boolean | Uint8Array | DBusVariant | readonly DBusValue[];

/** A value with its type. */
export interface DBusVariant {
  readonly signature: string;
  readonly value: DBusValue;
}

/** Encodes `values`, whose types are in `signature`, as little-endian bytes. Alignment counts from the first byte. */
export function encodeValues(signature: string, values: readonly DBusValue[]): Buffer {
  const writer = new Writer();
  const types = parseSignature(signature);
  if (types.length !== values.length) throw mismatch(signature);
  types.forEach((type, i) => writer.write(type, values[i]));
  return writer.bytes();
}

/** Decodes values with the types in `signature` from the start of `bytes`. Alignment counts from the first byte. */
export function decodeValues(
  signature: string,
  bytes: Uint8Array,
  { isBigEndian }: { readonly isBigEndian: boolean },
): readonly DBusValue[] {
  const reader = new Reader(bytes, { isBigEndian });
  return parseSignature(signature).map((type) => reader.read(type));
}

/** Encodes values one after the other, each at the next multiple of its alignment. */
class Writer {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Writes a value. Throws `source` if it is not of this type. */
  write(type: DBusType, value: DBusValue | undefined): void {
    this.#align(alignmentOf(type));
    switch (type.kind) {
      case 'basic':
        return this.#writeBasic(type.code, value);
      case 'array':
        return this.#writeArray(type.of, value);
      case 'struct':
        if (!isList(value) || value.length !== type.of.length) throw mismatch('(…)');
        return type.of.forEach((member, i) => this.write(member, value[i]));
      case 'variant': {
        if (!isVariant(value)) throw mismatch('v');
        this.#writeBasic('g', value.signature);
        const [inner, ...extraTypes] = parseSignature(value.signature);
        if (inner === undefined || extraTypes.length > 0) throw mismatch('v');
        return this.write(inner, value.value);
      }
    }
  }

  /** Writes a value of the types that this program sends. */
  #writeBasic(code: string, value: DBusValue | undefined): void {
    if (code === 'y' && typeof value === 'number') return this.#push(Buffer.from([value]));
    if (code === 'b' && typeof value === 'boolean') return this.#pushUnsigned(value ? 1 : 0);
    if (code === 'u' && typeof value === 'number') return this.#pushUnsigned(value);
    if ((code === 's' || code === 'o') && typeof value === 'string') {
      const text = Buffer.from(value);
      this.#pushUnsigned(text.length);
      return this.#push(Buffer.concat([text, Buffer.alloc(1)]));
    }
    if (code === 'g' && typeof value === 'string') {
      return this.#push(Buffer.concat([Buffer.from([value.length]), Buffer.from(value), Buffer.alloc(1)]));
    }
    throw mismatch(code);
  }

  /** Writes the length of the elements in bytes, then the elements. */
  #writeArray(elementType: DBusType, value: DBusValue | undefined): void {
    if (value instanceof Uint8Array) {
      this.#pushUnsigned(value.length);
      return this.#push(Buffer.from(value));
    }
    if (!isList(value)) throw mismatch('a');
    const length = Buffer.alloc(4);
    this.#push(length);
    // The length excludes the padding before the first element.
    this.#align(alignmentOf(elementType));
    const start = this.#length;
    for (const element of value) this.write(elementType, element);
    length.writeUInt32LE(this.#length - start);
  }

  #pushUnsigned(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.#push(bytes);
  }

  #align(alignment: number): void {
    const padding = (alignment - (this.#length % alignment)) % alignment;
    if (padding > 0) this.#push(Buffer.alloc(padding));
  }

  #push(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

/** Decodes values one after the other. Throws if the bytes end too early. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;
  #position = 0;

  constructor(bytes: Uint8Array, { isBigEndian }: { readonly isBigEndian: boolean }) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittleEndian = !isBigEndian;
  }

  /** Reads the next value, which has this type. */
  read(type: DBusType): DBusValue {
    this.#align(alignmentOf(type));
    switch (type.kind) {
      case 'basic':
        return this.#readBasic(type.code);
      case 'array':
        return this.#readArray(type.of);
      case 'struct':
        return type.of.map((member) => this.read(member));
      case 'variant': {
        const signature = this.#readText(this.#view.getUint8(this.#skip(1)));
        const [inner, ...extraTypes] = parseSignature(signature);
        if (inner === undefined || extraTypes.length > 0) throw mismatch('v');
        return { signature, value: this.read(inner) };
      }
    }
  }

  /** Reads a value of a basic type. `signature.ts` lists the codes. */
  #readBasic(code: string): DBusValue {
    switch (code) {
      case 'y':
        return this.#view.getUint8(this.#skip(1));
      case 'g':
        return this.#readText(this.#view.getUint8(this.#skip(1)));
      case 'n':
        return this.#view.getInt16(this.#skip(2), this.#isLittleEndian);
      case 'q':
        return this.#view.getUint16(this.#skip(2), this.#isLittleEndian);
      case 'i':
        return this.#view.getInt32(this.#skip(4), this.#isLittleEndian);
      case 'b':
        return this.#readUnsigned() !== 0;
      case 'u':
      case 'h':
        return this.#readUnsigned();
      case 'x':
        return this.#view.getBigInt64(this.#skip(8), this.#isLittleEndian);
      case 't':
        return this.#view.getBigUint64(this.#skip(8), this.#isLittleEndian);
      case 'd':
        return this.#view.getFloat64(this.#skip(8), this.#isLittleEndian);
      default:
        return this.#readText(this.#readUnsigned());
    }
  }

  /** Reads an array; one of bytes as `Uint8Array`. */
  #readArray(elementType: DBusType): DBusValue {
    const length = this.#readUnsigned();
    if (elementType.kind === 'basic' && elementType.code === 'y') {
      const start = this.#skip(length);
      return new Uint8Array(this.#bytes.subarray(start, start + length));
    }
    this.#align(alignmentOf(elementType));
    const end = this.#position + length;
    if (end > this.#bytes.length) throw cut();
    const elements: DBusValue[] = [];
    while (this.#position < end) elements.push(this.read(elementType));
    return elements;
  }

  #readUnsigned(): number {
    return this.#view.getUint32(this.#skip(4), this.#isLittleEndian);
  }

  /** Reads a text of `length` bytes, and the zero byte after it. */
  #readText(length: number): string {
    const start = this.#skip(length + 1);
    return Buffer.from(this.#bytes.subarray(start, start + length)).toString('utf8');
  }

  #align(alignment: number): void {
    this.#skip((alignment - (this.#position % alignment)) % alignment);
  }

  /** Moves forward, and returns the previous position. Throws if that would be after the end. */
  #skip(count: number): number {
    const start = this.#position;
    if (start + count > this.#bytes.length) throw cut();
    this.#position += count;
    return start;
  }
}

function isList(value: DBusValue | undefined): value is readonly DBusValue[] {
  return Array.isArray(value);
}

/** Returns true for a value with its type. */
export function isVariant(value: DBusValue | null | undefined): value is DBusVariant {
  return typeof value === 'object' && value !== null && 'signature' in value;
}

function mismatch(signature: string): TsregError {
  return new TsregError(`a D-Bus value is not of the type \`${signature}\``, { code: 'source' });
}

function cut(): TsregError {
  return new TsregError('a D-Bus message is cut short', { code: 'source' });
}
