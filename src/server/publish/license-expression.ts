/** Checks `license`, an SPDX expression. Cargo Book: The Manifest Format, The license and license-file fields. */
import { EXCEPTION_IDS, LICENSE_IDS } from './license-ids.ts';

/** A token of an SPDX expression. `/` is not SPDX, but old packages have it. */
const TOKEN = /\s*(?:(?<paren>[()])|(?<slash>\/)|(?<word>[A-Za-z0-9.:+-]+))/y;
/** `idstring` in the SPDX specification, annex D, with an optional `DocumentRef` and `+`. */
const NAME = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?[A-Za-z0-9][A-Za-z0-9.-]*\+?$/;
/** Maximum depth of parentheses, so that the stack suffices. */
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
  return new LicenseReader(tokens, options).problem();
}

function tokenize(expression: string): readonly string[] | null {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  for (let start = 0; start < text.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    tokens.push(match.groups?.['slash'] === undefined ? match[0].trim() : 'OR');
  }
  return tokens;
}

/** A parser that checks an expression from its first token to its last. Each method reads the next tokens. */
class LicenseReader {
  readonly #tokens: readonly string[];
  readonly #options: LicenseOptions;
  #position = 0;

  constructor(tokens: readonly string[], options: LicenseOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  /** Returns the problem of the whole expression; null if it is valid. */
  problem(): string | null {
    const problem = this.#readExpression(0);
    if (problem !== null) return problem;
    return this.#position < this.#tokens.length
      ? `\`${this.#tokens[this.#position]}\` is not expected there`
      : null;
  }

  /** Reads licences that are joined by `OR` and `AND`, whose precedence does not matter here. Returns a problem or null. */
  #readExpression(depth: number): string | null {
    if (depth > MAX_DEPTH) return 'it has too many parentheses';
    for (;;) {
      const problem = this.#readLicense(depth);
      if (problem !== null) return problem;
      const next = this.#tokens[this.#position];
      if (next !== 'OR' && next !== 'AND') return null;
      this.#position += 1;
    }
  }

  /** Reads one licence, or an expression in parentheses. */
  #readLicense(depth: number): string | null {
    const token = this.#tokens[this.#position];
    if (token === undefined) return 'it ends where a licence is expected';
    this.#position += 1;
    if (token === '(') {
      const problem = this.#readExpression(depth + 1);
      if (problem !== null) return problem;
      if (this.#tokens[this.#position] !== ')') return 'a parenthesis is not closed';
      this.#position += 1;
      return null;
    }
    if (!isName(token) || !this.#isKnown(token)) return `\`${token}\` is not a licence`;
    return this.#tokens[this.#position] === 'WITH' ? this.#readException() : null;
  }

  /** Reads `WITH` and an exception. */
  #readException(): string | null {
    const exception = this.#tokens[this.#position + 1];
    if (exception === undefined) return 'it ends where an exception is expected';
    this.#position += 2;
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
