/** Checks `license`, an SPDX expression. Cargo Book: The Manifest Format, The license and license-file fields. */
import { EXCEPTION_IDS, LICENSE_IDS } from './license-ids.ts';

const TOKEN = /\s*(?:(?<paren>[()])|(?<slash>\/)|(?<word>[A-Za-z0-9.:+-]+))/y;
const NAME = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?[A-Za-z0-9][A-Za-z0-9.-]*\+?$/;
const MAX_DEPTH = 50;

/** Options for checking an expression. */
export interface LicenseOptions {
  /** True if every name must be on the SPDX list. Otherwise names only need the right form. */
  readonly onlyKnown: boolean;
}

/** Returns the problem of an expression; null if it is valid. `/` may replace `OR`, as in old packages. */
export function licenseProblem(expression: string, options: LicenseOptions): string | null {
  const tokens = tokenize(expression);
  if (tokens === null) return 'it has characters that are not allowed in an SPDX expression';
  return new Reader(tokens, options).problem();
}

function tokenize(expression: string): readonly string[] | null {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    tokens.push(match.groups?.['slash'] === undefined ? match[0].trim() : 'OR');
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #options: LicenseOptions;
  #at = 0;

  constructor(tokens: readonly string[], options: LicenseOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  problem(): string | null {
    const problem = this.#either(0);
    if (problem !== null) return problem;
    return this.#at < this.#tokens.length ? `\`${this.#tokens[this.#at]}\` is not expected there` : null;
  }

  /** Checks licences that are joined by `OR` and `AND`, whose precedence does not matter here. */
  #either(depth: number): string | null {
    if (depth > MAX_DEPTH) return 'it has too many parentheses';
    for (;;) {
      const problem = this.#single(depth);
      if (problem !== null) return problem;
      const next = this.#tokens[this.#at];
      if (next !== 'OR' && next !== 'AND') return null;
      this.#at += 1;
    }
  }

  #single(depth: number): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined) return 'it ends where a licence is expected';
    this.#at += 1;
    if (token === '(') {
      const problem = this.#either(depth + 1);
      if (problem !== null) return problem;
      if (this.#tokens[this.#at] !== ')') return 'a parenthesis is not closed';
      this.#at += 1;
      return null;
    }
    if (!isName(token) || !this.#isKnown(token)) return `\`${token}\` is not a licence`;
    return this.#tokens[this.#at] === 'WITH' ? this.#exception() : null;
  }

  #exception(): string | null {
    const exception = this.#tokens[this.#at + 1];
    if (exception === undefined) return 'it ends where an exception is expected';
    this.#at += 2;
    const isKnown = this.#options.onlyKnown ? EXCEPTION_IDS.has(exception) : isName(exception);
    return isKnown ? null : `\`${exception}\` is not an exception`;
  }

  #isKnown(name: string): boolean {
    return !this.#options.onlyKnown || LICENSE_IDS.has(name) || LICENSE_IDS.has(name.replace(/\+$/, ''));
  }
}

function isName(token: string): boolean {
  return NAME.test(token) && !['AND', 'OR', 'WITH'].includes(token);
}
