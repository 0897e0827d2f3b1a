/**
 * Decoding of key and string tokens. TOML: Keys, String. After an error, which they report, the functions return any
 * value: the document is rejected.
 */
import { present } from '../errors/assert.ts';
import {
  APOSTROPHE,
  BACKSLASH,
  CARRIAGE_RETURN,
  isBareKeyCharacter,
  isVisible,
  LINE_FEED,
  QUOTE,
  SPACE,
  TAB,
} from './characters.ts';
import { BASIC_STRING, LITERAL_STRING, ML_BASIC_STRING, ML_LITERAL_STRING } from './lexer.ts';
import type { TokenKind } from './lexer.ts';
import type { ErrorReceiver } from './syntax-error.ts';

/** A token between two offsets of a document. */
export interface Token {
  readonly text: string;
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** The text between the quotes of a string, and its offset `from` in the document. */
interface Content {
  readonly body: string;
  readonly from: number;
}

const EXPECTED_ESCAPES = ', expected `b`, `e`, `f`, `n`, `r`, `\\`, `"`, `x`, `u`, `U`';
const NEEDS_NEWLINE = 'carriage return must be followed by newline, expected newline';
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '"': '"',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the value of a quoted token. */
export function decodeString(token: Token, report: ErrorReceiver): string {
  switch (token.kind) {
    case LITERAL_STRING:
      return decodeLiteral(token, report);
    case ML_LITERAL_STRING:
      return decodeMlLiteral(token, report);
    case BASIC_STRING:
      return decodeBasic(token, report);
    default:
      return decodeMlBasic(token, report);
  }
}

/** Returns the name in a key token. */
export function decodeKey(token: Token, report: ErrorReceiver): string {
  const { text, kind, start, end } = token;
  if (kind === BASIC_STRING || kind === LITERAL_STRING) return decodeString(token, report);
  if (kind === ML_BASIC_STRING || kind === ML_LITERAL_STRING) {
    const what = kind === ML_BASIC_STRING ? 'basic' : 'literal';
    report(`keys cannot be multi-line ${what} strings, expected basic string, literal string`, start, end);
    return decodeString(token, report);
  }
  if (start === end) {
    report('unquoted keys cannot be empty, expected letters, numbers, `-`, `_`', start, end);
  }
  for (let i = start; i < end; i += 1) {
    if (isBareKeyCharacter(text.charCodeAt(i))) continue;
    report('invalid unquoted key, expected letters, numbers, `-`, `_`', i, i);
    break;
  }
  return text.slice(start, end);
}

/** Returns the text between the quotes, without a line break directly after three of them. */
function unquote(token: Token, quote: string, report: ErrorReceiver): Content {
  const { text, kind, start, end } = token;
  const problem = `invalid ${kindName(kind)} string, expected \`${quote.charAt(0)}\``;
  let from = start;
  if (text.startsWith(quote, start) && start + quote.length <= end) from += quote.length;
  else report(problem, start, start);
  if (quote.length === 3) {
    if (text.startsWith('\n', from) && from < end) from += 1;
    else if (text.startsWith('\r\n', from) && from + 2 <= end) from += 2;
  }
  let body = text.slice(from, end);
  if (body.endsWith(quote)) body = body.slice(0, -quote.length);
  else report(problem, end, end);
  return { body, from };
}

function kindName(kind: TokenKind): string {
  if (kind === LITERAL_STRING) return 'literal';
  if (kind === BASIC_STRING) return 'basic';
  return kind === ML_LITERAL_STRING ? 'multi-line literal' : 'multi-line basic';
}

function decodeLiteral(token: Token, report: ErrorReceiver): string {
  const { body, from } = unquote(token, "'", report);
  for (let i = 0; i < body.length; i += 1) {
    const code = body.charCodeAt(i);
    if (isVisible(code) && code !== APOSTROPHE) continue;
    report('invalid literal string, expected non-single-quote visible characters', from + i, from + i);
  }
  return body;
}

function decodeMlLiteral(token: Token, report: ErrorReceiver): string {
  const { body, from } = unquote(token, "'''", report);
  for (let i = 0; i < body.length; i += 1) {
    const code = body.charCodeAt(i);
    if (code === CARRIAGE_RETURN) {
      if (body.charCodeAt(i + 1) !== LINE_FEED) report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
    } else if (!isVisible(code) && code !== LINE_FEED) {
      report('invalid multi-line literal string, expected non-single-quote characters', from + i, from + i);
    }
  }
  return body;
}

function decodeBasic(token: Token, report: ErrorReceiver): string {
  const content = unquote(token, '"', report);
  const { body, from } = content;
  let result = '';
  let i = 0;
  while (i < body.length) {
    const code = body.charCodeAt(i);
    if (code === BACKSLASH) {
      const escape = decodeEscape(content, i + 1, report);
      result += escape.text;
      i = escape.next;
    } else if (isVisible(code) && code !== QUOTE) {
      const begin = i;
      while (i < body.length && isVisible(body.charCodeAt(i)) && !isQuoteOrEscape(body.charCodeAt(i))) i += 1;
      result += body.slice(begin, i);
    } else {
      const begin = i;
      while (i < body.length && (!isVisible(body.charCodeAt(i)) || body.charCodeAt(i) === QUOTE)) i += 1;
      report(
        'invalid basic string, expected non-double-quote visible characters, `\\`',
        from + begin,
        from + i,
      );
    }
  }
  return result;
}

function isQuoteOrEscape(code: number): boolean {
  return code === QUOTE || code === BACKSLASH;
}

function decodeMlBasic(token: Token, report: ErrorReceiver): string {
  const content = unquote(token, '"""', report);
  const { body, from } = content;
  let result = '';
  let i = 0;
  while (i < body.length) {
    const code = body.charCodeAt(i);
    if (code === BACKSLASH) {
      const next = body.charCodeAt(i + 1);
      if (next === SPACE || next === TAB || next === LINE_FEED || next === CARRIAGE_RETURN) {
        i = skipEscapedNewline(content, i + 1, report);
      } else {
        const escape = decodeEscape(content, i + 1, report);
        result += escape.text;
        i = escape.next;
      }
    } else if (code === CARRIAGE_RETURN) {
      if (body.charCodeAt(i + 1) === LINE_FEED) {
        result += '\r\n';
        i += 2;
      } else {
        report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
        i += 1;
      }
    } else if (isVisible(code) || code === LINE_FEED) {
      const begin = i;
      while (i < body.length && isMultilineCharacter(body.charCodeAt(i))) i += 1;
      result += body.slice(begin, i);
    } else {
      const begin = i;
      while (i < body.length && !isVisible(body.charCodeAt(i)) && !isLineBreak(body.charCodeAt(i))) i += 1;
      report('invalid multi-line basic string, expected `\\`, characters', from + begin, from + i);
    }
  }
  return result;
}

function isMultilineCharacter(code: number): boolean {
  return (isVisible(code) && code !== BACKSLASH) || code === LINE_FEED;
}

function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

/**
 * Returns the offset in the content of the next significant character after a backslash at the end of a line. `index`
 * is the offset after the backslash.
 */
function skipEscapedNewline({ body, from }: Content, index: number, report: ErrorReceiver): number {
  let i = index;
  while (body.charCodeAt(i) === SPACE || body.charCodeAt(i) === TAB) i += 1;
  if (body.charCodeAt(i) === LINE_FEED) i += 1;
  else if (body.charCodeAt(i) === CARRIAGE_RETURN) {
    i += 1;
    if (body.charCodeAt(i) === LINE_FEED) i += 1;
    else report(NEEDS_NEWLINE, from + i, from + i);
  } else {
    report('invalid multi-line basic string, expected newline', from + i, from + i);
  }
  for (;;) {
    const code = body.charCodeAt(i);
    if (code === CARRIAGE_RETURN && body.charCodeAt(i + 1) !== LINE_FEED)
      report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
    if (code !== SPACE && code !== TAB && !isLineBreak(code)) return i;
    i += 1;
  }
}

/**
 * Decodes an escape sequence. `index` is the offset in the content after the backslash, `next` the one after the
 * sequence.
 */
function decodeEscape(
  { body, from }: Content,
  index: number,
  report: ErrorReceiver,
): { text: string; next: number } {
  const id = body.charAt(index);
  const simple = ESCAPES[id];
  if (simple !== undefined) return { text: simple, next: index + 1 };
  const digits = HEX_DIGITS[id];
  if (digits === undefined) {
    report(`missing escaped value${EXPECTED_ESCAPES}`, from + index, from + index);
    return { text: '', next: index };
  }
  const [hex] = present(/^[0-9A-Fa-f]*/.exec(body.slice(index + 1, index + 1 + digits)), 'a match');
  const next = index + 1 + hex.length;
  if (hex.length !== digits) {
    report('too few unicode value digits, expected unicode hexadecimal value', from + next, from + next);
    return { text: '', next };
  }
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    report('invalid value, expected unicode hexadecimal value', from + index + 1, from + index + 1);
    return { text: '', next };
  }
  return { text: String.fromCodePoint(code), next };
}
