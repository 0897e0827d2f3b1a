/**
 * JSON read with the words and positions that cargo has for what is wrong with it. For small documents:
 * what is long is read by `JSON.parse`.
 */
import { debugText } from '../errors/debug-text.ts';
import type { TsregError } from '../errors/error.ts';
import { JsonScanner } from './json-scanner.ts';

const MAX_DEPTH = 128;
const MAX_UNSIGNED_32 = 2 ** 32 - 1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Walks over one document, of which the caller says what it expects next. Every method throws a
 * `TsregError` such as `expected value at line 1 column 1`.
 */
export class JsonCursor {
  readonly #scanner: JsonScanner;
  #depth = 0;
  #awaitsColon = false;

  constructor(bytes: Uint8Array) {
    this.#scanner = new JsonScanner(bytes);
  }

  /** An object; `readField` gets each key and must read its value. `expected` is what an error calls it. */
  readObject(expected: string, readField: (key: string) => void): void {
    this.#expectKind('object', expected);
    this.#inside(() => {
      for (let first = true; this.#hasField(first); first = false) readField(this.#readKey());
      this.#scanner.eat();
    });
  }

  /** A list; `readItem` must read each item. */
  readList(expected: string, readItem: () => void): void {
    this.#expectKind('list', expected);
    this.#inside(() => {
      for (let first = true; this.#hasItem(first); first = false) readItem();
      this.#scanner.eat();
    });
  }

  /** True where a list comes next. */
  isAtList(): boolean {
    return this.#startValue() === OPEN_LIST;
  }

  /**
   * A list with one item for each of `readItems`, of which those behind `least` may be missing. `expected` is what an
   * error calls it.
   */
  readTuple(expected: string, readItems: readonly (() => void)[], least = readItems.length): void {
    this.#expectKind('list', expected);
    this.#inside(() => {
      for (const [count, readItem] of readItems.entries()) {
        if (this.#hasItem(count === 0)) readItem();
        else if (count < least) {
          this.#scanner.eat();
          const wanted = readItems.length === 1 ? '1 element' : `${readItems.length} elements`;
          throw this.error(`invalid length ${count}, expected ${expected} with ${wanted}`);
        } else break;
      }
      this.#finishTuple();
    });
  }

  readString(): string {
    this.#expectKind('string', 'a string');
    return this.#scanner.string();
  }

  readBoolean(): boolean {
    this.#expectKind('boolean', 'a boolean');
    return this.#scanner.word() === 'true';
  }

  /** A whole number that 32 bits without a sign can hold. */
  readUnsigned32(): number {
    const kind = this.#kind();
    if (kind === null) throw this.#scanner.peekError('expected value');
    if (kind !== 'number') throw this.error(`invalid type: ${this.#describe(kind)}, expected u32`);
    const described = this.#describe(kind);
    const value = Number(/^integer `(\d+)`$/.exec(described)?.[1] ?? -1);
    if (value >= 0 && value <= MAX_UNSIGNED_32) return value;
    const isInteger = described.startsWith('integer');
    throw this.error(`invalid ${isInteger ? 'value' : 'type'}: ${described}, expected u32`);
  }

  /** What `read` gives, or null for a `null`. */
  readOptional<T>(read: () => T): T | null {
    if (this.#startValue() !== 0x6e) return read();
    this.#scanner.word();
    return null;
  }

  /** True for `true`; any other value is thrown away. */
  readIsTrue(): boolean {
    if (this.#kind() === 'boolean') return this.#scanner.word() === 'true';
    this.skipValue();
    return false;
  }

  /** Any value, looked at as closely as if it were kept. */
  checkValue(): void {
    const kind = this.#kind();
    if (kind === null) throw this.#scanner.peekError('expected value');
    if (kind === 'object') this.readObject('', () => this.checkValue());
    else if (kind === 'list') this.readList('', () => this.checkValue());
    else this.#describe(kind);
  }

  /**
   * Any value, thrown away. Unlike `checkValue` it may be of any depth, a comma before `]` is a missing value, and texts
   * and numbers need to have no meaning.
   */
  skipValue(): void {
    this.#startValue();
    const open: (typeof OPEN_LIST | typeof OPEN_OBJECT)[] = [];
    for (;;) {
      const opened = this.#skipStart();
      if (opened !== null) open.push(opened);
      let isFirst = opened !== null;
      for (
        let around = open.at(-1);
        around !== undefined && this.#skipEnd(around, isFirst);
        around = open.at(-1)
      ) {
        open.pop();
        isFirst = false;
      }
      const around = open.at(-1);
      if (around === undefined) return;
      if (around === OPEN_OBJECT) this.#skipKey();
    }
  }

  /** Makes sure that nothing but space follows. */
  finish(): void {
    if (this.#scanner.peek() !== null) throw this.#scanner.peekError('trailing characters');
  }

  /** An error at the place that was read up to: `message at line 1 column 9`. */
  error(message: string): TsregError {
    return this.#scanner.error(message);
  }

  /** Runs `body` behind the bracket that comes next. */
  #inside(body: () => void): void {
    this.#depth += 1;
    if (this.#depth === MAX_DEPTH) throw this.#scanner.peekError('recursion limit exceeded');
    this.#scanner.eat();
    body();
    this.#depth -= 1;
  }

  /** True where an object has another field; steps over what stands between. */
  #hasField(isFirst: boolean): boolean {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing an object');
    if (byte === CLOSE_OBJECT) return false;
    if (isFirst) return true;
    if (byte !== COMMA) throw this.#scanner.peekError('expected `,` or `}`');
    this.#scanner.eat();
    const next = this.#scanner.peek();
    if (next === null) throw this.#scanner.peekError('EOF while parsing a value');
    if (next === CLOSE_OBJECT) throw this.#scanner.peekError('trailing comma');
    return true;
  }

  /** True where a list has another item; steps over what stands between. */
  #hasItem(isFirst: boolean): boolean {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing a list');
    if (byte === CLOSE_LIST) return false;
    if (isFirst) return true;
    if (byte !== COMMA) throw this.#scanner.peekError('expected `,` or `]`');
    this.#scanner.eat();
    const next = this.#scanner.peek();
    if (next === null) throw this.#scanner.peekError('EOF while parsing a value');
    if (next === CLOSE_LIST) throw this.#scanner.peekError('trailing comma');
    return true;
  }

  /** The end of a list of which nothing more is wanted. */
  #finishTuple(): void {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing a list');
    const isComma = byte === COMMA;
    if (isComma || byte === CLOSE_LIST) this.#scanner.eat();
    if (byte === CLOSE_LIST) return;
    const isTrailing = isComma && this.#scanner.peek() === CLOSE_LIST;
    throw this.#scanner.peekError(isTrailing ? 'trailing comma' : 'trailing characters');
  }

  #readKey(): string {
    if (this.#scanner.peek() !== QUOTE) throw this.#scanner.peekError('key must be a string');
    const key = this.#scanner.string();
    this.#awaitsColon = true;
    return key;
  }

  /** Steps over a value or, where it is a list or an object, over its bracket, which is given back. */
  #skipStart(): typeof OPEN_LIST | typeof OPEN_OBJECT | null {
    const kind = this.#kind();
    if (kind === null) throw this.#scanner.peekError('expected value');
    if (kind === 'string') this.#scanner.skipString();
    else if (kind === 'number') this.#scanner.skipNumber();
    else if (kind === 'boolean' || kind === 'null') this.#scanner.word();
    else {
      this.#scanner.eat();
      return kind === 'list' ? OPEN_LIST : OPEN_OBJECT;
    }
    return null;
  }

  /** Steps over the end of what `around` has begun, or else over the comma before what follows in it; true at its end. */
  #skipEnd(around: typeof OPEN_LIST | typeof OPEN_OBJECT, isFirst: boolean): boolean {
    const [close, name] = around === OPEN_LIST ? [CLOSE_LIST, 'a list'] : [CLOSE_OBJECT, 'an object'];
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError(`EOF while parsing ${name}`);
    if (byte === close || byte === COMMA) {
      if (byte === COMMA && isFirst) return false;
      this.#scanner.eat();
      return byte === close;
    }
    if (!isFirst) throw this.#scanner.peekError(`expected \`,\` or \`${String.fromCharCode(close)}\``);
    return false;
  }

  #skipKey(): void {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing an object');
    if (byte !== QUOTE) throw this.#scanner.peekError('key must be a string');
    this.#scanner.skipString();
    this.#eatColon();
  }

  #eatColon(): void {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing an object');
    if (byte !== COLON) throw this.#scanner.peekError('expected `:`');
    this.#scanner.eat();
  }

  /** The first byte of the next value. An error about a key stands before its colon, so that is read only here. */
  #startValue(): number | null {
    if (this.#awaitsColon) {
      this.#eatColon();
      this.#awaitsColon = false;
    }
    return this.#scanner.peek();
  }

  #kind(): 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null' | null {
    const byte = this.#startValue();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing a value');
    if (byte === OPEN_OBJECT) return 'object';
    if (byte === OPEN_LIST) return 'list';
    if (byte === QUOTE) return 'string';
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return 'number';
    if (byte === 0x74 || byte === 0x66) return 'boolean';
    return byte === 0x6e ? 'null' : null;
  }

  #expectKind(wanted: 'object' | 'list' | 'string' | 'boolean', expected: string): void {
    const kind = this.#kind();
    if (kind === wanted) return;
    if (kind === null) throw this.#scanner.peekError('expected value');
    throw this.error(`invalid type: ${this.#describe(kind)}, expected ${expected}`);
  }

  /** Describes a value in an error; reads it if it is not a list or object. */
  #describe(kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null'): string {
    switch (kind) {
      case 'object':
        return 'map';
      case 'list':
        return 'sequence';
      case 'string':
        return `string ${debugText(this.#scanner.string())}`;
      case 'boolean':
        return `boolean \`${this.#scanner.word()}\``;
      case 'null':
        return this.#scanner.word();
      case 'number': {
        const number = this.#scanner.number();
        if (isInteger64(number)) return `integer \`${number}\``;
        return `floating point \`${floatText(Number(number))}\``;
      }
    }
  }
}

/** True for a whole number of 64 bits; what is beyond that is read as a fraction. */
function isInteger64(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const value = BigInt(text);
  return value >= -(2n ** 63n) && value < 2n ** 64n && text !== '-0';
}

function floatText(value: number): string {
  const absolute = Math.abs(value);
  if (absolute !== 0 && (absolute >= 1e16 || absolute < 1e-5)) return value.toExponential();
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}
