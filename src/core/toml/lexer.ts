/** A TOML lexer. Tokens do not depend on their place in the grammar. */

/** `.` */
export const DOT = 0;
/** `=` */
export const EQUALS = 1;
/** `,` */
export const COMMA = 2;
/** `[` */
export const LEFT_BRACKET = 3;
/** `]` */
export const RIGHT_BRACKET = 4;
/** `{` */
export const LEFT_BRACE = 5;
/** `}` */
export const RIGHT_BRACE = 6;
/** Spaces and tabs. */
export const WHITESPACE = 7;
/** From `#` to the end of the line. */
export const COMMENT = 8;
/** A line break. */
export const NEWLINE = 9;
/** `'…'` */
export const LITERAL_STRING = 10;
/** `"…"` */
export const BASIC_STRING = 11;
/** `'''…'''` */
export const ML_LITERAL_STRING = 12;
/** `"""…"""` */
export const ML_BASIC_STRING = 13;
/** Everything else: a bare key, a number, a date, `true`, or invalid text. */
export const ATOM = 14;
/** The end of the text. */
export const END = 15;

/** One of the constants above. */
export type TokenKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;

/** The kind of a token by its first character (below 128). */
const FIRST = new Uint8Array(128).fill(ATOM);
FIRST[0x2e] = DOT;
FIRST[0x3d] = EQUALS;
FIRST[0x2c] = COMMA;
FIRST[0x5b] = LEFT_BRACKET;
FIRST[0x5d] = RIGHT_BRACKET;
FIRST[0x7b] = LEFT_BRACE;
FIRST[0x7d] = RIGHT_BRACE;
FIRST[0x20] = WHITESPACE;
FIRST[0x09] = WHITESPACE;
FIRST[0x23] = COMMENT;
FIRST[0x0d] = NEWLINE;
FIRST[0x0a] = NEWLINE;
FIRST[0x27] = LITERAL_STRING;
FIRST[0x22] = BASIC_STRING;

/** A lexer that holds one token at a time. `advance` moves to the next. After the last token, `kind` stays `END`. */
export class Lexer {
  readonly text: string;
  kind: TokenKind = END;
  start = 0;
  end = 0;
  /** For a quoted string on one line: true if it is closed and its content is exactly the text between the quotes. */
  plain = false;
  /** The end of the last token passed that is not whitespace, a comment or a line break. */
  lastEnd = 0;

  constructor(text: string) {
    this.text = text;
    // A byte order mark is not part of the document.
    if (text.charCodeAt(0) === 0xfeff) this.end = 1;
    this.#scan();
  }

  advance(): void {
    const kind = this.kind;
    if ((kind < WHITESPACE || kind > NEWLINE) && kind !== END) this.lastEnd = this.end;
    this.#scan();
  }

  #scan(): void {
    const text = this.text;
    const start = this.end;
    this.start = start;
    if (start >= text.length) {
      this.kind = END;
      return;
    }
    const first = text.charCodeAt(start);
    const kind = first < 128 ? (FIRST[first] ?? ATOM) : ATOM;
    switch (kind) {
      case WHITESPACE: {
        let i = start + 1;
        for (let c = text.charCodeAt(i); c === 0x20 || c === 0x09; c = text.charCodeAt(i)) i += 1;
        this.end = i;
        this.kind = WHITESPACE;
        return;
      }
      case NEWLINE:
        this.end = start + (first === 0x0d && text.charCodeAt(start + 1) === 0x0a ? 2 : 1);
        this.kind = NEWLINE;
        return;
      case COMMENT: {
        let i = start + 1;
        const length = text.length;
        while (i < length) {
          const c = text.charCodeAt(i);
          if (c === 0x0a || c === 0x0d) break;
          i += 1;
        }
        this.end = i;
        this.kind = COMMENT;
        return;
      }
      case LITERAL_STRING:
        if (text.startsWith("'''", start)) this.#mlLiteralString(start);
        else this.#literalString(start);
        return;
      case BASIC_STRING:
        if (text.startsWith('"""', start)) this.#mlBasicString(start);
        else this.#basicString(start);
        return;
      case ATOM: {
        let i = start + 1;
        const length = text.length;
        // Quotes do not end an atom, so that the parser can report a missing opening quote.
        while (i < length) {
          const c = text.charCodeAt(i);
          if (c < 128) {
            const k = FIRST[c];
            if (k !== ATOM && k !== LITERAL_STRING && k !== BASIC_STRING) break;
          }
          i += 1;
        }
        this.end = i;
        this.kind = ATOM;
        return;
      }
      default:
        this.end = start + 1;
        this.kind = kind as TokenKind;
    }
  }

  #literalString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = LITERAL_STRING;
    this.plain = true;
    for (let i = start + 1; i < length; i += 1) {
      const c = text.charCodeAt(i);
      if (c === 0x27) {
        this.end = i + 1;
        return;
      }
      if (c === 0x0a) {
        this.plain = false;
        this.end = i;
        return;
      }
      if ((c < 0x20 && c !== 0x09) || c === 0x7f) this.plain = false;
    }
    this.plain = false;
    this.end = length;
  }

  #basicString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = BASIC_STRING;
    this.plain = true;
    for (let i = start + 1; i < length; i += 1) {
      const c = text.charCodeAt(i);
      if (c === 0x22) {
        this.end = i + 1;
        return;
      }
      if (c === 0x5c) {
        this.plain = false;
        const escaped = text.charCodeAt(i + 1);
        if (escaped === 0x5c || escaped === 0x22) i += 1;
      } else if (c === 0x0a) {
        this.plain = false;
        this.end = i;
        return;
      } else if ((c < 0x20 && c !== 0x09) || c === 0x7f) this.plain = false;
    }
    this.plain = false;
    this.end = length;
  }

  #mlLiteralString(start: number): void {
    this.kind = ML_LITERAL_STRING;
    const close = this.text.indexOf("'''", start + 3);
    this.end = close === -1 ? this.text.length : this.#trailingQuotes(close + 3, 0x27);
  }

  #mlBasicString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = ML_BASIC_STRING;
    for (let i = start + 3; i < length; i += 1) {
      const c = text.charCodeAt(i);
      if (c === 0x5c) {
        const escaped = text.charCodeAt(i + 1);
        if (escaped === 0x5c || escaped === 0x22) i += 1;
      } else if (c === 0x22 && text.startsWith('""', i + 1)) {
        this.end = this.#trailingQuotes(i + 3, 0x22);
        return;
      }
    }
    this.end = length;
  }

  /** Returns the end of a string. Up to two quotes may be directly before the three closing ones. */
  #trailingQuotes(end: number, quote: number): number {
    let at = end;
    if (this.text.charCodeAt(at) === quote) at += 1;
    if (at > end && this.text.charCodeAt(at) === quote) at += 1;
    return at;
  }
}
