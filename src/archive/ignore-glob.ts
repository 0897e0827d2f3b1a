import { TsregError } from '../errors/error.ts';
import { toByteString } from '../files/byte-path.ts';

type Token =
  | { readonly kind: 'literal'; readonly char: string }
  /** `?` and `*`, which stay within a component, and the three meanings of `**`. */
  | { readonly kind: 'any' | 'sequence' | 'leading' | 'trailing' | 'between' }
  | {
      readonly kind: 'class';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'choice'; readonly branches: readonly (readonly Token[])[] };

/**
 * A glob of gitignore's kind as a regular expression for byte strings: `?` and a class stand for one byte, `*` and
 * `?` never for a slash, `**` between slashes or at an end for any number of folders, `{a,b}` for one of several,
 * and a backslash takes the meaning from what follows it. A `[` without its `]` is an ordinary character. Throws in
 * cargo's words.
 */
export function parseIgnoreGlob(glob: string): RegExp {
  const tokens = new GlobParser(glob).parse();
  const [first] = tokens;
  if (tokens.length === 1 && first?.kind === 'leading') return /^/;
  return new RegExp(`^${tokens.map(tokenSource).join('')}$`, 's');
}

function tokenSource(token: Token): string {
  switch (token.kind) {
    case 'literal':
      return literalSource(token.char);
    case 'any':
      return '[^/]';
    case 'sequence':
      return '[^/]*';
    case 'leading':
      return '(?:/?|.*/)';
    case 'trailing':
      return '/.*';
    case 'between':
      return '(?:/|/.*/)';
    case 'class': {
      const ranges = token.ranges.map(([from, to]) =>
        from === to ? literalSource(from) : `${literalSource(from)}-${literalSource(to)}`,
      );
      return `[${token.isNegated ? '^' : ''}${ranges.join('')}]`;
    }
    case 'choice': {
      const sources = token.branches.map((branch) => branch.map(tokenSource).join(''));
      const filled = sources.filter((source) => source !== '');
      return filled.length === 0 ? '' : `(?:${filled.join('|')})`;
    }
  }
}

/** A character by its bytes; in a class each of them stands for itself. */
function literalSource(char: string): string {
  return Array.from(
    toByteString(char),
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  ).join('');
}

class GlobParser {
  readonly #chars: readonly string[];
  #at = 0;
  /** The branches that are open: the last one grows, and each open brace has a first one of its own. */
  readonly #branches: Token[][] = [[]];
  readonly #braces: number[] = [];
  #hasOpenClass = false;

  constructor(glob: string) {
    this.#chars = Array.from(glob);
  }

  parse(): readonly Token[] {
    for (let char = this.#next(); char !== null; char = this.#next()) this.#take(char);
    const [tokens, ...open] = this.#branches;
    if (tokens === undefined || open.length > 0)
      throw globError("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    return tokens;
  }

  #take(char: string): void {
    if (char === '?') this.#push({ kind: 'any' });
    else if (char === '*') this.#takeStar();
    else if (char === '[' && !this.#hasOpenClass) this.#takeClass();
    else if (char === '{') {
      this.#braces.push(this.#branches.length);
      this.#branches.push([]);
    } else if (char === '}') this.#closeBrace();
    else if (char === ',' && this.#braces.length > 0) this.#branches.push([]);
    else if (char === '\\') {
      const escaped = this.#next();
      if (escaped === null) throw globError("dangling '\\'");
      this.#push({ kind: 'literal', char: escaped });
    } else this.#push({ kind: 'literal', char });
  }

  #closeBrace(): void {
    const start = this.#braces.pop();
    if (start === undefined)
      throw globError("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
    this.#push({ kind: 'choice', branches: this.#branches.splice(start) });
  }

  #takeStar(): void {
    const before = this.#chars[this.#at - 2];
    if (this.#peek() !== '*') {
      this.#push({ kind: 'sequence' });
      return;
    }
    this.#at++;
    const after = this.#peek();
    const tokens = this.#branches.at(-1) ?? [];
    if (tokens.length === 0) {
      if (after !== null && after !== '/') this.#push({ kind: 'sequence' });
      else {
        this.#push({ kind: 'leading' });
        this.#at++;
      }
      return;
    }
    const opensBranch = this.#branches.length > 1 && (before === ',' || before === '{');
    const endsBranch = this.#branches.length > 1 && (after === ',' || after === '}');
    if ((before !== '/' && !opensBranch) || (after !== null && after !== '/' && !endsBranch)) {
      this.#push({ kind: 'sequence' });
      return;
    }
    if (after === '/') this.#at++;
    const last = tokens.pop();
    const isKept = last?.kind === 'leading' || last?.kind === 'trailing';
    this.#push(isKept ? last : { kind: after === '/' ? 'between' : 'trailing' });
  }

  #takeClass(): void {
    const start = this.#at;
    const isNegated = this.#peek() === '!' || this.#peek() === '^';
    if (isNegated) this.#at++;
    const ranges: [string, string][] = [];
    let isInRange = false;
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#next();
      if (char === null) {
        this.#at = start;
        this.#hasOpenClass = true;
        this.#push({ kind: 'literal', char: '[' });
        return;
      }
      if (char === ']' && !isFirst) break;
      const range = ranges.at(-1);
      if (isInRange && range !== undefined) {
        range[1] = char;
        if (codePoint(char) < codePoint(range[0]))
          throw globError(`invalid range; '${range[0]}' > '${char}'`);
        isInRange = false;
      } else if (char === '-' && !isFirst) {
        isInRange = true;
      } else {
        ranges.push([char, char]);
      }
    }
    if (isInRange) ranges.push(['-', '-']);
    this.#push({ kind: 'class', isNegated, ranges });
  }

  #push(token: Token): void {
    const tokens = this.#branches.at(-1);
    // Two stars in a row say no more than one, and cost a regular expression far more.
    if (token.kind !== 'sequence' || tokens?.at(-1)?.kind !== 'sequence') tokens?.push(token);
  }

  #peek(): string | null {
    return this.#chars[this.#at] ?? null;
  }

  #next(): string | null {
    const char = this.#peek();
    this.#at++;
    return char;
  }
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function globError(message: string): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
