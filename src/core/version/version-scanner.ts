/** Scanner of the parts that versions and requirements consist of. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import type { Numeric } from './numeric.ts';

/** An error about text that is not a version or not a requirement, with cargo's message. */
export class VersionParseError extends TsregError {
  constructor(message: string) {
    super(message, { code: 'manifest' });
  }
}

/** The names of the parts of a version in messages. */
export type Part =
  | 'major version number'
  | 'minor version number'
  | 'patch version number'
  | 'pre-release identifier'
  | 'build metadata';

/** Codes of the characters between the parts, for `eat` and `peek`. */
export const CODE = {
  caret: 0x5e,
  comma: 0x2c,
  dot: 0x2e,
  equals: 0x3d,
  greater: 0x3e,
  hyphen: 0x2d,
  less: 0x3c,
  plus: 0x2b,
  tilde: 0x7e,
} as const;

const SPACE = 0x20;
const STAR = 0x2a;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_A = 0x41;
const UPPER_X = 0x58;
const UPPER_Z = 0x5a;
const LOWER_A = 0x61;
const LOWER_X = 0x78;
const LOWER_Z = 0x7a;

const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Escapes of Rust's `char::escape_debug`. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
  "'": "\\'",
  '\\': '\\\\',
};

/** A scanner of versions and requirements, from left to right. `pos` is a UTF-16 offset. */
export class VersionScanner {
  readonly text: string;
  pos = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.pos >= this.text.length;
  }

  /** Returns the code unit at `pos`; NaN at the end. */
  peek(): number {
    return this.text.charCodeAt(this.pos);
  }

  /** Skips `code` if it is at `pos`. Returns true if it was there. */
  eat(code: number): boolean {
    if (this.text.charCodeAt(this.pos) !== code) return false;
    this.pos++;
    return true;
  }

  skipSpaces(): void {
    while (this.text.charCodeAt(this.pos) === SPACE) this.pos++;
  }

  /** Skips `*`, `x` or `X` and returns it; null if none is at `pos`. */
  wildcard(): string | null {
    const code = this.peek();
    if (code !== STAR && code !== LOWER_X && code !== UPPER_X) return null;
    this.pos++;
    return String.fromCharCode(code);
  }

  /** Reads a number without leading zeros that fits in 64 bits. Throws `VersionParseError`. */
  number(part: Part): Numeric {
    const { text } = this;
    const start = this.pos;
    let end = start;
    let value = 0;
    for (;;) {
      const digit = text.charCodeAt(end) - ZERO;
      // At the end of the text, `digit` is NaN.
      if (!(digit >= 0 && digit <= 9)) break;
      if (value === 0 && end > start) throw new VersionParseError(`invalid leading zero in ${part}`);
      value = value * 10 + digit;
      end++;
    }
    if (end === start) {
      throw new VersionParseError(
        this.atEnd
          ? `unexpected end of input while parsing ${part}`
          : `unexpected character ${this.quotedChar()} while parsing ${part}`,
      );
    }
    this.pos = end;
    // Above this limit, `value` is not exact.
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    const exact = BigInt(text.slice(start, end));
    if (exact > U64_MAX) throw new VersionParseError(`value of ${part} exceeds u64::MAX`);
    return exact;
  }

  /** Reads one or more dot-separated identifiers of a pre-release or of build metadata. Throws `VersionParseError`. */
  identifiers(part: 'pre-release identifier' | 'build metadata'): string {
    const { text } = this;
    const start = this.pos;
    let segmentStart = start;
    let hasNonDigit = false;
    let end = start;
    for (;;) {
      const code = text.charCodeAt(end);
      if (code >= ZERO && code <= NINE) {
        end++;
        continue;
      }
      if (isLetter(code) || code === CODE.hyphen) {
        hasNonDigit = true;
        end++;
        continue;
      }
      if (end === segmentStart) throw new VersionParseError(`empty identifier segment in ${part}`);
      if (
        part === 'pre-release identifier' &&
        !hasNonDigit &&
        end - segmentStart > 1 &&
        text.charCodeAt(segmentStart) === ZERO
      ) {
        throw new VersionParseError(`invalid leading zero in ${part}`);
      }
      if (code !== CODE.dot) break;
      end++;
      segmentStart = end;
      hasNonDigit = false;
    }
    this.pos = end;
    return text.slice(start, end);
  }

  /** Returns the character at `pos`, quoted and escaped for a message. */
  quotedChar(): string {
    const code = present(this.text.codePointAt(this.pos), 'the next character');
    const char = String.fromCodePoint(code);
    const escaped = ESCAPES[char];
    if (escaped !== undefined) return `'${escaped}'`;
    if (char !== ' ' && /[\p{C}\p{Z}\p{Grapheme_Extend}]/u.test(char)) return `'\\u{${code.toString(16)}}'`;
    return `'${char}'`;
  }
}

function isLetter(code: number): boolean {
  return (code >= UPPER_A && code <= UPPER_Z) || (code >= LOWER_A && code <= LOWER_Z);
}
