/**
 * Decoders of JSON documents with cargo's errors. They read fields in the order of the document, and its first error is
 * reported, whether it is about types or syntax. For small documents.
 */
import { JsonCursor } from './json-cursor.ts';

/** A function that reads the next value. Throws `source`, such as `expected value at line 1 column 1`. */
export type CargoDecoder<T> = (cursor: JsonCursor) => T;

/** Decodes a whole document. Throws the errors of `decoder`, and for text that follows the value. */
export function decodeAsCargo<T>(decoder: CargoDecoder<T>, bytes: Uint8Array): T {
  const cursor = new JsonCursor(bytes);
  const value = decoder(cursor);
  cursor.finish();
  return value;
}

/** Reads a string. */
export const string: CargoDecoder<string> = (cursor) => cursor.readString();

/** Reads a boolean. */
export const boolean: CargoDecoder<boolean> = (cursor) => cursor.readBoolean();

/** Reads an unsigned 32-bit integer. */
export const unsigned32: CargoDecoder<number> = (cursor) => cursor.readUnsigned32();

/** Returns a decoder that reads `null` as null, and any other value with `decoder`. */
export function nullable<T>(decoder: CargoDecoder<T>): CargoDecoder<T | null> {
  return (cursor) => cursor.readOptional(() => decoder(cursor));
}

/** Returns a decoder for lists. */
export function array<T>(item: CargoDecoder<T>): CargoDecoder<readonly T[]> {
  return (cursor) => {
    const items: T[] = [];
    cursor.readList('a sequence', () => items.push(item(cursor)));
    return items;
  };
}

/** Returns a decoder for objects with any names of fields, with the last of two fields of the same name. */
export function map<T>(item: CargoDecoder<T>): CargoDecoder<ReadonlyMap<string, T>> {
  return (cursor) => {
    const items = new Map<string, T>();
    cursor.readObject('a map', (key) => items.set(key, item(cursor)));
    return items;
  };
}

/** An object with known fields. Every field except those in `R` may be missing. */
export type DecodedStruct<F extends StructFields, R extends keyof F> = {
  readonly [K in Exclude<keyof F, R>]?: ReturnType<F[K]>;
} & { readonly [K in R]: ReturnType<F[K]> };

type StructFields = Readonly<Record<string, CargoDecoder<unknown>>>;

/** Options for reading a struct. */
export interface StructOptions<R extends string> {
  /** Fields that must be present. */
  readonly required: readonly R[];
  /** The number of fields at the end that a list of values may omit. */
  readonly omissible?: number;
  /** Reads the value of a key that is not a field. By default, such values are skipped. */
  readonly onUnknown?: (key: string, cursor: JsonCursor) => void;
}

/**
 * Returns a decoder for objects with known fields. As in cargo, it throws for duplicate fields, and accepts a list of
 * the values in the order of `fields`. `name` is the type in errors.
 */
export function struct<F extends StructFields, R extends keyof F & string>(
  name: string,
  fields: F,
  { required, omissible = 0, onUnknown = (_, cursor) => cursor.skipValue() }: StructOptions<R>,
): CargoDecoder<DecodedStruct<F, R>> {
  const known = new Map(Object.entries(fields));
  return (cursor) => {
    const values: Record<string, unknown> = {};
    if (cursor.isAtList()) {
      const readers = Array.from(known, ([key, decoder]) => () => {
        values[key] = decoder(cursor);
      });
      cursor.readTuple(`struct ${name}`, readers, known.size - omissible);
    } else {
      cursor.readObject(`struct ${name}`, (key) => {
        const decoder = known.get(key);
        if (decoder === undefined) return onUnknown(key, cursor);
        if (Object.hasOwn(values, key)) throw cursor.error(`duplicate field \`${key}\``);
        values[key] = decoder(cursor);
      });
    }
    required.forEach((key) => {
      if (!Object.hasOwn(values, key)) throw cursor.error(`missing field \`${key}\``);
    });
    // Each field comes from the decoder of its key.
    return values as DecodedStruct<F, R>;
  };
}
