/** Writes records as 32-bit integers over one table of strings. */
import { type Container, doublesOf, wordsOf } from './container.ts';
import { DamagedRecordError, parseKept } from './damaged-record-error.ts';

/** A record under construction: integers, with every string kept once in a table. */
export class RecordWriter {
  readonly #ints: number[] = [];
  readonly #doubles: number[] = [];
  readonly #strings: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** A 32-bit signed integer. */
  int(value: number): void {
    this.#ints.push(value);
  }

  /** Any number. */
  double(value: number): void {
    this.#doubles.push(value);
  }

  /** A string, or null. */
  string(value: string | null): void {
    if (value === null) {
      this.#ints.push(-1);
      return;
    }
    let index = this.#indexes.get(value);
    if (index === undefined) {
      index = this.#strings.length;
      this.#indexes.set(value, index);
      this.#strings.push(value);
    }
    this.#ints.push(index);
  }

  /** A count, then each item. */
  list<T>(items: readonly T[], write: (item: T, index: number) => void): void {
    this.#ints.push(items.length);
    // What a loop would make for each item is much of what keeping takes.
    items.forEach(write);
  }

  /** A count, then each key and value. */
  map<K, V>(items: ReadonlyMap<K, V>, write: (key: K, value: V) => void): void {
    this.#ints.push(items.size);
    items.forEach((value, key) => write(key, value));
  }

  /** What was written so far, as blocks of a container: integers, other numbers, and the table of strings as JSON. */
  blocks(name: string): readonly (readonly [string, Uint8Array])[] {
    const ints = Int32Array.from(this.#ints);
    return [
      [`${name}.ints`, new Uint8Array(ints.buffer)],
      [`${name}.doubles`, new Uint8Array(Float64Array.from(this.#doubles).buffer)],
      [`${name}.strings`, Buffer.from(toAscii(JSON.stringify(this.#strings)), 'latin1')],
    ];
  }
}

/** JSON text in ASCII, which is read in half the time. */
function toAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The blocks of `name` as they were written. Throws `DamagedRecordError` if they are not whole. */
export function keptBlocks(container: Container, name: string): ReturnType<RecordWriter['blocks']> {
  return ['ints', 'doubles', 'strings'].map((part) => {
    const block = `${name}.${part}`;
    return [block, container.block(block)];
  });
}

/** Reads what a `RecordWriter` wrote, in the same order. */
export class RecordReader {
  /** All integers, for who skips some. */
  readonly ints: Int32Array;
  /** All other numbers. */
  readonly doubles: Float64Array;
  readonly #strings: readonly string[];
  #at = 0;
  #doubleAt = 0;

  /** Reads the blocks of `name`. Throws `DamagedRecordError` if they are not whole. */
  constructor(container: Container, name: string) {
    this.ints = wordsOf(container.block(`${name}.ints`));
    this.doubles = doublesOf(container.block(`${name}.doubles`));
    const strings = container.block(`${name}.strings`);
    const text = Buffer.from(strings.buffer, strings.byteOffset, strings.byteLength).toString('latin1');
    const table = parseKept((): unknown => JSON.parse(text), name);
    if (!isStringArray(table)) throw new DamagedRecordError(name);
    this.#strings = table;
  }

  /** Number of strings in the table: string indexes are below it. */
  get stringCount(): number {
    return this.#strings.length;
  }

  int(): number {
    const value = this.ints[this.#at];
    if (value === undefined) throw new DamagedRecordError('end of record');
    this.#at += 1;
    return value;
  }

  /** Goes on behind that many integers, and gives the index of the first: to read each by itself takes longer. */
  skipInts(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (!(this.#at <= this.ints.length)) throw new DamagedRecordError('end of record');
    return at;
  }

  /** As `skipInts`, for other numbers. */
  skipDoubles(count: number): number {
    const at = this.#doubleAt;
    this.#doubleAt += count;
    if (this.#doubleAt > this.doubles.length) throw new DamagedRecordError('end of record');
    return at;
  }

  /** A list of integers: `list` with `int` for each, in one step. */
  intList(): readonly number[] {
    const count = this.int();
    const at = this.skipInts(count);
    const items: number[] = [];
    for (let i = at; i < at + count; i += 1) items.push(this.ints[i] ?? 0);
    return items;
  }

  /** Index of a string in the table, or -1 for null. */
  stringIndex(): number {
    return this.int();
  }

  /** The string at an index that `stringIndex` gave. */
  stringAt(index: number): string {
    const value = this.#strings[index];
    if (value === undefined) throw new DamagedRecordError('string index');
    return value;
  }

  string(): string {
    return this.stringAt(this.int());
  }

  optionalString(): string | null {
    const index = this.int();
    return index === -1 ? null : this.stringAt(index);
  }

  list<T>(read: () => T): T[] {
    const count = this.int();
    const items: T[] = [];
    for (let i = 0; i < count; i += 1) items.push(read());
    return items;
  }
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
