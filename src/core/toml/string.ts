/** Decoding of key and string tokens. TOML: Keys, String. */
import { BASIC_STRING, LITERAL_STRING, ML_BASIC_STRING, ML_LITERAL_STRING } from './lexer.ts';
import type { TokenKind } from './lexer.ts';

/** Receives a content error: message and UTF-16 offsets. Decoding continues after it. */
export type Report = (message: string, start: number, end: number) => void;

/** A token between two offsets of a text. */
export interface Raw {
  readonly text: string;
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
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
export function decodeString(raw: Raw, report: Report): string {
  switch (raw.kind) {
    case LITERAL_STRING:
      return decodeLiteral(raw, report);
    case ML_LITERAL_STRING:
      return decodeMlLiteral(raw, report);
    case BASIC_STRING:
      return decodeBasic(raw, report);
    default:
      return decodeMlBasic(raw, report);
  }
}

/** Returns the name in a key token. */
export function decodeKey(raw: Raw, report: Report): string {
  const { text, kind, start, end } = raw;
  if (kind === BASIC_STRING || kind === LITERAL_STRING) return decodeString(raw, report);
  if (kind === ML_BASIC_STRING || kind === ML_LITERAL_STRING) {
    const what = kind === ML_BASIC_STRING ? 'basic' : 'literal';
    report(`keys cannot be multi-line ${what} strings, expected basic string, literal string`, start, end);
    return decodeString(raw, report);
  }
  if (start === end) {
    report('unquoted keys cannot be empty, expected letters, numbers, `-`, `_`', start, end);
  }
  for (let i = start; i < end; i += 1) {
    if (isBareKeyChar(text.charCodeAt(i))) continue;
    report('invalid unquoted key, expected letters, numbers, `-`, `_`', i, i);
    break;
  }
  return text.slice(start, end);
}

function isBareKeyChar(c: number): boolean {
  return (
    (c >= 0x61 && c <= 0x7a) ||
    (c >= 0x30 && c <= 0x39) ||
    c === 0x2d ||
    c === 0x5f ||
    (c >= 0x41 && c <= 0x5a)
  );
}

function isVisible(c: number): boolean {
  return c === 0x09 || (c >= 0x20 && c !== 0x7f);
}

/** Returns the text between the quotes and its offset. */
function unquote(raw: Raw, quote: string, report: Report): { body: string; from: number } {
  const { text, kind, start, end } = raw;
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

function decodeLiteral(raw: Raw, report: Report): string {
  const { body, from } = unquote(raw, "'", report);
  for (let i = 0; i < body.length; i += 1) {
    const c = body.charCodeAt(i);
    if (isVisible(c) && c !== 0x27) continue;
    report('invalid literal string, expected non-single-quote visible characters', from + i, from + i);
  }
  return body;
}

function decodeMlLiteral(raw: Raw, report: Report): string {
  const { body, from } = unquote(raw, "'''", report);
  for (let i = 0; i < body.length; i += 1) {
    const c = body.charCodeAt(i);
    if (c === 0x0d) {
      if (body.charCodeAt(i + 1) !== 0x0a) report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
    } else if (!isVisible(c) && c !== 0x0a) {
      report('invalid multi-line literal string, expected non-single-quote characters', from + i, from + i);
    }
  }
  return body;
}

function decodeBasic(raw: Raw, report: Report): string {
  const { body, from } = unquote(raw, '"', report);
  let result = '';
  let i = 0;
  while (i < body.length) {
    const c = body.charCodeAt(i);
    if (c === 0x5c) {
      const escape = decodeEscape(body, i + 1, from, report);
      result += escape.text;
      i = escape.next;
    } else if (isVisible(c) && c !== 0x22) {
      const begin = i;
      while (i < body.length && isVisible(body.charCodeAt(i)) && !isQuoteOrEscape(body.charCodeAt(i))) i += 1;
      result += body.slice(begin, i);
    } else {
      const begin = i;
      while (i < body.length && (!isVisible(body.charCodeAt(i)) || body.charCodeAt(i) === 0x22)) i += 1;
      report(
        'invalid basic string, expected non-double-quote visible characters, `\\`',
        from + begin,
        from + i,
      );
    }
  }
  return result;
}

function isQuoteOrEscape(c: number): boolean {
  return c === 0x22 || c === 0x5c;
}

function decodeMlBasic(raw: Raw, report: Report): string {
  const { body, from } = unquote(raw, '"""', report);
  let result = '';
  let i = 0;
  while (i < body.length) {
    const c = body.charCodeAt(i);
    if (c === 0x5c) {
      const next = body.charCodeAt(i + 1);
      if (next === 0x20 || next === 0x09 || next === 0x0a || next === 0x0d) {
        i = skipEscapedNewline(body, i + 1, from, report);
      } else {
        const escape = decodeEscape(body, i + 1, from, report);
        result += escape.text;
        i = escape.next;
      }
    } else if (c === 0x0d) {
      if (body.charCodeAt(i + 1) === 0x0a) {
        result += '\r\n';
        i += 2;
      } else {
        report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
        i += 1;
      }
    } else if (isVisible(c) || c === 0x0a) {
      const begin = i;
      while (i < body.length && isMlBasicChar(body.charCodeAt(i))) i += 1;
      result += body.slice(begin, i);
    } else {
      const begin = i;
      while (i < body.length && !isVisible(body.charCodeAt(i)) && !isLineBreak(body.charCodeAt(i))) i += 1;
      report('invalid multi-line basic string, expected `\\`, characters', from + begin, from + i);
    }
  }
  return result;
}

function isMlBasicChar(c: number): boolean {
  return (isVisible(c) && c !== 0x5c) || c === 0x0a;
}

function isLineBreak(c: number): boolean {
  return c === 0x0a || c === 0x0d;
}

/** Returns the offset of the next significant character after the backslash at the end of a line. */
function skipEscapedNewline(body: string, at: number, from: number, report: Report): number {
  let i = at;
  while (body.charCodeAt(i) === 0x20 || body.charCodeAt(i) === 0x09) i += 1;
  if (body.charCodeAt(i) === 0x0a) i += 1;
  else if (body.charCodeAt(i) === 0x0d) {
    i += 1;
    if (body.charCodeAt(i) === 0x0a) i += 1;
    else report(NEEDS_NEWLINE, from + i, from + i);
  } else {
    report('invalid multi-line basic string, expected newline', from + i, from + i);
  }
  for (;;) {
    const c = body.charCodeAt(i);
    if (c === 0x0d && body.charCodeAt(i + 1) !== 0x0a) report(NEEDS_NEWLINE, from + i + 1, from + i + 1);
    if (c !== 0x20 && c !== 0x09 && !isLineBreak(c)) return i;
    i += 1;
  }
}

/** Decodes an escape sequence. `at` is the offset after the backslash. */
function decodeEscape(
  body: string,
  at: number,
  from: number,
  report: Report,
): { text: string; next: number } {
  const id = body.charAt(at);
  const simple = ESCAPES[id];
  if (simple !== undefined) return { text: simple, next: at + 1 };
  const digits = HEX_DIGITS[id];
  if (digits === undefined) {
    report(`missing escaped value${EXPECTED_ESCAPES}`, from + at, from + at);
    return { text: '', next: at };
  }
  const hex = /^[0-9A-Fa-f]*/.exec(body.slice(at + 1, at + 1 + digits))?.[0] ?? '';
  const next = at + 1 + hex.length;
  if (hex.length !== digits) {
    report('too few unicode value digits, expected unicode hexadecimal value', from + next, from + next);
    return { text: '', next };
  }
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    report('invalid value, expected unicode hexadecimal value', from + at + 1, from + at + 1);
    return { text: '', next };
  }
  return { text: String.fromCodePoint(code), next };
}
