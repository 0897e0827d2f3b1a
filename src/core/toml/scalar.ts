/**
 * Decoding of unquoted values: booleans, numbers, dates and times. TOML: Integer, Float, Boolean, Date-Time. Errors and
 * their places are those of `decoder/scalar.rs` in the Rust crate `toml_parser`.
 */
import type { TomlValue } from './value.ts';
import type { ErrorReceiver } from './syntax-error.ts';
import { normalizeDatetime } from './datetime.ts';

/** The largest and smallest integers that a document may contain. Decoders reject those beyond 64 bits. */
const MAX_INTEGER = (1n << 128n) - 1n;
const MIN_INTEGER = -(1n << 127n);

type Radix = 2 | 8 | 10 | 16;

const RADIX_NAMES: Readonly<Record<Radix, string>> = {
  2: 'binary',
  8: 'octal',
  10: 'integer',
  16: 'hexadecimal',
};
const NOT_A_DIGIT: Readonly<Record<Radix, RegExp>> = {
  2: /[^01_]/,
  8: /[^0-7_]/,
  10: /[^0-9_]/,
  16: /[^0-9A-Fa-f_]/,
};
const RADIX_OF_PREFIX: Readonly<Record<string, Radix>> = { x: 16, o: 8, b: 2, d: 10 };
/** The prefixes that `BigInt` reads. They are those of TOML, except that a decimal integer has none. */
const BIGINT_PREFIX: Readonly<Record<Radix, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

/** Receivers of the errors in a value. */
export interface ScalarReports {
  /** Receives content errors. */
  readonly content: ErrorReceiver;
  /** Receives errors about numbers that are valid but too large. */
  readonly overflow: ErrorReceiver;
}

/** Booleans aside, most unquoted values are decimal integers that need no check. */
const USUAL_INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * Reads the unquoted value `raw`, which starts at offset `start` in the document. After an error, returns any value:
 * the document is rejected.
 */
export function decodeScalar(raw: string, start: number, reports: ScalarReports): TomlValue {
  if (raw === 'true') return true;
  if (raw === 'false') return false;
  if (USUAL_INTEGER.test(raw)) return BigInt(raw);
  return new ScalarReader(raw, start, reports).read();
}

class ScalarReader {
  readonly #raw: string;
  /** The offset of `#raw` in the document. All other offsets here are relative to it. */
  readonly #start: number;
  readonly #reports: ScalarReports;

  constructor(raw: string, start: number, reports: ScalarReports) {
    this.#raw = raw;
    this.#start = start;
    this.#reports = reports;
  }

  /** Returns the value, or any value after an error. Call it once. */
  read(): TomlValue {
    const raw = this.#raw;
    const first = raw.charAt(0);
    if (first === '' || (!isDigit(first) && raw.includes(' '))) return this.#invalid();
    switch (first) {
      case '+':
      case '-':
        return this.#signed();
      case '_':
        return this.#dateOrNumber(0);
      case '0':
        return this.#zeroPrefix(0);
      case '.':
        return this.#float(0);
      case 't':
      case 'T':
        return this.#symbol('true', 'boolean', true);
      case 'f':
      case 'F':
        return this.#symbol('false', 'boolean', false);
      case 'i':
      case 'I':
        return this.#symbol('inf', 'float', Infinity);
      case 'n':
      case 'N':
        return this.#symbol('nan', 'float', NaN);
      default:
        return isDigit(first) ? this.#dateOrNumber(0) : this.#invalid();
    }
  }

