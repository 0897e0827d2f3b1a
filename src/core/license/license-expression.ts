/** Parses `license`, an SPDX expression. Cargo Book: The Manifest Format, The license and license-file fields. */
import { EXCEPTION_IDS, LICENSE_IDS } from './license-ids.ts';

/** White space and a token of an SPDX expression. `/` is not SPDX, but old packages have it. */
const TOKEN = /\s*(?:(?<paren>[()])|(?<slash>\/)|(?<word>[A-Za-z0-9.:+-]+))/y;
/** `idstring` in the SPDX specification, annex D, with an optional `DocumentRef` and `+`. */
const NAME = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?[A-Za-z0-9][A-Za-z0-9.-]*\+?$/;
/** A license that is not on the SPDX list, and that a document describes. `license-ref` in the same annex. */
const LICENSE_REF = /^(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+$/;
/** Maximum depth of parentheses, so that the stack suffices. */
const MAX_DEPTH = 50;

/** A parsed expression. Users of the package must meet all parts of `all`, and choose one of `any`. */
export type LicenseExpression =
  | LicenseName
  | { readonly kind: 'all' | 'any'; readonly parts: readonly LicenseExpression[] };

/** One license of an expression, as written. */
export interface LicenseName {
  readonly kind: 'license';
  /** With `+` if it is written. */
  readonly id: string;
  /** The exception after `WITH`; null for none. */
  readonly exception: string | null;
}

/** Options for checking an expression. */
export interface LicenseOptions {
  /**
   * True if every name must be on the SPDX list or be a `LicenseRef-…`, as for crates.io. Otherwise names only need the
   * right form.
   */
  readonly onlyKnown: boolean;
}

/** The problem of an expression that cannot be parsed: `message` says why. */
export class LicenseProblem extends Error {
  override readonly name = 'LicenseProblem';
}

/** Returns the message of the `LicenseProblem` that `parseLicense` throws; null if the expression is valid. */
export function licenseProblem(expression: string, options: LicenseOptions): string | null {
  try {
    parseLicense(expression, options);
    return null;
  } catch (error) {
    if (error instanceof LicenseProblem) return error.message;
    throw error;
  }
}

/** Parses an expression, in which `/` may replace `OR`, as in old packages. Throws `LicenseProblem`. */
export function parseLicense(expression: string, options: LicenseOptions): LicenseExpression {
  return new LicenseReader(tokenize(expression), options).read();
}

/** Returns the tokens of an expression, with `OR` for `/`. Throws `LicenseProblem`. */
function tokenize(expression: string): readonly string[] {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  for (let start = 0; start < text.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new LicenseProblem('it has characters that are not allowed in an SPDX expression');
    tokens.push(match.groups?.['slash'] === undefined ? match[0].trim() : 'OR');
  }
  return tokens;
}

/** A parser that reads an expression from its first token to its last. Each method reads the next tokens. */
class LicenseReader {
  readonly #tokens: readonly string[];
  readonly #options: LicenseOptions;
  #position = 0;

  constructor(tokens: readonly string[], options: LicenseOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  /** Returns the whole expression. Throws `LicenseProblem`. */
  read(): LicenseExpression {
    const expression = this.#readAny(0);
    const unexpected = this.#tokens[this.#position];
    if (unexpected !== undefined) throw new LicenseProblem(`\`${unexpected}\` is not expected there`);
    return expression;
  }

  /** Reads expressions that are joined by `OR`, which binds less than `AND`. */
  #readAny(depth: number): LicenseExpression {
    if (depth > MAX_DEPTH) throw new LicenseProblem('it has too many parentheses');
    return this.#readJoined({ operator: 'OR', kind: 'any' }, () =>
      this.#readJoined({ operator: 'AND', kind: 'all' }, () => this.#readOne(depth)),
    );
  }

  /** Reads one part, or several with `operator` between them. */
  #readJoined(
    { operator, kind }: { readonly operator: string; readonly kind: 'all' | 'any' },
    readPart: () => LicenseExpression,
  ): LicenseExpression {
    const first = readPart();
    const parts = [first];
    while (this.#tokens[this.#position] === operator) {
      this.#position += 1;
      parts.push(readPart());
    }
    return parts.length === 1 ? first : { kind, parts };
  }

  /** Reads one license, or an expression in parentheses. */
  #readOne(depth: number): LicenseExpression {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw new LicenseProblem('it ends where a license is expected');
    this.#position += 1;
    if (token === '(') {
      const expression = this.#readAny(depth + 1);
      if (this.#tokens[this.#position] !== ')') throw new LicenseProblem('a parenthesis is not closed');
      this.#position += 1;
      return expression;
    }
    if (!isName(token) || !this.#isKnown(token)) throw new LicenseProblem(`\`${token}\` is not a license`);
    const exception = this.#tokens[this.#position] === 'WITH' ? this.#readException() : null;
    return { kind: 'license', id: token, exception };
  }

  /** Reads `WITH` and an exception. */
  #readException(): string {
    const exception = this.#tokens[this.#position + 1];
    if (exception === undefined) throw new LicenseProblem('it ends where an exception is expected');
    this.#position += 2;
    const isKnown = this.#options.onlyKnown ? EXCEPTION_IDS.has(exception) : isName(exception);
    if (!isKnown) throw new LicenseProblem(`\`${exception}\` is not an exception`);
    return exception;
  }

  #isKnown(name: string): boolean {
    return (
      !this.#options.onlyKnown ||
      LICENSE_IDS.has(name) ||
      LICENSE_IDS.has(name.replace(/\+$/, '')) ||
      LICENSE_REF.test(name)
    );
  }
}

function isName(token: string): boolean {
  return NAME.test(token) && !['AND', 'OR', 'WITH'].includes(token);
}
