/** A fast parser for the TOML that most manifests use. */
import { APOSTROPHE, BACKSLASH, isBareKeyCharacter, LINE_FEED, QUOTE, SPACE, TAB } from './characters.ts';
import type { TomlTable, TomlValue } from './value.ts';

/**
 * Parses a document that has only common syntax; the values are always those of `parseToml`. Returns null if the
 * document needs the full parser: for any error and for rare syntax (most escapes, comments in inline tables, floats,
 * dates, tables that are opened twice).
 */
export function parseCommonToml(text: string): TomlTable | null {
  return RARE_CHARACTERS.test(text) ? null : new CommonParser(text).document();
}

/** Control characters (carriage returns too) and a byte order mark. */
const RARE_CHARACTERS = /[\0-\x08\x0b-\x1f\x7f\ufeff]/;

const HASH = 0x23;
const COMMA = 0x2c;
const DOT = 0x2e;
const EQUALS = 0x3d;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

// Most lines and most array items match these. One match takes less than half as long as a loop over characters.
/** Blank lines, then a line with a bare key and a string, a boolean, or an array of at most one string. */
const USUAL_LINE =
  /[ \t\n]*([\w-]+)[ \t]*=[ \t]*(?:"([^"\\\n]*)"|(true|false)|\[(?:"([^"\\\n]*)")?\])[ \t]*(?:\n|$)/y;
/** A string in an array and the delimiter after it. */
const USUAL_ITEM = /[ \t\n]*"([^"\\\n]*)"[ \t\n]*([,\]])/y;

