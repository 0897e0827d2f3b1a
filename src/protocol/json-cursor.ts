/**
 * JSON read with the words and positions that cargo has for what is wrong with it. For small documents:
 * what is long is read by `JSON.parse`.
 */
import { debugText } from '../errors/debug-text.ts';
import { TsregError } from '../errors/error.ts';

const MAX_DEPTH = 128;
const MAX_UNSIGNED_32 = 2 ** 32 - 1;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Walks over one document, of which the caller says what it expects next. Every method throws a
 * `TsregError` such as `expected value at line 1 column 1`.
 */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  #at = 0;
  #depth = 0;
  #awaitsColon = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** An object; `readField` gets each key and must read its value. `expected` is what an error calls it. */
  readObject(expected: string, readField: (key: string) => void): void {
    this.#expectKind('object', expected);
    this.#nested(() => {
      this.#at += 1;
      for (let first = true; ; first = false) {
        const byte = this.#peek();
        if (byte === null) throw this.#peekError('EOF while parsing an object');
        if (byte === CLOSE_OBJECT) break;
        if (!first) {
          if (byte !== COMMA) throw this.#peekError('expected `,` or `}`');
          this.#at += 1;
        }
        readField(this.#readKey());
      }
      this.#at += 1;
    });
  }

  /** A list; `readItem` must read each item. */
  readList(expected: string, readItem: () => void): void {
    this.#expectKind('list', expected);
    this.#nested(() => {
      this.#at += 1;
      for (let first = true; ; first = false) {
        const byte = this.#peek();
        if (byte === null) throw this.#peekError('EOF while parsing a list');
        if (byte === CLOSE_LIST) break;
        if (!first) {
          if (byte !== COMMA) throw this.#peekError('expected `,` or `]`');
          this.#at += 1;
          const next = this.#peek();
          if (next === null) throw this.#peekError('EOF while parsing a value');
          if (next === CLOSE_LIST) throw this.#peekError('trailing comma');
        }
        readItem();
      }
      this.#at += 1;
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
    let count = 0;
    this.readList(expected, () => {
      const read = readItems[count];
      if (read === undefined) throw this.#peekError('trailing characters');
      read();
      count += 1;
    });
    if (count >= least) return;
    const wanted = readItems.length === 1 ? '1 element' : `${readItems.length} elements`;
    throw this.error(`invalid length ${count}, expected ${expected} with ${wanted}`);
  }

  readString(): string {
    this.#expectKind('string', 'a string');
    return this.#scanString();
  }

  readBoolean(): boolean {
    this.#expectKind('boolean', 'a boolean');
    return this.#scanWord() === 'true';
  }

  /** A whole number that 32 bits without a sign can hold. */
  readUnsigned32(): number {
    const kind = this.#kind();
    if (kind === null) throw this.#peekError('expected value');
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
    this.#scanWord();
    return null;
  }

  /** True for `true`; any other value is thrown away. */
  readIsTrue(): boolean {
    if (this.#kind() === 'boolean') return this.#scanWord() === 'true';
    this.skipValue();
    return false;
  }

  /** Any value, thrown away. */
  skipValue(): void {
    switch (this.#kind()) {
      case 'object':
        return this.readObject('', () => this.skipValue());
      case 'list':
        // Unlike a list that is read, one that is skipped meets a comma before `]` as a missing value.
        return this.#skipList();
      case 'string':
        return void this.#skipString();
      case 'number':
        return void this.#scanNumber();
      case 'boolean':
      case 'null':
        return void this.#scanWord();
      case null:
        throw this.#peekError('expected value');
    }
  }

  /** Makes sure that nothing but space follows. */
  finish(): void {
    if (this.#peek() !== null) throw this.#peekError('trailing characters');
  }

  /** An error at the place that was read up to: `message at line 1 column 9`. */
  error(message: string): TsregError {
    return this.#errorAt(message, this.#at);
  }

  #nested(body: () => void): void {
    this.#depth += 1;
    if (this.#depth === MAX_DEPTH) throw this.#peekError('recursion limit exceeded');
    body();
    this.#depth -= 1;
  }

  #skipList(): void {
    this.#nested(() => {
      this.#at += 1;
      for (let first = true; ; first = false) {
        const byte = this.#peek();
        if (byte === null) throw this.#peekError('EOF while parsing a list');
        if (byte === CLOSE_LIST) break;
        if (!first) {
          if (byte !== COMMA) throw this.#peekError('expected `,` or `]`');
          this.#at += 1;
        }
        this.skipValue();
      }
      this.#at += 1;
    });
  }

  #readKey(): string {
    const byte = this.#peek();
    if (byte === null) throw this.#peekError('EOF while parsing a value');
    if (byte === CLOSE_OBJECT) throw this.#peekError('trailing comma');
    if (byte !== QUOTE) throw this.#peekError('key must be a string');
    const key = this.#scanString();
    this.#awaitsColon = true;
    return key;
  }

  /** The first byte of the next value. An error about a key stands before its colon, so that is read only here. */
  #startValue(): number | null {
    if (this.#awaitsColon) {
      const colon = this.#peek();
      if (colon === null) throw this.#peekError('EOF while parsing an object');
      if (colon !== COLON) throw this.#peekError('expected `:`');
      this.#at += 1;
      this.#awaitsColon = false;
    }
    return this.#peek();
  }

  #kind(): 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null' | null {
    const byte = this.#startValue();
    if (byte === null) throw this.#peekError('EOF while parsing a value');
    if (byte === OPEN_OBJECT) return 'object';
    if (byte === OPEN_LIST) return 'list';
    if (byte === QUOTE) return 'string';
    if (byte === 0x2d || isDigit(byte)) return 'number';
    if (byte === 0x74 || byte === 0x66) return 'boolean';
    return byte === 0x6e ? 'null' : null;
  }

  #expectKind(wanted: 'object' | 'list' | 'string' | 'boolean', expected: string): void {
    const kind = this.#kind();
    if (kind === wanted) return;
    if (kind === null) throw this.#peekError('expected value');
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
        return `string ${debugText(this.#scanString())}`;
      case 'boolean':
        return `boolean \`${this.#scanWord()}\``;
      case 'null':
        return this.#scanWord();
      case 'number': {
        const number = this.#scanNumber();
        if (isInteger64(number)) return `integer \`${number}\``;
        if (!Number.isFinite(Number(number))) throw this.error('number out of range');
        return `floating point \`${floatText(Number(number))}\``;
      }
    }
  }

  /** The next byte that is not space, or null at the end. */
  #peek(): number | null {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return null;
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return byte;
      this.#at += 1;
    }
  }

  #scanWord(): string {
    const word = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' }[this.#bytes[this.#at] ?? 0] ?? '';
    for (let i = 0; i < word.length; i += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.error('EOF while parsing a value');
      this.#at += 1;
      if (byte !== word.charCodeAt(i)) throw this.error('expected ident');
    }
    return word;
  }

  #scanNumber(): string {
    const start = this.#at;
    if (this.#bytes[this.#at] === 0x2d) this.#at += 1;
    if (this.#bytes[this.#at] === 0x30) {
      this.#at += 1;
      if (isDigit(this.#bytes[this.#at])) throw this.#peekError('invalid number');
    } else {
      this.#scanDigits();
    }
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at += 1;
      this.#scanDigits();
    }
    if (this.#bytes[this.#at] === 0x65 || this.#bytes[this.#at] === 0x45) {
      this.#at += 1;
      if (this.#bytes[this.#at] === 0x2b || this.#bytes[this.#at] === 0x2d) this.#at += 1;
      this.#scanDigits();
    }
    return Buffer.from(this.#bytes.subarray(start, this.#at)).toString('latin1');
  }

  #scanDigits(): void {
    if (!isDigit(this.#bytes[this.#at])) {
      if (this.#at >= this.#bytes.length) throw this.#peekError('EOF while parsing a value');
      throw this.#peekError('invalid number');
    }
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
  }

  #scanString(): string {
    const raw = this.#skipString();
    let text: unknown;
    try {
      text = JSON.parse(Buffer.from(raw).toString('utf8'));
    } catch {
      throw this.error('invalid escape');
    }
    if (typeof text !== 'string' || /[\ud800-\udfff]/u.test(text))
      throw this.error('lone leading surrogate in hex escape');
    return text;
  }

  /** Steps over a string; gives its bytes with the quotes. */
  #skipString(): Uint8Array {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.error('EOF while parsing a string');
      this.#at += 1;
      if (byte === QUOTE) return this.#bytes.subarray(start, this.#at);
      if (byte < SPACE) {
        throw this.error('control character (\\u0000-\\u001F) found while parsing a string');
      }
      if (byte === BACKSLASH) this.#skipEscape();
    }
  }

  #skipEscape(): void {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.error('EOF while parsing a string');
    this.#at += 1;
    if (byte !== 0x75) {
      if (!'"\\/bfnrt'.includes(String.fromCharCode(byte))) throw this.error('invalid escape');
      return;
    }
    for (let i = 0; i < 4; i += 1, this.#at += 1) {
      const digit = this.#bytes[this.#at];
      if (digit === undefined) throw this.error('EOF while parsing a string');
      if (!/[0-9a-fA-F]/.test(String.fromCharCode(digit))) throw this.error('invalid escape');
    }
  }

  #peekError(message: string): TsregError {
    return this.#errorAt(message, Math.min(this.#at + 1, this.#bytes.length));
  }

  #errorAt(message: string, end: number): TsregError {
    let line = 1;
    let column = 0;
    for (let i = 0; i < end; i += 1) {
      if (this.#bytes[i] === 0x0a) {
        line += 1;
        column = 0;
      } else {
        column += 1;
      }
    }
    return new TsregError(`${message} at line ${line} column ${column}`, { code: 'source' });
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

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
