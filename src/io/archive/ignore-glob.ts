import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { toByteString } from '../../core/files/byte-path.ts';

type Token =
  | { readonly kind: 'literal'; readonly char: string }
  /** `?` and `*`, which stay within a component, and the meanings of `**`. */
  | { readonly kind: 'any' | 'sequence' | 'leading' | 'trailing' | 'between' | 'everything' }
  | {
      readonly kind: 'class';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'choice'; readonly branches: readonly (readonly Token[])[] };

/**
 * Parses a glob as in gitignore, for byte strings. `?` and a class match one byte; `?` and `*` never match a slash.
 * `**` between slashes or at an end matches any number of folders. `{a,b}` matches one alternative, and a backslash
 * escapes the next character. A `[` without `]` is an ordinary character. Throws `manifest` in cargo's words.
 */
export function parseIgnoreGlob(glob: string): IgnoreGlob {
  const tokens = new GlobParser(glob).parse();
  const [first] = tokens;
  return new IgnoreGlob(tokens.length === 1 && first?.kind === 'leading' ? [{ kind: 'everything' }] : tokens);
}

/** A state of the matcher: the state after a byte, and the states that are active together with it. */
interface State {
  /** By byte: 1 if it leads to `target`. */
  readonly bytes: Uint8Array;
  readonly target: number;
  readonly also: readonly number[];
}

/** All states that are active after some bytes, and a lazily filled table of the next ones by byte. */
interface Moment {
  readonly states: ReadonlySet<number>;
  readonly after: Moment[];
}

const MATCH = 0;
/** Limit on cached moments. Globs have few, unless they are malicious. */
const MAX_MOMENTS = 1000;
const NO_BYTE = new Uint8Array(256);
const EVERY_BYTE = new Uint8Array(256).fill(1);
const SLASH = bytesWhere((byte) => byte === '/');
const NO_SLASH = bytesWhere((byte) => byte !== '/');

/**
 * A glob that matches in time proportional to its length times the path's. Both come from other people's packages, and
 * a regular expression could try every way to divide a path between its stars.
 */
export class IgnoreGlob {
  readonly #states: State[] = [{ bytes: NO_BYTE, target: MATCH, also: [] }];
  readonly #start: number;
  readonly #moments = new Map<string, Moment>();
  #first: Moment | null = null;

  constructor(tokens: readonly Token[]) {
    this.#start = this.#compileAll(tokens, MATCH);
  }

  /** Returns true if all of `path`, a byte string, matches. */
  test(path: string): boolean {
    let current = (this.#first ??= this.#moment([this.#start]));
    for (let at = 0; at < path.length; at++) {
      if (current.states.size === 0) return false;
      const byte = path.charCodeAt(at);
      current = current.after[byte] ?? this.#advance(current, byte);
    }
    return current.states.has(MATCH);
  }

  #advance(current: Moment, byte: number): Moment {
    const next: number[] = [];
    for (const at of current.states) {
      const { bytes, target } = this.#state(at);
      if (bytes[byte] === 1) next.push(target);
    }
    const moment = this.#moment(next);
    current.after[byte] = moment;
    return moment;
  }

  /** Returns the moment for these states and all that are active together with them. */
  #moment(states: readonly number[]): Moment {
    const all = new Set(states);
    // Iterating over a set includes items that are added meanwhile.
    for (const at of all) for (const other of this.#state(at).also) all.add(other);
    const key = Array.from(all)
      .toSorted((one, other) => one - other)
      .join();
    const known = this.#moments.get(key);
    if (known !== undefined) return known;
    if (this.#moments.size >= MAX_MOMENTS) {
      this.#moments.clear();
      this.#first = null;
    }
    const moment: Moment = { states: all, after: [] };
    this.#moments.set(key, moment);
    return moment;
  }

  #state(at: number): State {
    const state = this.#states[at];
    if (state === undefined) throw new TypeError(`no state ${at}`);
    return state;
  }

  #add(bytes: Uint8Array, target: number, also: readonly number[] = []): number {
    return this.#states.push({ bytes, target, also }) - 1;
  }

  /** Adds a state that loops on `bytes`, and continues to `next` without a byte. */
  #loop(bytes: Uint8Array, next: number): number {
    return this.#add(bytes, this.#states.length, [next]);
  }

  #compileAll(tokens: readonly Token[], next: number): number {
    return tokens.reduceRight((after, token) => this.#compile(token, after), next);
  }

  /** Compiles a token that `next` follows, and returns its first state. */
  #compile(token: Token, next: number): number {
    switch (token.kind) {
      case 'everything':
        return this.#loop(EVERY_BYTE, next);
      case 'literal':
        return Array.from(toByteString(token.char)).reduceRight(
          (after, byte) => this.#add(onlyByte(byte), after),
          next,
        );
      case 'any':
        return this.#add(NO_SLASH, next);
      case 'sequence':
        return this.#loop(NO_SLASH, next);
      case 'leading':
        return this.#folders(next);
      case 'trailing':
        return this.#add(SLASH, this.#loop(EVERY_BYTE, next));
      case 'between':
        return this.#add(SLASH, this.#folders(next));
      case 'class':
        return this.#add(bytesOf(token), next);
      case 'choice': {
        const branches = token.branches.filter((branch) => branch.length > 0);
        if (branches.length === 0) return next;
        return this.#add(
          NO_BYTE,
          MATCH,
          branches.map((branch) => this.#compileAll(branch, next)),
        );
      }
    }
  }

  /** Adds states that match nothing, or anything that ends in a slash. */
  #folders(next: number): number {
    return this.#add(NO_BYTE, MATCH, [next, this.#loop(EVERY_BYTE, this.#add(SLASH, next))]);
  }
}

function bytesWhere(accepts: (byte: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (accepts(String.fromCharCode(byte)) ? 1 : 0));
}

const SINGLE = new Map<string, Uint8Array>();

function onlyByte(byte: string): Uint8Array {
  const known = SINGLE.get(byte) ?? bytesWhere((other) => other === byte);
  SINGLE.set(byte, known);
  return known;
}

/** Returns the bytes that a class matches. Each byte of a character counts separately. */
function bytesOf({ isNegated, ranges }: Extract<Token, { kind: 'class' }>): Uint8Array {
  const sources = ranges.map(([from, to]) =>
    from === to ? literalSource(from) : `${literalSource(from)}-${literalSource(to)}`,
  );
  const one = new RegExp(`^[${isNegated ? '^' : ''}${sources.join('')}]$`, 's');
  return bytesWhere((byte) => one.test(byte));
}

/** Returns the regular expression source of a character's UTF-8 bytes. */
function literalSource(char: string): string {
  return Array.from(
    toByteString(char),
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  ).join('');
}

class GlobParser {
  readonly #chars: readonly string[];
  #at = 0;
  /** The open branches. The last one grows; each open brace starts another one. */
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
    const tokens = this.#tokens;
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
    const tokens = this.#tokens;
    // Two `*` in a row mean the same as one.
    if (token.kind !== 'sequence' || tokens.at(-1)?.kind !== 'sequence') tokens.push(token);
  }

  /** The tokens of the innermost branch. */
  get #tokens(): Token[] {
    return present(this.#branches.at(-1), 'the branch');
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
  return present(char.codePointAt(0), 'a character');
}

function globError(message: string): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
