import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' | 'sequence' }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
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
  let i = 0;
  for (let char = chars[i]; char !== undefined; char = chars[i]) {
    if (char === '?') {
      tokens.push({ kind: 'any' });
      i++;
    } else if (char === '*') {
      const start = i;
      while (chars[i] === '*') i++;
      const count = i - start;
      if (count > 2) throw syntaxError(start + 2, 'wildcards are either regular `*` or recursive `**`');
      if (count === 2) {
        const misplaced = 'recursive wildcards must form a single path component';
        if (start > 0 && chars[start - 1] !== '/') throw syntaxError(start - 1, misplaced);
        if (i < chars.length && chars[i] !== '/') throw syntaxError(i, misplaced);
        isRecursive = true;
      }
      tokens.push({ kind: 'sequence' });
    } else if (char === '[') {
      const negated = chars[i + 1] === '!';
      const first = i + (negated ? 2 : 1);
      // The first character of a class may be `]` itself.
      const end = chars.indexOf(']', first + 1);
      if (end === -1) throw syntaxError(i, 'invalid range pattern');
      tokens.push({ kind: 'class', negated, ranges: parseRanges(chars.slice(first, end)) });
      i = end + 1;
    } else {
      tokens.push({ kind: 'char', char });
      i++;
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

function parseRanges(chars: readonly string[]): [string, string][] {
  const ranges: [string, string][] = [];
  let i = 0;
  for (let from = chars[i]; from !== undefined; from = chars[i]) {
    const to = chars[i + 1] === '-' ? chars[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    i += to === undefined ? 1 : 3;
  }
  return ranges;
}

/** Matches greedily and returns to the last `*` after a mismatch. */
function matchesTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let t = 0;
  let c = 0;
  let starToken = -1;
  let starChar = 0;
  for (let char = chars[c]; char !== undefined; char = chars[c]) {
    const token = tokens[t];
    if (token?.kind === 'sequence') {
      starToken = t++;
      starChar = c;
    } else if (token !== undefined && matchesChar(token, char)) {
      t++;
      c++;
    } else if (starToken >= 0) {
      t = starToken + 1;
      c = ++starChar;
    } else {
      return false;
    }
  }
  while (tokens[t]?.kind === 'sequence') t++;
  return t === tokens.length;
}

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
