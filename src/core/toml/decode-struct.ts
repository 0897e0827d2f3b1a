/** Readers of TOML tables with known keys. cargo calls them structs, and also accepts arrays for some. */
import { asTable, type Decoded, type DecodeContext, type Decoder, invalidType, optional } from './decode.ts';
import type { TomlValue } from './value.ts';

/** A table with known keys. Every key except those in `R` may be missing. */
export type DecodedStruct<F, R extends keyof F = never> = {
  readonly [K in keyof F as K extends R ? never : K]?: Decoded<F[K]>;
} & { readonly [K in R]: Decoded<F[K]> };

/** Options for reading a struct. */
export interface StructOptions<R extends string = never> {
  /** Handles a key that is not a field. By default, such keys are noted as unused. */
  readonly onUnknown?: (key: string, value: TomlValue, context: DecodeContext) => void;
  /** Keys that must be present. */
  readonly required?: readonly R[];
  /**
   * Keys for which the reader supplies a default value. Affects only the steps of errors: serde does not wrap such keys
   * in an option.
   */
  readonly withDefault?: readonly string[];
  /**
   * The meaning of an array: the values of all fields in their order (`all`, the default), the values of the first
   * fields without a check of `required` (`some`), or a type error (`false`).
   */
  readonly asArray?: 'all' | 'some' | false;
  /**
   * Must be `(fields) => ({ ...fields })`, a shallow copy. Written at a struct that is read very often, because an
   * engine copies faster if the same piece of code always copies the same shape.
   */
  readonly copy?: (fields: Record<string, unknown>) => Record<string, unknown>;
}

const copyFields: NonNullable<StructOptions['copy']> = (fields) => ({ ...fields });

interface Field {
  readonly key: string;
  readonly decoder: Decoder<unknown>;
  /**
   * `decoder` without `optional`, which only adds steps to errors. For a context that does not track paths: nobody sees
   * its errors, because `decodeDocument` decodes again.
   */
  readonly untracked: Decoder<unknown>;
}

/**
 * Returns a decoder for tables with known keys. `name` is the type in messages (`TomlPackage`). `fields` are in cargo's
 * order, which decides the meaning of an array.
 */
export function struct<
  F extends Readonly<Record<string, Decoder<unknown>>>,
  R extends keyof F & string = never,
>(name: string, fields: F, options: StructOptions<R> = {}): Decoder<DecodedStruct<F, R>> {
  const { onUnknown, withDefault = [], asArray = 'all', copy = copyFields } = options;
  const required: readonly string[] = options.required ?? [];
  const known = new Map<string, Field>();
  for (const [key, decoder] of Object.entries(fields)) {
    const isOptional = !required.includes(key) && !withDefault.includes(key);
    known.set(key, { key, decoder: isOptional ? optional(decoder) : decoder, untracked: decoder });
  }
  // Every result has all fields, so that all results have the same shape and the engine can access them fast.
  const blank: Record<string, unknown> = Object.fromEntries(
    Object.keys(fields).map((key) => [key, undefined]),
  );
  return (value, context) => {
    const table = asTable(value);
    if (table === null) {
      if (!Array.isArray(value) || asArray === false) throw invalidType(value, `struct ${name}`, context);
      const [struct, count] = structOfArray(value, known, context);
      const size = `${known.size} element${known.size === 1 ? '' : 's'}`;
      if (asArray === 'some' || count === known.size) return struct as DecodedStruct<F, R>;
      throw context.error(`invalid length ${count}, expected struct ${name} with ${size}`);
    }
    const { tracksPath } = context;
    const result = copy(blank);
    // `forEach` avoids iterator objects: a first run spends much of its time here.
    table.forEach((item, key) => {
      const field = known.get(key);
      if (field !== undefined) {
        result[field.key] = tracksPath
          ? context.entry(field.key, item, field.decoder)
          : field.untracked(item, context);
      } else if (onUnknown === undefined) context.ignore(key);
      else onUnknown(key, item, context);
    });
    required.forEach((key) => {
      if (!table.has(key)) throw context.error(`missing field \`${key}\``);
    });
    // Each field comes from the decoder of its key.
    return result as DecodedStruct<F, R>;
  };
}

/** Reads an array as the values of the fields in their order. Returns the fields and the number of values read. */
function structOfArray(
  items: readonly TomlValue[],
  fields: ReadonlyMap<string, Field>,
  context: DecodeContext,
): readonly [Record<string, unknown>, number] {
  const result: Record<string, unknown> = {};
  let count = 0;
  for (const { key, decoder } of fields.values()) {
    const item = items[count];
    if (item === undefined) break;
    result[key] = context.entry(count, item, decoder);
    count += 1;
  }
  return [result, count];
}
