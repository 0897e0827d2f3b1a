/** The tokens of a JSON document, with the error messages and positions of cargo. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { utf8Problem } from '../errors/utf8-problem.ts';

/** cargo reads exponents as signed 32-bit integers. */
const MAX_EXPONENT = 2 ** 31 - 1;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const CAPITAL_E = 0x45;
const BACKSLASH = 0x5c;
const SMALL_E = 0x65;
const SMALL_U = 0x75;

const WORDS = ['true', 'false', 'null'];

/**
 * A tokenizer of one document. As in cargo, skipped tokens are checked less strictly than returned ones. Every method
 * throws a `TsregError` such as `expected ident at line 1 column 1`.
 */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next byte that is not whitespace, or null at the end. */
  peek(): number | null {
    for (;;) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) return null;
      if (byte !== SPACE && byte !== LINE_FEED && byte !== TAB && byte !== CARRIAGE_RETURN) return byte;
      this.#position += 1;
    }
  }

  /** Consumes the byte that `peek` returned. */
  eat(): void {
    this.#position += 1;
  }

  /** Reads `true`, `false` or `null`. The next byte must be the first letter of one of them. */
  word(): string {
    const first = this.#bytes[this.#position];
    const word = present(
      WORDS.find((known) => known.charCodeAt(0) === first),
      'the word',
    );
    for (let i = 0; i < word.length; i += 1) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw this.error('EOF while parsing a value');
      this.#position += 1;
      if (byte !== word.charCodeAt(i)) throw this.error('expected ident');
    }
    return word;
  }

  /** Returns a number as written. Throws if it is too large for a floating-point number. */
  number(): string {
    const start = this.#position;
    const text = (): string => Buffer.from(this.#bytes.subarray(start, this.#position)).toString('latin1');
    this.#stepOverNumber({
      endProblem: 'EOF while parsing a value',
      checkExponent: (exponent) => {
        const isZero = !/[1-9]/.test(text().replace(/e.*/i, ''));
        if (exponent > MAX_EXPONENT && !isZero) throw this.error('number out of range');
      },
    });
    if (!Number.isFinite(Number(text()))) throw this.error('number out of range');
    return text();
  }

  /** Skips a number of any size. */
  skipNumber(): void {
    this.#stepOverNumber({ endProblem: 'invalid number', checkExponent: () => {} });
  }

  /** Returns the content of a string. */
  string(): string {
    const start = this.#position;
    this.#stepOverString(() => this.#stepOverCharacter());
    const bytes = this.#bytes.subarray(start, this.#position);
    if (utf8Problem(bytes) !== null) throw this.error('invalid unicode code point');
    return String(JSON.parse(Buffer.from(bytes).toString('utf8')));
  }

  /** Skips a string. Surrogates in it need not be pairs, nor its bytes UTF-8. */
  skipString(): void {
    this.#stepOverString(() => void this.#stepOverHex(), { isSkipped: true });
  }

  /** Returns an error at the current position: `message at line 1 column 9`. */
  error(message: string): TsregError {
    return this.#errorAt(message, this.#position);
  }

  /** Returns an error at the next byte. */
  peekError(message: string): TsregError {
    return this.#errorAt(message, Math.min(this.#position + 1, this.#bytes.length));
  }

  /** Consumes a number. */
  #stepOverNumber({
    endProblem,
    checkExponent,
  }: {
    /** The error if the document ends within the number. */
    readonly endProblem: string;
    /** Called after each digit of an exponent that is not negative, with its value so far. */
    readonly checkExponent: (exponent: number) => void;
  }): void {
    /** Consumes one or more digits. Calls `check` after each, with the value so far. */
    const digits = (check: (value: number) => void = () => {}): void => {
      if (!isDigit(this.#bytes[this.#position]))
        throw this.peekError(this.#position >= this.#bytes.length ? endProblem : 'invalid number');
      let value = 0;
      for (let byte = this.#bytes[this.#position]; isDigit(byte); byte = this.#bytes[this.#position]) {
        value = value * 10 + byte - ZERO;
        this.#position += 1;
        check(value);
      }
    };
    if (this.#bytes[this.#position] === MINUS) this.#position += 1;
    if (this.#bytes[this.#position] === ZERO) {
      this.#position += 1;
      if (isDigit(this.#bytes[this.#position])) throw this.peekError('invalid number');
    } else {
      digits();
    }
    if (this.#bytes[this.#position] === DOT) {
      this.#position += 1;
      digits();
    }
    if (this.#bytes[this.#position] === SMALL_E || this.#bytes[this.#position] === CAPITAL_E) {
      this.#position += 1;
      const isNegative = this.#bytes[this.#position] === MINUS;
      if (isNegative || this.#bytes[this.#position] === PLUS) this.#position += 1;
      digits(isNegative ? undefined : checkExponent);
    }
  }

  /**
   * Consumes a string. Calls `stepOverUnicode` after each `\u`, to consume the digits. In a skipped string, the error
   * about a control character points before it, as in cargo.
   */
  #stepOverString(stepOverUnicode: () => void, { isSkipped = false } = {}): void {
    this.#position += 1;
    for (;;) {
      const byte = this.#nextOfString();
      if (byte === QUOTE) return;
      if (byte < SPACE) {
        if (isSkipped) this.#position -= 1;
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
    if (isLowSurrogate(first)) throw this.error('lone leading surrogate in hex escape');
    if (!isHighSurrogate(first)) return;
    if (this.#nextOfString() !== BACKSLASH || this.#nextOfString() !== SMALL_U)
      throw this.error('unexpected end of hex escape');
    const second = this.#stepOverHex();
    if (!isLowSurrogate(second)) throw this.error('lone leading surrogate in hex escape');
  }

  /** Consumes four hexadecimal digits and returns their value. */
  #stepOverHex(): number {
    const digits = Buffer.from(this.#bytes.subarray(this.#position, this.#position + 4)).toString('latin1');
    this.#position += digits.length;
    if (digits.length < 4) throw this.error('EOF while parsing a string');
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error('invalid escape');
    return Number.parseInt(digits, 16);
  }

  /** Consumes and returns the next byte of a string. */
  #nextOfString(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw this.error('EOF while parsing a string');
    this.#position += 1;
    return byte;
  }

  /** Returns an error whose column is the number of bytes before offset `end` in its line, as in cargo. */
  #errorAt(message: string, end: number): TsregError {
    let line = 1;
    let column = 0;
    for (let i = 0; i < end; i += 1) {
      if (this.#bytes[i] === LINE_FEED) {
        line += 1;
        column = 0;
      } else {
        column += 1;
      }
    }
    return new TsregError(`${message} at line ${line} column ${column}`, { code: 'source' });
  }
}

/** Returns true for `0` to `9`. */
export function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
