/**
 * Parser for TOML 1.1, with the error messages and positions that cargo prints: those of the Rust crates `toml` and
 * `toml_parser`.
 */
import { CARRIAGE_RETURN, isVisible } from './characters.ts';
import {
  ATOM,
  BASIC_STRING,
  COMMA,
  COMMENT,
  DOT,
  END,
  EQUALS,
  LEFT_BRACE,
  LEFT_BRACKET,
  Lexer,
  LITERAL_STRING,
  ML_BASIC_STRING,
  ML_LITERAL_STRING,
  NEWLINE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  WHITESPACE,
} from './lexer.ts';
import type { TokenKind } from './lexer.ts';
import { parseCommonToml } from './parse-common.ts';
import { decodeKey, decodeString } from './string.ts';
import { decodeScalar, type ScalarReports } from './scalar.ts';
import { SpanTable } from './spans.ts';
import type { Span } from './spans.ts';
import { TomlSyntaxError } from './syntax-error.ts';
import { TreeBuilder } from './tree-builder.ts';
import type { Key, KeyPart } from './tree-builder.ts';
import type { TomlTable, TomlValue } from './value.ts';

/** Parses a document. Skips a byte order mark. Throws the `TomlSyntaxError` that cargo would report. */
export function parseToml(text: string): TomlTable {
  return parseCommonToml(text) ?? new Parser(text, null).document();
}

/**
 * Parses like `parseToml` and keeps the place of every key and value. It is slower: use it for documents with an error.
 */
export function parseTomlWithSpans(text: string): SpannedToml {
  const spans = new SpanTable();
  const table = new Parser(text, spans).document();
  return { table, find: (path) => spans.find(table, path) };
}

/** A document with the place of every key and value. */
export interface SpannedToml {
  readonly table: TomlTable;
  /**
   * Returns the spans of the key and the value at a path (keys and array indexes from the root); null if nothing is
   * there. The value of a `[header]` table is its header, that of a table made by a dotted key is that key. An array
   * element has no key: both spans are the element's.
   */
  find(path: readonly (string | number)[]): { readonly key: Span; readonly value: Span } | null;
}

/** The maximum nesting of arrays and inline tables, and the maximum length of dotted keys, as in cargo's parser. */
const MAX_DEPTH = 80;

/**
 * A parser that reports one error. Errors have three ranks: wrong structure (tokens in the wrong order) anywhere beats
 * wrong content (an invalid or duplicate key, an invalid value), which beats a number that is too large. Within a rank
 * the first error wins. So parsing continues after a content error, but builds nothing more. The grammar is one class
 * because all its methods move the same lexer.
 */
class Parser {
  readonly #lexer: Lexer;
  readonly #spans: SpanTable | null;
  readonly #tree: TreeBuilder;
  /** The first error about a number that is too large. */
  #overflow: TomlSyntaxError | null = null;
  readonly #scalarReports: ScalarReports;
  /** The number of open arrays and inline tables. */
  #depth = 0;
  /** The span of the value read last. */
  #valueStart = 0;
  #valueEnd = 0;