/** The characters that may follow a value without quotes or brackets. */
const ENDS_WORD: ReadonlySet<number> = new Set([LINE_FEED, COMMA, RIGHT_BRACKET, RIGHT_BRACE, HASH]);
const ESCAPE = /\\(["\\])/g;
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** The maximum length of an integer, far below the limits that `parseToml` checks. */
const MAX_DIGITS = 9;
/** The maximum length of dotted keys and nesting of values, far below the limits that `parseToml` checks. */
const MAX_DEPTH = 8;

/** A parser whose methods return null or false at the first syntax that it does not support. Parsing stops there. */
class CommonParser {
  readonly #text: string;
  readonly #root: TomlTable = new Map();
  /** Tables that no header may add to: inline tables and tables made by dotted keys. */
  readonly #closed = new Set<TomlTable>();
  /** Tables made by dotted keys. Other dotted keys in the same section may add to them. */
  readonly #dotted = new Set<TomlTable>();
  #position = 0;
  /** The number of open arrays and inline tables. */
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the whole text. Call it once. */
  document(): TomlTable | null {
    let current = this.#root;
    for (;;) {
      if (this.#usualLine(current)) continue;
      this.#skipBlank();
      const code = this.#text.charCodeAt(this.#position);
      if (this.#position >= this.#text.length) return this.#root;
      if (code === LEFT_BRACKET) {
        const table = this.#header();
        if (table === null) return null;
        current = table;
      } else if (code !== HASH && !this.#pair(current, 'dotted')) return null;
      if (!this.#lineEnd()) return null;
    }
  }

  /** Reads a line that matches `USUAL_LINE`. Returns false without advancing for any other line. */
  #usualLine(table: TomlTable): boolean {
    USUAL_LINE.lastIndex = this.#position;
    const match = USUAL_LINE.exec(this.#text);
    if (match === null) return false;
    // The first group always matches. Destructuring would create an iterator and its result objects.
    const key = match[1] ?? '';
    const string = match[2];
    const word = match[3];
    const item = match[4];
    if (table.has(key)) return false;
    if (string !== undefined) table.set(key, string);
    else if (word !== undefined) table.set(key, word === 'true');
    else table.set(key, item === undefined ? [] : [item]);
    this.#position = USUAL_LINE.lastIndex;
    return true;
  }

  /**
   * Adds the next item to an array if it is a string, and returns the delimiter after it. Else returns null without
   * advancing.
   */
  #usualItem(array: TomlValue[]): string | null {
    USUAL_ITEM.lastIndex = this.#position;
    const match = USUAL_ITEM.exec(this.#text);
    if (match === null) return null;
    // Both groups always match.
    array.push(match[1] ?? '');
    this.#position = USUAL_ITEM.lastIndex;
    return match[2] ?? '';
  }

  /** Reads a `[header]` or `[[header]]`. Returns its table, which it adds to the document. */
  #header(): TomlTable | null {
    const isElement = this.#text.charCodeAt(this.#position + 1) === LEFT_BRACKET;
    this.#position += isElement ? 2 : 1;
    let parent = this.#root;
    let name = this.#key();
    for (let depth = 0; name !== null && this.#skip(DOT); depth += 1) {
      if (depth === MAX_DEPTH) return null;
      const next = parent.get(name);
      let table: TomlTable;
      if (next === undefined) {
        table = new Map();
        parent.set(name, table);
      } else {
        const open = this.#openTable(Array.isArray(next) ? next.at(-1) : next);
        if (open === null) return null;
        table = open;
      }
      parent = table;
      name = this.#key();
    }
    if (name === null || !this.#skip(RIGHT_BRACKET) || (isElement && !this.#skip(RIGHT_BRACKET))) return null;
    const existing = parent.get(name);
    const table: TomlTable = new Map();
    if (existing === undefined) {
      parent.set(name, isElement ? [table] : table);
      return table;
    }
    if (!isElement || !Array.isArray(existing) || this.#openTable(existing.at(-1)) === null) return null;
    existing.push(table);
    return table;
  }

  /**
   * Returns `value` if it is a table made by headers, else null. An array is an array of tables if its last element is
   * such a table.
   */
  #openTable(value: TomlValue | undefined): TomlTable | null {
    return value instanceof Map && !this.#closed.has(value) ? value : null;
  }

  /** Reads `key = value` and adds it to the table `into`. The key may be dotted only if `keys` is `dotted`. */
  #pair(into: TomlTable, keys: 'simple' | 'dotted'): boolean {
    let table = into;
    let name = this.#key();
    this.#skipSpace();
    for (let depth = 0; name !== null && keys === 'dotted' && this.#skip(DOT); depth += 1) {
      if (depth === MAX_DEPTH) return false;
      let next = table.get(name);
      if (next === undefined) {
        next = new Map();
        this.#closed.add(next);
        this.#dotted.add(next);
        table.set(name, next);
      } else if (!(next instanceof Map) || !this.#dotted.has(next)) return false;
      table = next;
      this.#skipSpace();
      name = this.#key();
      this.#skipSpace();
    }
    if (name === null || !this.#skip(EQUALS) || table.has(name)) return false;
    this.#skipSpace();
    const value = this.#value();
    if (value === null) return false;
    table.set(name, value);
    return true;
  }

  /** Reads one part of a key: bare or quoted. */
  #key(): string | null {
    const text = this.#text;
    const start = this.#position;
    let code = text.charCodeAt(start);
    if (code === QUOTE || code === APOSTROPHE) return this.#string(code);
    let index = start;
    while (isBareKeyCharacter(code)) {
      index += 1;
      code = text.charCodeAt(index);
    }
    this.#position = index;
    return index === start ? null : text.slice(start, index);
  }

  /** Reads any value. */
  #value(): TomlValue | null {
    const text = this.#text;
    const start = this.#position;
    const code = text.charCodeAt(start);
    switch (code) {
      case QUOTE:
      case APOSTROPHE:
        return text.charCodeAt(start + 1) === code && text.charCodeAt(start + 2) === code
          ? this.#multiLineString(code)
          : this.#string(code);
      case LEFT_BRACKET:
        return this.#array();
      case LEFT_BRACE:
        return this.#inlineTable();
      default:
        return this.#word();
    }
  }

  /** Reads a string on one line. Only quotes and backslashes may be escaped. */
  #string(quote: number): string | null {
    const text = this.#text;
    const { length } = text;
    const start = this.#position + 1;
    let hasEscapes = false;
    for (let index = start; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        this.#position = index + 1;
        const content = text.slice(start, index);
        return hasEscapes ? content.replace(ESCAPE, '$1') : content;
      }
      if (code === LINE_FEED) return null;
      if (code === BACKSLASH && quote === QUOTE) {
        index += 1;
        const escaped = text.charCodeAt(index);
        if (escaped !== QUOTE && escaped !== BACKSLASH) return null;
        hasEscapes = true;
      }
    }
    return null;
  }

  /** Reads a multi-line string without escapes. */
  #multiLineString(quote: number): string | null {
    const text = this.#text;
    let start = this.#position + 3;
    if (text.charCodeAt(start) === LINE_FEED) start += 1;
    const end = text.indexOf(quote === QUOTE ? '"""' : "'''", start);
    if (end === -1 || text.charCodeAt(end + 3) === quote) return null;
    const content = text.slice(start, end);
    if (quote === QUOTE && content.includes('\\')) return null;
    this.#position = end + 3;
    return content;
  }

  /**
   * Reads `true`, `false` or a small integer. Returns null if more belongs to the value: a fraction, or a time after a
   * space.
   */
  #word(): TomlValue | null {
    const text = this.#text;
    const start = this.#position;
    let index = start;
    while (isBareKeyCharacter(text.charCodeAt(index))) index += 1;
    this.#position = index;
    this.#skipSpace();
    if (this.#position < text.length && !ENDS_WORD.has(text.charCodeAt(this.#position))) return null;
    const word = text.slice(start, index);
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word.length <= MAX_DIGITS && INTEGER.test(word) ? BigInt(word) : null;
  }

  #array(): TomlValue[] | null {
    const result: TomlValue[] = [];
    if (!this.#open()) return null;
    for (;;) {
      const end = this.#usualItem(result);
      if (end === ',') continue;
      if (end === ']') {
        this.#depth -= 1;
        return result;
      }
      this.#skipComments();
      if (this.#close(RIGHT_BRACKET)) return result;
      const value = this.#value();
      if (value === null) return null;
      result.push(value);
      this.#skipComments();
      if (this.#skip(COMMA)) continue;
      return this.#close(RIGHT_BRACKET) ? result : null;
    }
  }

  #inlineTable(): TomlTable | null {
    const table: TomlTable = new Map();
    this.#closed.add(table);
    if (!this.#open()) return null;
    for (;;) {
      this.#skipBlank();
      if (this.#close(RIGHT_BRACE)) return table;
      if (!this.#pair(table, 'simple')) return null;
      this.#skipBlank();
      if (this.#skip(COMMA)) continue;
      return this.#close(RIGHT_BRACE) ? table : null;
    }
  }

  /** Consumes an opening bracket. Returns false if values are nested too deep. */
  #open(): boolean {
    this.#position += 1;
    this.#depth += 1;
    return this.#depth <= MAX_DEPTH;
  }

  /** Consumes the closing bracket `code` if it is next. Returns true if it was. */
  #close(code: number): boolean {
    if (!this.#skip(code)) return false;
    this.#depth -= 1;
    return true;
  }

  /** Skips the rest of the line after an expression. Returns false if it is more than a comment. */
  #lineEnd(): boolean {
    this.#skipSpace();
    const text = this.#text;
    if (text.charCodeAt(this.#position) === HASH) {
      const end = text.indexOf('\n', this.#position);
      this.#position = end === -1 ? text.length : end;
    }
    return this.#position === text.length || this.#skip(LINE_FEED);
  }

  /** Consumes the character `code` if it is next. Returns true if it was. */
  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.#position) !== code) return false;
    this.#position += 1;
    return true;
  }

  #skipSpace(): void {
    const text = this.#text;
    let index = this.#position;
    for (let code = text.charCodeAt(index); code === SPACE || code === TAB; code = text.charCodeAt(index))
      index += 1;
    this.#position = index;
  }

  /** Skips whitespace, line breaks and comments. */
  #skipComments(): void {
    this.#skipBlank();
    const text = this.#text;
    while (text.charCodeAt(this.#position) === HASH) {
      const end = text.indexOf('\n', this.#position);
      this.#position = end === -1 ? text.length : end;
      this.#skipBlank();
    }
  }

  /** Skips whitespace and line breaks. */
  #skipBlank(): void {
    const text = this.#text;
    let index = this.#position;
    let code = text.charCodeAt(index);
    while (code === SPACE || code === LINE_FEED || code === TAB) {
      index += 1;
      code = text.charCodeAt(index);
    }
    this.#position = index;
  }
}
