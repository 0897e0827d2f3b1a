/** The tokens of a JSON document, with the error messages and positions of cargo. */
import { TsregError } from '../errors/error.ts';

const MAX_SIGNED_32 = 2 ** 31 - 1;
const SPACE = 0x20;
const QUOTE = 0x22;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/**
 * A tokenizer of one document. As in cargo, skipped tokens are checked less strictly than returned ones. Every method
 * throws a `TsregError` such as `expected ident at line 1 column 1`.
 */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next byte that is not whitespace, or null at the end. */
  peek(): number | null {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return null;
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return byte;
      this.#at += 1;
    }
  }

  /** Consumes the byte that `peek` returned. */
  eat(): void {
    this.#at += 1;
  }

  /** Reads `true`, `false` or `null`, according to the next byte. */
  word(): string {
    const word = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' }[this.#bytes[this.#at] ?? 0] ?? '';
    for (let i = 0; i < word.length; i += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.error('EOF while parsing a value');
      this.#at += 1;
      if (byte !== word.charCodeAt(i)) throw this.error('expected ident');
    }
    return word;
  }

  /** Returns a number as written. Throws if it is too large for a floating-point number. */
  number(): string {
    const start = this.#at;
    const text = (): string => Buffer.from(this.#bytes.subarray(start, this.#at)).toString('latin1');
    this.#stepOverNumber({
      atEnd: 'EOF while parsing a value',
      checkExponent: (exponent) => {
        const isNought = !/[1-9]/.test(text().replace(/e.*/i, ''));
        if (exponent > MAX_SIGNED_32 && !isNought) throw this.error('number out of range');
      },
    });
    if (!Number.isFinite(Number(text()))) throw this.error('number out of range');
    return text();
  }

  skipNumber(): void {
    this.#stepOverNumber({ atEnd: 'invalid number', checkExponent: () => {} });
  }

  string(): string {
    const start = this.#at;
    this.#stepOverString(() => this.#stepOverCharacter());
    return String(JSON.parse(Buffer.from(this.#bytes.subarray(start, this.#at)).toString('utf8')));
  }

  skipString(): void {
    this.#stepOverString(() => void this.#stepOverHex(), { isSkipped: true });
  }

  /** Returns an error at the current position: `message at line 1 column 9`. */
  error(message: string): TsregError {
    return this.#errorAt(message, this.#at);
  }

  /** Returns an error at the next byte. */
  peekError(message: string): TsregError {
    return this.#errorAt(message, Math.min(this.#at + 1, this.#bytes.length));
  }

  /** `atEnd` is the error if the document ends within the number. */
  #stepOverNumber({
    atEnd,
    checkExponent,
  }: {
    readonly atEnd: string;
    /** Called after each digit of an exponent that is not negative, with its value so far. */
    readonly checkExponent: (exponent: number) => void;
  }): void {
    const digits = (check: (value: number) => void = () => {}): void => {
      if (!isDigit(this.#bytes[this.#at]))
        throw this.peekError(this.#at >= this.#bytes.length ? atEnd : 'invalid number');
      for (let value = 0; isDigit(this.#bytes[this.#at]); check(value)) {
        value = value * 10 + (this.#bytes[this.#at] ?? 0) - 0x30;
        this.#at += 1;
      }
    };
    if (this.#bytes[this.#at] === MINUS) this.#at += 1;
    if (this.#bytes[this.#at] === 0x30) {
      this.#at += 1;
      if (isDigit(this.#bytes[this.#at])) throw this.peekError('invalid number');
    } else {
      digits();
    }
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at += 1;
      digits();
    }
    if (this.#bytes[this.#at] === 0x65 || this.#bytes[this.#at] === 0x45) {
      this.#at += 1;
      const isNegative = this.#bytes[this.#at] === MINUS;
      if (isNegative || this.#bytes[this.#at] === 0x2b) this.#at += 1;
      digits(isNegative ? undefined : checkExponent);
    }
  }

  /** `stepOverUnicode` is called after each `\u`. */
  #stepOverString(stepOverUnicode: () => void, { isSkipped = false } = {}): void {
    this.#at += 1;
    for (;;) {
      const byte = this.#nextOfString();
      if (byte === QUOTE) return;
      if (byte < SPACE) {
        if (isSkipped) this.#at -= 1;
        throw this.error('control character (\\u0000-\\u001F) found while parsing a string');
      }
      if (byte !== BACKSLASH) continue;
      const escaped = this.#nextOfString();
      if (escaped === SMALL_U) stepOverUnicode();
      else if (!'"\\/bfnrt'.includes(String.fromCharCode(escaped))) throw this.error('invalid escape');
    }
  }

  /** Consumes the digits of an escaped character, and of its second half if it is a surrogate pair. */
  #stepOverCharacter(): void {
    const first = this.#stepOverHex();
    if (first >= 0xdc00 && first <= 0xdfff) throw this.error('lone leading surrogate in hex escape');
    if (first < 0xd800 || first > 0xdbff) return;
    if (this.#nextOfString() !== BACKSLASH || this.#nextOfString() !== SMALL_U)
      throw this.error('unexpected end of hex escape');
    const second = this.#stepOverHex();
    if (second < 0xdc00 || second > 0xdfff) throw this.error('lone leading surrogate in hex escape');
  }

  #stepOverHex(): number {
    const digits = Buffer.from(this.#bytes.subarray(this.#at, this.#at + 4)).toString('latin1');
    this.#at += digits.length;
    if (digits.length < 4) throw this.error('EOF while parsing a string');
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error('invalid escape');
    return Number.parseInt(digits, 16);
  }

  #nextOfString(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw this.error('EOF while parsing a string');
    this.#at += 1;
    return byte;
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

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
