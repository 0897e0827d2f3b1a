/** A TOML lexer. Tokens do not depend on their place in the grammar. */
import {
  APOSTROPHE,
  BACKSLASH,
  CARRIAGE_RETURN,
  isVisible,
  LINE_FEED,
  QUOTE,
  SPACE,
  TAB,
} from './characters.ts';

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

/**
 * One of the constants above. `advance` and `isKeyToken` (parse.ts) compare them, so their order matters: whitespace,
 * comment and line break are adjacent, and so are strings and atoms.
 */
export type TokenKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;

/** The kind of a token by the code of its first character. All missing codes begin an atom. */
const KIND_BY_CODE: TokenKind[] = [];
const KIND_BY_CHARACTER: Readonly<Record<string, TokenKind>> = {
  '.': DOT,
  '=': EQUALS,
  ',': COMMA,
  '[': LEFT_BRACKET,
  ']': RIGHT_BRACKET,
  '{': LEFT_BRACE,
  '}': RIGHT_BRACE,
  ' ': WHITESPACE,
  '\t': WHITESPACE,
  '#': COMMENT,
  '\r': NEWLINE,
  '\n': NEWLINE,
  "'": LITERAL_STRING,
  '"': BASIC_STRING,
};
for (const [character, kind] of Object.entries(KIND_BY_CHARACTER))
  KIND_BY_CODE[character.charCodeAt(0)] = kind;

/** A lexer that holds one token at a time. `advance` moves to the next. After the last token, `kind` stays `END`. */
export class Lexer {
  readonly text: string;
  kind: TokenKind = END;
  start = 0;
  end = 0;
  /** For a quoted string on one line: true if it is closed and its content is exactly the text between the quotes. */
  isVerbatim = false;
  /** The end of the last token passed that is not whitespace, a comment or a line break. */
  lastEnd = 0;

  constructor(text: string) {
    this.text = text;
    // A byte order mark is not part of the document.
    if (text.charCodeAt(0) === 0xfeff) this.end = 1;
    this.#scan();
  }

  /** Moves to the next token. */
  advance(): void {
    const kind = this.kind;
    if ((kind < WHITESPACE || kind > NEWLINE) && kind !== END) this.lastEnd = this.end;
    this.#scan();
  }

  /** Reads the token at `end`. */
  #scan(): void {
    const text = this.text;
    const start = this.end;
    this.start = start;
    if (start >= text.length) {
      this.kind = END;
      return;
    }
    const first = text.charCodeAt(start);
    const kind = KIND_BY_CODE[first] ?? ATOM;
    switch (kind) {
      case WHITESPACE: {
        let i = start + 1;
        for (let code = text.charCodeAt(i); code === SPACE || code === TAB; code = text.charCodeAt(i)) i += 1;
        this.end = i;
        this.kind = WHITESPACE;
        return;
      }
      case NEWLINE:
        this.end = start + (first === CARRIAGE_RETURN && text.charCodeAt(start + 1) === LINE_FEED ? 2 : 1);
        this.kind = NEWLINE;
        return;
      case COMMENT: {
        let i = start + 1;
        const length = text.length;
        while (i < length) {
          const code = text.charCodeAt(i);
          if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
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
          const next = KIND_BY_CODE[text.charCodeAt(i)] ?? ATOM;
          if (next !== ATOM && next !== LITERAL_STRING && next !== BASIC_STRING) break;
          i += 1;
        }
        this.end = i;
        this.kind = ATOM;
        return;
      }
      default:
        this.end = start + 1;
        this.kind = kind;
    }
  }

  #literalString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = LITERAL_STRING;
    this.isVerbatim = true;
    for (let i = start + 1; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === APOSTROPHE) {
        this.end = i + 1;
        return;
      }
      if (code === LINE_FEED) {
        this.isVerbatim = false;
        this.end = i;
        return;
      }
      if (!isVisible(code)) this.isVerbatim = false;
    }
    this.isVerbatim = false;
    this.end = length;
  }

  #basicString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = BASIC_STRING;
    this.isVerbatim = true;
    for (let i = start + 1; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        this.end = i + 1;
        return;
      }
      if (code === BACKSLASH) {
        this.isVerbatim = false;
        const escaped = text.charCodeAt(i + 1);
        if (escaped === BACKSLASH || escaped === QUOTE) i += 1;
      } else if (code === LINE_FEED) {
        this.isVerbatim = false;
        this.end = i;
        return;
      } else if (!isVisible(code)) this.isVerbatim = false;
    }
    this.isVerbatim = false;
    this.end = length;
  }

  #mlLiteralString(start: number): void {
    this.kind = ML_LITERAL_STRING;
    const close = this.text.indexOf("'''", start + 3);
    this.end = close === -1 ? this.text.length : this.#trailingQuotes(close + 3, APOSTROPHE);
  }

  #mlBasicString(start: number): void {
    const text = this.text;
    const length = text.length;
    this.kind = ML_BASIC_STRING;
    for (let i = start + 3; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === BACKSLASH) {
        const escaped = text.charCodeAt(i + 1);
        if (escaped === BACKSLASH || escaped === QUOTE) i += 1;
      } else if (code === QUOTE && text.startsWith('""', i + 1)) {
        this.end = this.#trailingQuotes(i + 3, QUOTE);
        return;
      }
    }
    this.end = length;
  }

  /** Returns the end of a string. Up to two quotes may be directly before the three closing ones. */
  #trailingQuotes(end: number, quote: number): number {
    if (this.text.charCodeAt(end) !== quote) return end;
    return this.text.charCodeAt(end + 1) === quote ? end + 2 : end + 1;
  }
}