  #report(message: string, start: number, end: number): void {
    this.#reports.content(message, this.#start + start, this.#start + end);
  }

  /** Reports that the whole value is too large. */
  #reportOverflow(message: string): void {
    this.#reports.overflow(message, this.#start, this.#start + this.#raw.length);
  }

  /** Reads a value that starts with a sign. */
  #signed(): TomlValue {
    const raw = this.#raw;
    let i = 1;
    while (raw.charAt(i) === '+' || raw.charAt(i) === '-') {
      this.#report('redundant numeric sign, expected nothing', i, i + 1);
      i += 1;
    }
    const first = raw.charAt(i);
    if (first === '0') return this.#zeroPrefix(i);
    if (first === '_' || isDigit(first)) return this.#dateOrNumber(i);
    if (first === '.') return this.#float(0);
    for (const symbol of ['inf', 'nan']) {
      if (first.toLowerCase() !== symbol.charAt(0)) continue;
      if (raw.slice(i) !== symbol) {
        this.#report(`invalid float, expected \`${symbol}\``, i, raw.length);
      }
      if (symbol === 'nan') return NaN;
      return raw.startsWith('-') ? -Infinity : Infinity;
    }
    return this.#invalid();
  }

  /** Reads a value with `0` at `from`: zero, a number with a radix, or a number or date that starts with 0. */
  #zeroPrefix(from: number): TomlValue {
    const raw = this.#raw;
    if (raw.length === from + 1) return this.#integer(raw, 0, 10);
    const letter = raw.charAt(from + 1);
    const radix = RADIX_OF_PREFIX[letter.toLowerCase()];
    if (radix === undefined) return this.#dateOrNumber(from);
    if (raw.includes(' ')) return this.#invalid();
    if (from > 0) this.#report('integers with a radix cannot be signed, expected nothing', 0, 1);
    if (radix === 10) this.#report('redundant integer number prefix, expected nothing', 0, 2);
    else if (letter !== letter.toLowerCase()) {
      this.#report(`radix must be lowercase, expected \`0${letter.toLowerCase()}\``, from, from + 2);
    }
    let body = from + 2;
    if (raw.charAt(body) === '+' || raw.charAt(body) === '-') {
      const sign = raw.search(/[+-]/);
      this.#report('unexpected sign, expected nothing', sign, sign + 1);
      body += 1;
    }
    const nonDigit = raw.slice(body).search(NOT_A_DIGIT[radix]);
    if (nonDigit !== -1) {
      this.#report(`invalid ${RADIX_NAMES[radix]} number`, body + nonDigit, body + nonDigit);
    }
    return this.#integer(raw.slice(from + 2), from + 2, radix);
  }

  /** Reads a date, a time or a decimal number whose digits start, after its sign, at `from`. */
  #dateOrNumber(from: number): TomlValue {
    const raw = this.#raw;
    const value = raw.slice(from);
    const digitEnd = value.search(/[^0-9]/);
    if (digitEnd === -1) {
      this.#noLeadingZero(from);
      return this.#integer(raw, 0, 10);
    }
    const tail = value.slice(digitEnd);
    if (tail.startsWith('-') || tail.startsWith(':')) return this.#datetime();
    if (tail.includes(' ')) return this.#invalid();
    if (/[.eE]/.test(tail)) return this.#float(from);
    if (!tail.startsWith('_')) return this.#invalid();
    this.#noLeadingZero(from);
    return this.#integer(raw, 0, 10);
  }

  /** Reports a zero at `from`, where the digits of a number start. */
  #noLeadingZero(from: number): void {
    if (this.#raw.charAt(from) === '0') {
      this.#report('unexpected leading zero, expected nothing', from, from + 1);
    }
  }

  #datetime(): TomlValue {
    const text = normalizeDatetime(this.#raw);
    if (typeof text === 'string') return { kind: 'datetime', text };
    this.#report(text.problem, 0, this.#raw.length);
    return '';
  }

  /** Reads a float whose digits start, after its sign, at `from`. */
  #float(from: number): TomlValue {
    const raw = this.#raw;
    let i = this.#digits(from, 'invalid mantissa');
    if (/[0-9].*[0-9]/.test(raw.slice(from, i))) this.#noLeadingZero(from);
    if (raw.charAt(i) === '.') i = this.#digits(i + 1, 'invalid fraction');
    if (raw.charAt(i) === 'e' || raw.charAt(i) === 'E') {
      i += 1;
      if (raw.charAt(i) === '+' || raw.charAt(i) === '-') i += 1;
      i = this.#digits(i, 'invalid exponent');
    }
    if (i < raw.length) this.#report('invalid float, expected nothing', i, raw.length);
    this.#separators(raw, 0, /[0-9]/);
    const number = Number(raw.replaceAll('_', ''));
    if (!Number.isFinite(number) && !Number.isNaN(number)) {
      this.#reportOverflow('floating-point number overflowed');
    }
    return number;
  }

  /** Returns the end of the digits and underscores from `from` on. Reports `problem` if there are no digits. */
  #digits(from: number, problem: string): number {
    const raw = this.#raw;
    let end = from;
    while (isDigit(raw.charAt(end)) || raw.charAt(end) === '_') end += 1;
    if (!/[0-9]/.test(raw.slice(from, end))) this.#report(`${problem}, expected digits`, from, from);
    return end;
  }

  /** Reads an integer from `digits`, which start at `from`. They contain the sign of a decimal integer. */
  #integer(digits: string, from: number, radix: Radix): TomlValue {
    this.#separators(digits, from, /[0-9A-Fa-f]/);
    const text = digits.replaceAll('_', '');
    const isInteger =
      radix === 10 ? /^[+-]?[0-9]+$/.test(text) : text !== '' && !NOT_A_DIGIT[radix].test(text);
    const value = isInteger ? BigInt(BIGINT_PREFIX[radix] + text) : null;
    if (value !== null && value <= MAX_INTEGER && value >= MIN_INTEGER) return value;
    this.#reportOverflow('integer number overflowed');
    return 0n;
  }

  /** Checks that every `_` in `text`, which starts at `from`, has a digit on both sides. */
  #separators(text: string, from: number, digit: RegExp): void {
    if (!text.includes('_')) return;
    const problem = '`_` may only go between digits';
    if (text.startsWith('_')) this.#report(`${problem}, expected nothing`, 0, 1);
    const end = from + text.length;
    if (text.length > 1 && text.endsWith('_')) this.#report(`${problem}, expected nothing`, end - 1, end);
    let start = from;
    for (const part of text.split('_')) {
      const partEnd = start + part.length;
      if (part === '') {
        if (start !== 0 && partEnd !== this.#raw.length) this.#report(problem, start, start + 1);
      } else {
        if (start > 0 && !digit.test(part.charAt(0))) this.#report(problem, start - 1, start);
        if (part.length > 1 && partEnd < this.#raw.length && !digit.test(part.slice(-1))) {
          this.#report(problem, partEnd, partEnd + 1);
        }
      }
      start = partEnd + 1;
    }
  }

  /** Returns `value` for the word `symbol`. Reports any other word as an invalid `type`. */
  #symbol(symbol: string, type: string, value: boolean | number): TomlValue {
    const raw = this.#raw;
    if (raw === symbol) return value;
    if (raw.includes(' ')) return this.#invalid();
    this.#report(`invalid ${type}, expected \`${symbol}\``, 0, raw.length);
    return value;
  }

  /** Reports a string without quotes, or only with closing ones. */
  #invalid(): TomlValue {
    const raw = this.#raw;
    const quote = ["'''", '"""', "'", '"'].find((mark) => raw.endsWith(mark));
    if (quote === undefined) {
      this.#report('string values must be quoted, expected literal string', 0, raw.length);
    } else {
      this.#report(`missing opening quote, expected \`${quote}\``, 0, 0);
    }
    return raw;
  }
}

/** `character` is empty at the end of the text. */
function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
