/** Matches paths with gitignore's globs. */
import { present } from '../../core/errors/assert.ts';
import { toByteString } from '../../core/files/byte-path.ts';
import { type GlobToken, parseGlob } from './ignore-glob-parser.ts';

/**
 * Parses a glob as in gitignore, for byte strings. `?` and a class match one byte; `?` and `*` never match a slash.
 * `**` between slashes or at an end matches any number of folders. `{a,b}` matches one alternative, and a backslash
 * escapes the next character. A `[` without `]` is an ordinary character. Throws `manifest` in cargo's words.
 */
export function parseIgnoreGlob(glob: string): IgnoreGlob {
  const tokens = parseGlob(glob);
  const [first] = tokens;
  return new IgnoreGlob(tokens.length === 1 && first?.kind === 'leading' ? [{ kind: 'everything' }] : tokens);
}

/**
 * A state of the automaton: it leads to `target` on some bytes. While it is active, so are the states in `alsoActive`.
 */
interface State {
  /** By byte: 1 if it leads to `target`. */
  readonly bytes: Uint8Array;
  readonly target: number;
  readonly alsoActive: readonly number[];
}

/** All states that are active after some bytes, and a lazily filled table of the next such sets by byte. */
interface ActiveStates {
  readonly states: ReadonlySet<number>;
  readonly after: ActiveStates[];
}

/** The state that means that the whole glob matches. */
const MATCH = 0;
/** Limit on cached sets of states. Globs have few, unless they are malicious. */
const MAX_SETS = 1000;
const NO_BYTE = new Uint8Array(256);
const EVERY_BYTE = new Uint8Array(256).fill(1);
const SLASH = bytesWhere((byte) => byte === '/');
const NO_SLASH = bytesWhere((byte) => byte !== '/');

/**
 * A glob that matches in time proportional to its length times the path's. Both come from other people's packages, and
 * a regular expression could try every way to divide a path between its stars. So this is a nondeterministic automaton,
 * whose deterministic form is built while it runs.
 */
export class IgnoreGlob {
  readonly #states: State[] = [{ bytes: NO_BYTE, target: MATCH, alsoActive: [] }];
  readonly #start: number;
  /** By the sorted numbers of their states. */
  readonly #sets = new Map<string, ActiveStates>();
  /** The set at the start of a path; null if it is not in `#sets`. */
  #first: ActiveStates | null = null;

  constructor(tokens: readonly GlobToken[]) {
    this.#start = this.#compileAll(tokens, MATCH);
  }

  /** Returns true if all of `path`, a byte string, matches. */
  test(path: string): boolean {
    this.#first ??= this.#activate([this.#start]);
    let current = this.#first;
    for (let i = 0; i < path.length; i++) {
      if (current.states.size === 0) return false;
      const byte = path.charCodeAt(i);
      current = current.after[byte] ?? this.#advance(current, byte);
    }
    return current.states.has(MATCH);
  }

  /** Returns the states after one more byte, and adds them to the table. */
  #advance(current: ActiveStates, byte: number): ActiveStates {
    const next: number[] = [];
    for (const number of current.states) {
      const { bytes, target } = this.#state(number);
      if (bytes[byte] === 1) next.push(target);
    }
    const set = this.#activate(next);
    current.after[byte] = set;
    return set;
  }

  /** Returns the set of these states and all that are active together with them. */
  #activate(states: readonly number[]): ActiveStates {
    const active = new Set(states);
    // Iterating over a set includes items that are added meanwhile.
    for (const number of active) for (const other of this.#state(number).alsoActive) active.add(other);
    const key = Array.from(active)
      .toSorted((a, b) => a - b)
      .join();
    const cached = this.#sets.get(key);
    if (cached !== undefined) return cached;
    if (this.#sets.size >= MAX_SETS) {
      this.#sets.clear();
      this.#first = null;
    }
    const set: ActiveStates = { states: active, after: [] };
    this.#sets.set(key, set);
    return set;
  }

  #state(number: number): State {
    return present(this.#states[number], 'the state');
  }

  /** Adds a state, and returns its number. */
  #add(bytes: Uint8Array, target: number, alsoActive: readonly number[] = []): number {
    return this.#states.push({ bytes, target, alsoActive }) - 1;
  }

  /** Adds a state that loops on `bytes`, and continues to `next` without a byte. */
  #loop(bytes: Uint8Array, next: number): number {
    // The number that `#add` gives to the new state.
    const itself = this.#states.length;
    return this.#add(bytes, itself, [next]);
  }

  /** Compiles tokens that `next` follows, from the last to the first, and returns the first state. */
  #compileAll(tokens: readonly GlobToken[], next: number): number {
    return tokens.reduceRight((after, token) => this.#compile(token, after), next);
  }

  /** Compiles a token that `next` follows, and returns its first state. */
  #compile(token: GlobToken, next: number): number {
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
        // As in globset, an empty alternative does not count.
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

/** Returns a table with 1 for each byte that `accepts`. */
function bytesWhere(accepts: (byte: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (accepts(String.fromCharCode(byte)) ? 1 : 0));
}

/** The tables of `onlyByte`, which all globs share. */
const SINGLE_BYTES = new Map<string, Uint8Array>();

/** Returns a table with 1 for one byte. */
function onlyByte(byte: string): Uint8Array {
  const table = SINGLE_BYTES.get(byte) ?? bytesWhere((other) => other === byte);
  SINGLE_BYTES.set(byte, table);
  return table;
}

/** Returns the bytes that a class matches. As in globset, each byte of a character counts separately. */
function bytesOf({ isNegated, ranges }: Extract<GlobToken, { kind: 'class' }>): Uint8Array {
  const sources = ranges.map(([from, to]) =>
    from === to ? literalSource(from) : `${literalSource(from)}-${literalSource(to)}`,
  );
  const classPattern = new RegExp(`^[${isNegated ? '^' : ''}${sources.join('')}]$`, 's');
  return bytesWhere((byte) => classPattern.test(byte));
}

/** Returns the regular expression source of a character's UTF-8 bytes. */
function literalSource(char: string): string {
  return Array.from(
    toByteString(char),
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  ).join('');
}
