/** One component of a glob pattern, parsed like cargo's crate `glob` does. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

/** A part of a pattern. `any` matches one character, `sequence` any number of them. */
type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' | 'sequence' }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      /** First and last characters, both included. */
      readonly ranges: readonly (readonly [string, string])[];
    };

/** One component of a pattern. */
export interface GlobComponent {
  /** As written. */
  readonly text: string;
  /** False if only the text itself matches. */
  readonly hasWildcards: boolean;
  /** True for `**`, which matches any number of folders. */
  readonly isRecursive: boolean;
  /** Returns true if a file name matches. */
  matches(name: string): boolean;
  /** True if the pattern begins with a literal dot. Only then it can match `.` or `..`. */
  readonly startsWithDot: boolean;
}

/**
 * Parses one component of a pattern, or checks a whole pattern: `?`, `*`, `[a-z]`, `[!a-z]`, `**`. A leading dot is not
 * special. Throws `workspace` with cargo's message and position (in characters).
 */
export function parseGlob(pattern: string): GlobComponent {
  const chars = Array.from(pattern);
  const tokens: Token[] = [];
  let isRecursive = false;
  let position = 0;
  for (let char = chars[position]; char !== undefined; char = chars[position]) {
    if (char === '?') {
      tokens.push({ kind: 'any' });
      position += 1;
    } else if (char === '*') {
      const start = position;
      while (chars[position] === '*') position += 1;
      if (checkStars(chars, start, position)) isRecursive = true;
      tokens.push({ kind: 'sequence' });
    } else if (char === '[') {
      const negated = chars[position + 1] === '!';
      const first = position + (negated ? 2 : 1);
      // The first character of a class may be `]` itself.
      const end = chars.indexOf(']', first + 1);
      if (end === -1) throw syntaxError(position, 'invalid range pattern');
      tokens.push({ kind: 'class', negated, ranges: parseRanges(chars.slice(first, end)) });
      position = end + 1;
    } else {
      tokens.push({ kind: 'char', char });
      position += 1;
    }
  }
  const [first] = tokens;
  return {
    text: pattern,
    hasWildcards: tokens.some((token) => token.kind !== 'char'),
    isRecursive,
    matches: (name) => matchesTokens(tokens, Array.from(name)),
    startsWithDot: first?.kind === 'char' && first.char === '.',
  };
}

/** Checks the stars from `start` to `end`. Returns true for `**`. Throws `workspace` if they are misplaced. */
function checkStars(chars: readonly string[], start: number, end: number): boolean {
  const count = end - start;
  if (count > 2) throw syntaxError(start + 2, 'wildcards are either regular `*` or recursive `**`');
  if (count === 1) return false;
  const misplaced = 'recursive wildcards must form a single path component';
  if (start > 0 && chars[start - 1] !== '/') throw syntaxError(start - 1, misplaced);
  if (end < chars.length && chars[end] !== '/') throw syntaxError(end, misplaced);
  return true;
}

/** Returns the first and last characters of the ranges in a class: `a-z0` has `a` to `z`, and `0` to `0`. */
function parseRanges(chars: readonly string[]): [string, string][] {
  const ranges: [string, string][] = [];
  let position = 0;
  for (let from = chars[position]; from !== undefined; from = chars[position]) {
    const to = chars[position + 1] === '-' ? chars[position + 2] : undefined;
    ranges.push([from, to ?? from]);
    position += to === undefined ? 1 : 3;
  }
  return ranges;
}

/** Matches greedily. After a mismatch, the last `*` matches one more character. */
function matchesTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let tokenIndex = 0;
  let charIndex = 0;
  /** The last `*`, and the first character after those that it matches; null before the first `*`. */
  let star: { readonly tokenIndex: number; readonly charIndex: number } | null = null;
  for (let char = chars[charIndex]; char !== undefined; char = chars[charIndex]) {
    const token = tokens[tokenIndex];
    if (token?.kind === 'sequence') {
      star = { tokenIndex, charIndex };
      tokenIndex += 1;
    } else if (token !== undefined && matchesChar(token, char)) {
      tokenIndex += 1;
      charIndex += 1;
    } else if (star !== null) {
      star = { tokenIndex: star.tokenIndex, charIndex: star.charIndex + 1 };
      tokenIndex = star.tokenIndex + 1;
      charIndex = star.charIndex;
    } else {
      return false;
    }
  }
  while (tokens[tokenIndex]?.kind === 'sequence') tokenIndex += 1;
  return tokenIndex === tokens.length;
}

/** Returns true if one token, except a `sequence`, matches a character. */
function matchesChar(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'char':
      return token.char === char;
    case 'class': {
      const code = codeOf(char);
      return token.ranges.some(([from, to]) => code >= codeOf(from) && code <= codeOf(to)) !== token.negated;
    }
    default:
      return true;
  }
}

function codeOf(char: string): number {
  return present(char.codePointAt(0), 'a character');
}

function syntaxError(position: number, message: string): TsregError {
  return new TsregError(`Pattern syntax error near position ${position}: ${message}`, { code: 'workspace' });
}
