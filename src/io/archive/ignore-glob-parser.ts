/** Parses gitignore's globs. They also have `{a,b}`, as in the library that cargo uses (the crate `globset`). */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

/** A part of a glob. */
export type GlobToken =
  | { readonly kind: 'literal'; readonly char: string }
  // `?` and `*`, which stay within a component, and the meanings of `**`: `leading` in `**/a`, `trailing` in `a/**` and
  // `between` in `a/**/b` include the slashes. `everything` is `**` alone.
  | { readonly kind: 'any' | 'sequence' | 'leading' | 'trailing' | 'between' | 'everything' }
  | {
      readonly kind: 'class';
      readonly isNegated: boolean;
      /** First and last characters, both included. */
      readonly ranges: readonly (readonly [string, string])[];
    }
  /** `{a,b}`. */
  | { readonly kind: 'choice'; readonly branches: readonly (readonly GlobToken[])[] };

/** Parses a glob into its parts. Throws `manifest` in cargo's words. */
export function parseGlob(glob: string): readonly GlobToken[] {
  return new GlobParser(glob).parse();
}

/** A parser of one glob, from left to right. */
class GlobParser {
  readonly #chars: readonly string[];
  /** Index of the next character. */
  #position = 0;
  /** The open branches. The last one grows; each open brace starts another one. */
  readonly #branches: GlobToken[][] = [[]];
  /** For each open brace, the number of branches outside it. */
  readonly #braces: number[] = [];
  /** True after a `[` without a `]`: any other `[` is then an ordinary character too. */
  #hasOpenClass = false;

  constructor(glob: string) {
    this.#chars = Array.from(glob);
  }

  /** Parses the whole glob. Call it once. */
  parse(): readonly GlobToken[] {
    for (let char = this.#next(); char !== null; char = this.#next()) this.#take(char);
    const [tokens, ...unclosed] = this.#branches;
    if (tokens === undefined || unclosed.length > 0)
      throw globError("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    return tokens;
  }

  /** Adds the token that `char` starts. */
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

  /** Ends the innermost open brace, whose branches become one token. */
  #closeBrace(): void {
    const start = this.#braces.pop();
    if (start === undefined)
      throw globError("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
    this.#push({ kind: 'choice', branches: this.#branches.splice(start) });
  }

  /** Takes `*` or `**`. The meaning of `**` depends on the characters around it. */
  #takeStar(): void {
    // The character before the `*` that was just taken.
    const before = this.#chars[this.#position - 2];
    if (this.#peek() !== '*') {
      this.#push({ kind: 'sequence' });
      return;
    }
    this.#position++;
    const after = this.#peek();
    const tokens = this.#tokens;
    if (tokens.length === 0) {
      if (after !== null && after !== '/') this.#push({ kind: 'sequence' });
      else {
        this.#push({ kind: 'leading' });
        // The slash belongs to it. At the end of the glob, this has no effect.
        this.#position++;
      }
      return;
    }
    const opensBranch = this.#branches.length > 1 && (before === ',' || before === '{');
    const endsBranch = this.#branches.length > 1 && (after === ',' || after === '}');
    const isWholeName = (before === '/' || opensBranch) && (after === null || after === '/' || endsBranch);
    if (!isWholeName) {
      this.#push({ kind: 'sequence' });
      return;
    }
    if (after === '/') this.#position++;
    // It replaces the slash before it, but another `**` there has the same meaning.
    const last = tokens.pop();
    const isSameMeaning = last?.kind === 'leading' || last?.kind === 'trailing';
    this.#push(isSameMeaning ? last : { kind: after === '/' ? 'between' : 'trailing' });
  }

  /**
   * Takes a class such as `[a-z]` or `[!0-9]`. Its first character may be `]` or `-`. Without a closing bracket, takes
   * only the `[`, as a literal.
   */
  #takeClass(): void {
    const start = this.#position;
    const isNegated = this.#peek() === '!' || this.#peek() === '^';
    if (isNegated) this.#position++;
    const ranges: [string, string][] = [];
    /** True after a `-` that may continue the last range. */
    let isInRange = false;
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#next();
      if (char === null) {
        this.#position = start;
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

  #push(token: GlobToken): void {
    const tokens = this.#tokens;
    // Two `*` in a row mean the same as one.
    if (token.kind !== 'sequence' || tokens.at(-1)?.kind !== 'sequence') tokens.push(token);
  }

  /** The tokens of the innermost branch. */
  get #tokens(): GlobToken[] {
    return present(this.#branches.at(-1), 'the branch');
  }

  /** Returns the next character; null at the end. */
  #peek(): string | null {
    return this.#chars[this.#position] ?? null;
  }

  /** Takes the next character; null at the end. */
  #next(): string | null {
    const char = this.#peek();
    this.#position++;
    return char;
  }
}

function codePoint(char: string): number {
  return present(char.codePointAt(0), 'a character');
}

function globError(message: string): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
