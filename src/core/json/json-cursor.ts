/**
 * A JSON reader with the error messages and positions of cargo (the Rust crate `serde_json`). For small documents;
 * `JSON.parse` reads large ones.
 */
import { debugText } from '../errors/debug-text.ts';
import type { TsregError } from '../errors/error.ts';
import { floatText } from './float-text.ts';
import { isDigit, JsonScanner } from './json-scanner.ts';

/** cargo's limit for the nesting of values that it uses (the default of serde_json). */
const MAX_DEPTH = 128;
const MAX_UNSIGNED_32 = 2 ** 32 - 1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The kind of a value. */
type Kind = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';

/** The opening bracket of a list or an object. */
type Bracket = typeof OPEN_LIST | typeof OPEN_OBJECT;

/**
 * A reader of one document. The caller determines the type of the next value. Every method throws a `TsregError` such as
 * `expected value at line 1 column 1`.
 */
export class JsonCursor {
  readonly #scanner: JsonScanner;
  /** The number of open lists and objects. */
  #depth = 0;
  /** True between a key and its colon. */
  #awaitsColon = false;

  constructor(bytes: Uint8Array) {
    this.#scanner = new JsonScanner(bytes);
  }

  /** Reads an object. `readField` gets each key and must read its value. `expected` names the type in errors. */
  readObject(expected: string, readField: (key: string) => void): void {
    this.#expectKind('object', expected);
    this.#inside(() => {
      for (let first = true; this.#hasField(first); first = false) readField(this.#readKey());
      this.#scanner.eat();
    });
  }

  /** Reads a list. `readItem` must read each item. `expected` names the type in errors. */
  readList(expected: string, readItem: () => void): void {
    this.#expectKind('list', expected);
    this.#inside(() => {
      for (let first = true; this.#hasItem(first); first = false) readItem();
      this.#scanner.eat();
    });
  }

  /** Returns true if the next value is a list. */
  isAtList(): boolean {
    return this.#startValue() === OPEN_LIST;
  }

  /**
   * Reads a list with one item for each of `readItems`; those after the first `minItems` may be missing. `expected`
   * names the type in errors.
   */
  readTuple(expected: string, readItems: readonly (() => void)[], minItems = readItems.length): void {
    this.#expectKind('list', expected);
    this.#inside(() => {
      for (const [count, readItem] of readItems.entries()) {
        if (this.#hasItem(count === 0)) readItem();
        else if (count < minItems) {
          this.#scanner.eat();
          const size = readItems.length === 1 ? '1 element' : `${readItems.length} elements`;
          throw this.error(`invalid length ${count}, expected ${expected} with ${size}`);
        } else break;
      }
      this.#finishTuple();
    });
  }

  /** Reads a string. */
  readString(): string {
    this.#expectKind('string', 'a string');
    return this.#scanner.string();
  }

  /** Reads a boolean. */
  readBoolean(): boolean {
    this.#expectKind('boolean', 'a boolean');
    return this.#scanner.word() === 'true';
  }

  /** Reads an unsigned 32-bit integer. */
  readUnsigned32(): number {
    const kind = this.#kind();
    if (kind === null) throw this.#scanner.peekError('expected value');
    if (kind !== 'number') throw this.error(`invalid type: ${this.#describe(kind)}, expected u32`);
    const text = this.#scanner.number();
    const isInteger = isInteger64(text);
    if (isInteger && Number(text) >= 0 && Number(text) <= MAX_UNSIGNED_32) return Number(text);
    throw this.error(`invalid ${isInteger ? 'value' : 'type'}: ${describeNumber(text)}, expected u32`);
  }

  /** Reads `null` as null, and any other value with `read`. */
  readOptional<T>(read: () => T): T | null {
    if (this.#startValue() !== SMALL_N) return read();
    this.#scanner.word();
    return null;
  }

  /** Returns true for `true`; false for any other value, which it skips. */
  readIsTrue(): boolean {
    if (this.#kind() === 'boolean') return this.#scanner.word() === 'true';
    this.skipValue();
    return false;
  }

  /** Reads any value and checks it as strictly as the other methods. */
  checkValue(): void {
    const kind = this.#kind();
    if (kind === null) throw this.#scanner.peekError('expected value');
    if (kind === 'object') this.readObject('', () => this.checkValue());
    else if (kind === 'list') this.readList('', () => this.checkValue());
    // Describing a value reads it.
    else this.#describe(kind);
  }

  /**
   * Skips any value. Unlike `checkValue`, it accepts any depth, reports a comma before `]` as a missing value, and does
   * not check the meaning of strings and numbers.
   */
  skipValue(): void {
    this.#startValue();
    const open: Bracket[] = [];
    // Each round reads a value, or the bracket that opens one, then all closing brackets that follow.
    for (;;) {
      const opened = this.#skipStart();
      if (opened !== null) open.push(opened);
      let isFirst = opened !== null;
      let innermost = open.at(-1);
      while (innermost !== undefined && this.#skipEnd(innermost, isFirst)) {
        open.pop();
        innermost = open.at(-1);
        isFirst = false;
      }
      if (innermost === undefined) return;
      if (innermost === OPEN_OBJECT) this.#skipKey();
    }
  }

  /** Checks that only whitespace follows. */
  finish(): void {
    if (this.#scanner.peek() !== null) throw this.#scanner.peekError('trailing characters');
  }

  /** Returns an error at the current position: `message at line 1 column 9`. */
  error(message: string): TsregError {
    return this.#scanner.error(message);
  }

  /** Consumes the opening bracket and runs `body`, which consumes the rest. Throws beyond the limit of nesting. */
  #inside(body: () => void): void {
    this.#depth += 1;
    if (this.#depth === MAX_DEPTH) throw this.#scanner.peekError('recursion limit exceeded');
    this.#scanner.eat();
    body();
    this.#depth -= 1;
  }

  /** Returns true if the object has another field; consumes the comma before it. */
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

  /** Returns true if the list has another item; consumes the comma before it. */
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

  /** Consumes the end of a list. Throws if there is another item. */
  #finishTuple(): void {
    const byte = this.#scanner.peek();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing a list');
    const isComma = byte === COMMA;
    if (isComma || byte === CLOSE_LIST) this.#scanner.eat();
    if (byte === CLOSE_LIST) return;
    const isTrailing = isComma && this.#scanner.peek() === CLOSE_LIST;
    throw this.#scanner.peekError(isTrailing ? 'trailing comma' : 'trailing characters');
  }

  /** Reads a key, but not its colon. */
  #readKey(): string {
    if (this.#scanner.peek() !== QUOTE) throw this.#scanner.peekError('key must be a string');
    const key = this.#scanner.string();
    this.#awaitsColon = true;
    return key;
  }

  /** Consumes a value and returns null. Of a list or object, consumes and returns only the bracket. */
  #skipStart(): Bracket | null {
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

  /**
   * Consumes the closing bracket of the list or object that `opening` began, and returns true. Else returns false, and
   * consumes the comma before the next item.
   */
  #skipEnd(opening: Bracket, isFirst: boolean): boolean {
    const [close, name] = opening === OPEN_LIST ? [CLOSE_LIST, 'a list'] : [CLOSE_OBJECT, 'an object'];
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

  /** Skips a key and its colon. */
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

  /** Returns the first byte of the next value. Consumes the colon only here, as errors about a key precede it. */
  #startValue(): number | null {
    if (this.#awaitsColon) {
      this.#eatColon();
      this.#awaitsColon = false;
    }
    return this.#scanner.peek();
  }

  /** Returns the kind of the next value; null if no value starts so. Throws at the end of the document. */
  #kind(): Kind | null {
    const byte = this.#startValue();
    if (byte === null) throw this.#scanner.peekError('EOF while parsing a value');
    if (byte === OPEN_OBJECT) return 'object';
    if (byte === OPEN_LIST) return 'list';
    if (byte === QUOTE) return 'string';
    if (byte === MINUS || isDigit(byte)) return 'number';
    if (byte === SMALL_T || byte === SMALL_F) return 'boolean';
    return byte === SMALL_N ? 'null' : null;
  }

  /** Checks that the next value is of the kind `expectedKind`, which errors name `expected`. Does not consume it. */
  #expectKind(expectedKind: Kind, expected: string): void {
    const kind = this.#kind();
    if (kind === expectedKind) return;
    if (kind === null) throw this.#scanner.peekError('expected value');
    throw this.error(`invalid type: ${this.#describe(kind)}, expected ${expected}`);
  }

  /** Describes a value for an error; reads it if it is not a list or object. */
  #describe(kind: Kind): string {
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
      case 'number':
        return describeNumber(this.#scanner.number());
    }
  }
}

function describeNumber(text: string): string {
  return isInteger64(text) ? `integer \`${text}\`` : `floating point \`${floatText(Number(text))}\``;
}

/** Returns true for an integer of 64 bits. cargo reads larger ones, and `-0`, as floating point. */
function isInteger64(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const value = BigInt(text);
  return value >= -(2n ** 63n) && value < 2n ** 64n && text !== '-0';
}