  constructor(text: string, spans: SpanTable | null) {
    this.#lexer = new Lexer(text);
    this.#spans = spans;
    this.#tree = new TreeBuilder(spans);
    this.#scalarReports = {
      content: this.#tree.report,
      overflow: (message, start, end) => {
        this.#overflow ??= new TomlSyntaxError(message, start, end);
      },
    };
  }

  /** Reads the whole text. Call it once. Throws the `TomlSyntaxError` with the highest rank. */
  document(): TomlTable {
    const lexer = this.#lexer;
    for (;;) {
      this.#skipBlank();
      switch (lexer.kind) {
        case END:
          return this.#finish();
        case LEFT_BRACKET:
          this.#table();
          break;
        case RIGHT_BRACKET:
          throw this.#structure('missing table open, expected `[`', lexer.start, lexer.start);
        case COMMA:
        case LEFT_BRACE:
        case RIGHT_BRACE:
          throw this.#structure('invalid key-value pair, expected key', lexer.start, lexer.start);
        default:
          this.#expression();
      }
    }
  }

  #finish(): TomlTable {
    const root = this.#tree.finish();
    const error = this.#tree.error ?? this.#overflow;
    if (error !== null) throw error;
    return root;
  }

  /** Returns an error of the first rank. */
  #structure(message: string, start: number, end: number): TomlSyntaxError {
    return new TomlSyntaxError(message, start, end);
  }

  // Space, comments, line breaks

  /** Consumes a line break. A carriage return alone is none. */
  #newline(): void {
    const lexer = this.#lexer;
    if (lexer.end === lexer.start + 1 && lexer.text.charCodeAt(lexer.start) === CARRIAGE_RETURN) {
      throw this.#structure(
        'carriage return must be followed by newline, expected newline',
        lexer.end,
        lexer.end,
      );
    }
    lexer.advance();
  }

  /** Consumes a comment with its line break. */
  #comment(): void {
    const lexer = this.#lexer;
    const text = lexer.text;
    const end = lexer.end;
    for (let i = lexer.start + 1; i < end; i += 1) {
      if (isVisible(text.charCodeAt(i))) continue;
      throw this.#structure('invalid comment character, expected printable characters', i, i);
    }
    lexer.advance();
    if (lexer.kind === NEWLINE) this.#newline();
  }

  /** Skips whitespace, line breaks and comments, and checks the latter two. */
  #skipBlank(): void {
    const lexer = this.#lexer;
    for (;;) {
      if (lexer.kind === WHITESPACE) lexer.advance();
      else if (lexer.kind === NEWLINE) this.#newline();
      else if (lexer.kind === COMMENT) this.#comment();
      else return;
    }
  }

  /** Skips whitespace in a line. */
  #space(): void {
    if (this.#lexer.kind === WHITESPACE) this.#lexer.advance();
  }

  /** Reads the rest of the line after an expression. */
  #lineEnd(): void {
    const lexer = this.#lexer;
    this.#space();
    if (lexer.kind === NEWLINE) this.#newline();
    else if (lexer.kind === COMMENT) this.#comment();
    else if (lexer.kind !== END) {
      throw this.#structure('unexpected key or value, expected newline, `#`', lexer.start, lexer.start);
    }
  }

  /** Skips the rest of the line after a content error in a header. */
  #skipLine(): void {
    const lexer = this.#lexer;
    while (lexer.kind !== NEWLINE && lexer.kind !== COMMENT && lexer.kind !== END) lexer.advance();
    if (lexer.kind === NEWLINE) this.#newline();
    else if (lexer.kind === COMMENT) this.#comment();
  }

  // Keys

  /** Returns a key with only its first part. `#dottedParts` adds the others. */
  #startKey(): Key {
    return { path: null, last: isKeyToken(this.#lexer.kind) ? this.#keyPart() : this.#missingPart() };
  }

  /** Returns the current token as a key part and advances. */
  #keyPart(): KeyPart {
    const lexer = this.#lexer;
    const { kind, start, end, text } = lexer;
    const isVerbatim = lexer.isVerbatim && (kind === BASIC_STRING || kind === LITERAL_STRING);
    const name = isVerbatim
      ? text.slice(start + 1, end - 1)
      : decodeKey({ text, kind, start, end }, this.#tree.report);
    lexer.advance();
    return { name, start, end };
  }

  /** Reports a missing key and returns an empty part for it. */
  #missingPart(): KeyPart {
    const { text, start } = this.#lexer;
    return { name: decodeKey({ text, kind: ATOM, start, end: start }, this.#tree.report), start, end: start };
  }

  /** Reads the `.name` parts after the first part of `key`. Returns false if the last part is missing. */
  #dottedParts(key: Key): boolean {
    const lexer = this.#lexer;
    this.#space();
    while (lexer.kind === DOT) {
      lexer.advance();
      this.#space();
      (key.path ??= []).push(key.last);
      // As in cargo, this error has no place.
      if (key.path.length === MAX_DEPTH) this.#tree.report('recursion limit', -1, -1);
      if (isKeyToken(lexer.kind)) {
        key.last = this.#keyPart();
        this.#space();
      } else {
        key.last = this.#missingPart();
        if (lexer.kind !== DOT) return false;
      }
    }
    return true;
  }

  // Tables

  /** Reads a `[table]` or `[[table]]` header. */
  #table(): void {
    const lexer = this.#lexer;
    const start = lexer.start;
    this.#tree.finishTable();
    lexer.advance();
    const isArray = lexer.kind === LEFT_BRACKET;
    if (isArray) lexer.advance();
    this.#space();
    const key = this.#startKey();
    let isValid = key.last.end > key.last.start;
    if (isValid || lexer.kind === DOT) isValid = this.#dottedParts(key);
    this.#space();
    if (lexer.kind !== RIGHT_BRACKET) {
      if (isValid) {
        const problem = isArray ? 'unclosed array table, expected `]]`' : 'unclosed table, expected `]`';
        throw this.#structure(problem, lexer.lastEnd, lexer.lastEnd);
      }
      this.#skipLine();
      return;
    }
    lexer.advance();
    if (isArray) {
      if (lexer.kind !== RIGHT_BRACKET) {
        throw this.#structure('unclosed array table, expected `]`', lexer.lastEnd, lexer.lastEnd);
      }
      lexer.advance();
    }
    this.#tree.startTable({ key, isArray, start, end: lexer.lastEnd });
    this.#lineEnd();
  }

  // Key-value pairs

  /** Reads a line with `key = value`. */
  #expression(): void {
    const lexer = this.#lexer;
    const startsWithDot = lexer.kind === DOT;
    const key = this.#startKey();
    this.#dottedParts(key);
    this.#space();
    if (lexer.kind !== EQUALS) {
      const problem = startsWithDot ? 'missing value for key' : 'key with no value';
      throw this.#structure(`${problem}, expected \`=\``, lexer.start, lexer.start);
    }
    lexer.advance();
    this.#space();
    this.#setValue(this.#tree.current, key, this.#value());
    this.#lineEnd();
  }

  /** Adds the value read last to a table. */
  #setValue(table: TomlTable, key: Key, value: TomlValue): void {
    this.#tree.setValue(table, key, { value, start: this.#valueStart, end: this.#valueEnd });
  }

  // Values

  /** Reads a value, and sets `#valueStart` and `#valueEnd`. */
  #value(): TomlValue {
    const lexer = this.#lexer;
    const { kind, start } = lexer;
    switch (kind) {
      case BASIC_STRING:
      case LITERAL_STRING:
      case ML_BASIC_STRING:
      case ML_LITERAL_STRING:
        return this.#string();
      case ATOM:
      case DOT:
        return this.#scalar();
      case LEFT_BRACKET:
        return this.#array();
      case LEFT_BRACE:
        return this.#inlineTable();
      case EQUALS:
        throw this.#structure('extra `=`, expected nothing', start, lexer.end);
      case RIGHT_BRACE:
        throw this.#structure('missing inline table opening, expected `{`', start, start);
      case RIGHT_BRACKET:
        throw this.#structure('missing array opening, expected `[`', start, start);
      default:
        // There is no value. Decoding an empty one reports that.
        this.#valueStart = start;
        this.#valueEnd = start;
        return decodeScalar('', start, this.#scalarReports);
    }
  }

  #string(): string {
    const lexer = this.#lexer;
    const { kind, start, end, text } = lexer;
    const isVerbatim = lexer.isVerbatim && (kind === BASIC_STRING || kind === LITERAL_STRING);
    const value = isVerbatim
      ? text.slice(start + 1, end - 1)
      : decodeString({ text, kind, start, end }, this.#tree.report);
    this.#valueStart = start;
    this.#valueEnd = end;
    lexer.advance();
    return value;
  }

  /** Reads an unquoted value. Dots join atoms (floats), and so does whitespace before an atom (date and time). */
  #scalar(): TomlValue {
    const lexer = this.#lexer;
    const start = lexer.start;
    let end = lexer.end;
    lexer.advance();
    for (;;) {
      let kind: TokenKind = lexer.kind;
      if (kind === WHITESPACE) {
        lexer.advance();
        kind = lexer.kind === ATOM ? ATOM : END;
      }
      if (kind !== DOT && kind !== ATOM) break;
      end = lexer.end;
      lexer.advance();
    }
    this.#valueStart = start;
    this.#valueEnd = end;
    return decodeScalar(lexer.text.slice(start, end), start, this.#scalarReports);
  }

  /** Consumes an opening bracket. */
  #open(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      const { start, end } = this.#lexer;
      throw this.#structure('cannot recurse further; max recursion depth met', start, end);
    }
    this.#lexer.advance();
  }

  /** Consumes the closing bracket of a value that began at `start`. */
  #close(start: number): void {
    this.#depth -= 1;
    this.#valueStart = start;
    this.#valueEnd = this.#lexer.end;
    this.#lexer.advance();
  }

  #array(): TomlValue[] {
    const lexer = this.#lexer;
    const start = lexer.start;
    const result: TomlValue[] = [];
    this.#open();
    let needsValue = true;
    for (;;) {
      this.#skipBlank();
      switch (lexer.kind) {
        case RIGHT_BRACKET:
          this.#close(start);
          return result;
        case COMMA:
          if (needsValue) {
            throw this.#structure('extra comma in array, expected value', lexer.start, lexer.end);
          }
          needsValue = true;
          lexer.advance();
          continue;
        case EQUALS:
          throw this.#structure('unexpected `=` in array, expected value, `]`', lexer.start, lexer.end);
        case END:
          throw this.#structure('unclosed array, expected `]`', lexer.end, lexer.end);
        default:
          if (!needsValue) {
            throw this.#structure(
              'missing comma between array elements, expected `,`',
              lexer.start,
              lexer.start,
            );
          }
      }
      const value = this.#value();
      this.#spans?.set(result, result.length, this.#elementSpans());
      result.push(value);
      needsValue = false;
    }
  }

  /** Returns the spans of the value read last, for an element of an array. */
  #elementSpans(): { key: Span; value: Span } {
    const span = { start: this.#valueStart, end: this.#valueEnd };
    return { key: span, value: span };
  }

  #inlineTable(): TomlTable {
    const lexer = this.#lexer;
    const start = lexer.start;
    const result: TomlTable = new Map();
    this.#open();
    let needsComma = false;
    for (;;) {
      this.#skipBlank();
      switch (lexer.kind) {
        case RIGHT_BRACE:
          this.#close(start);
          return result;
        case COMMA:
          if (!needsComma) throw this.#inTable('extra comma in inline table', 'key');
          needsComma = false;
          lexer.advance();
          continue;
        case EQUALS:
          if (needsComma) throw this.#inTable('extra assignment between key-value pairs', '`,`');
          break;
        case LEFT_BRACE:
        case LEFT_BRACKET:
          throw this.#inTable('missing key for inline table element', needsComma ? '`,`' : 'key');
        case RIGHT_BRACKET:
          throw this.#inTable('invalid inline table element', needsComma ? '`,`' : 'key');
        case END:
          throw this.#structure('unclosed inline table, expected `}`', lexer.end, lexer.end);
        default:
          if (needsComma) throw this.#inTable('missing comma between key-value pairs', '`,`');
      }
      const key = this.#startKey();
      this.#dottedParts(key);
      const value = this.#inlineValue();
      // A key without a value is ignored.
      if (value !== null) this.#setValue(result, key, value);
      needsComma = true;
    }
  }

  /**
   * Reads `= value` in an inline table, with line breaks and comments allowed around both. Returns null if the table
   * ends before the value.
   */
  #inlineValue(): TomlValue | null {
    const lexer = this.#lexer;
    let needsEquals = true;
    for (;;) {
      this.#skipBlank();
      switch (lexer.kind) {
        case EQUALS:
          if (!needsEquals) throw this.#inTable('extra assignment between key-value pairs', 'value');
          needsEquals = false;
          lexer.advance();
          continue;
        case COMMA:
          throw this.#inTable('extra comma in inline table', needsEquals ? '`=`' : 'value');
        case RIGHT_BRACKET:
          if (needsEquals) throw this.#inTable('invalid inline table element', '`=`');
          return this.#value();
        case RIGHT_BRACE:
        case END:
          return null;
        default:
          if (needsEquals) throw this.#inTable('missing assignment between key-value pairs', '`=`');
          return this.#value();
      }
    }
  }

  /** Returns an error of the first rank at the current token of an inline table. */
  #inTable(problem: string, expected: string): TomlSyntaxError {
    const { start } = this.#lexer;
    return this.#structure(`${problem}, expected ${expected}`, start, start);
  }
}

function isKeyToken(kind: TokenKind): boolean {
  return kind >= LITERAL_STRING && kind <= ATOM;
}
