/**
 * The error class of the program. Every failure that a user can cause is a `TsregError`; any other error is a bug of
 * tsreg, and is reported as one.
 */

import { type Message, Wording, wordsOf } from './wording.ts';

/**
 * The kind of an error, for programs. The root cause has the code; wrappers inherit it.
 *
 * - `usage`: the command line, or an argument of a function, is wrong
 * - `config`: a config file, variable or --config argument is wrong
 * - `toml`: text that is not TOML, or TOML of the wrong form
 * - `manifest`: an invalid Cargo.toml
 * - `workspace`: manifests that do not form a workspace
 * - `lockfile`: a Cargo.lock that cannot be read, or must not be written
 * - `resolve`: no set of versions satisfies all requirements
 * - `source`: a registry, repository or folder of packages is wrong, or rejected a request
 * - `checksum`: bytes that differ from those in the index or lock file
 * - `archive`: a .crate that must not be unpacked
 * - `limit`: a size or number above its limit
 * - `network`: no response, or an invalid one; a retry may help
 * - `auth`: a token is missing or was rejected
 * - `git`: the git program failed
 * - `toolchain`: cargo or rustc failed, or a target is unknown
 * - `not-found`: a file, folder, package, version or user does not exist
 * - `io`: an error of the operating system
 * - `aborted`: the caller's AbortSignal was aborted
 * - `bug`: an error of tsreg itself
 */
export type ErrorCode =
  | 'usage'
  | 'config'
  | 'toml'
  | 'manifest'
  | 'workspace'
  | 'lockfile'
  | 'resolve'
  | 'source'
  | 'checksum'
  | 'archive'
  | 'limit'
  | 'network'
  | 'auth'
  | 'git'
  | 'toolchain'
  | 'not-found'
  | 'io'
  | 'aborted'
  | 'bug';

/** A problem at a position in a text file. Printed as an annotated source line, before the chain of its error. */
export interface Snippet {
  /** Absolute path of the file. */
  readonly path: string;
  /** The complete text of the file. */
  readonly text: string;
  /** UTF-16 offsets into `text`; `end` is exclusive and may equal `start`. */
  readonly span: { readonly start: number; readonly end: number };
  /** The problem; may have several lines. */
  readonly message: string;
}

/** Details of a `TsregError`. */
export interface TsregErrorOptions {
  /**
   * The code of a root cause. Absent in a wrapper: its code is that of its cause, `io` for an error of the operating
   * system, or `bug` for any other cause without a code.
   */
  readonly code?: ErrorCode;
  /** The cause of this error, printed below it as `Caused by:`. */
  readonly cause?: unknown;
  /**
   * The position in a file that this error is about. Such an error has no line in the chain: the annotated source line
   * replaces it.
   */
  readonly snippet?: Snippet;
  /** True for a cause that is printed only with `-v`. */
  readonly verbose?: boolean;
  /** True for a cause that was already reported: it is not printed again. */
  readonly isReported?: boolean;
  /** True for an error that cargo considers a bug in itself and asks users to report. */
  readonly isInternal?: boolean;
  /**
   * The next step for the user, if the message is cargo's and does not name it. Printed as help after the chain, except
   * in compatibility mode.
   */
  readonly hint?: string;
}

/**
 * An error with a message (lower case, no full stop), a code and a chain of causes. If `message` names the program, it
 * names tsreg.
 */
export class TsregError extends Error {
  /** `AbortError` if the code is `aborted`, as for the errors of web APIs; else `TsregError`. */
  override readonly name: 'TsregError' | 'AbortError';
  /** The code of the root cause. */
  readonly code: ErrorCode;
  readonly snippet: Snippet | null;
  /** The next step for the user, or that of the nearest cause that has one; null if the messages suffice. */
  readonly hint: string | null;
  /** Private, because Node prints all other fields of an error that a program does not catch. */
  readonly #printing: Printing;

  constructor(message: Message, options: TsregErrorOptions = {}) {
    super(wordsOf(message, 'tsreg'), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? codeOf(options.cause);
    this.name = this.code === 'aborted' ? 'AbortError' : 'TsregError';
    this.snippet = options.snippet ?? null;
    this.hint = options.hint ?? hintOf(options.cause);
    this.#printing = {
      verbose: options.verbose ?? false,
      isReported: options.isReported ?? false,
      isInternal: options.isInternal ?? false,
      cargoMessage: typeof message === 'string' ? null : message.cargo,
    };
  }

  /** True for a cause that is printed only with `-v`. */
  get verbose(): boolean {
    return this.#printing.verbose;
  }

  /** True for a cause that was already reported: it is not printed again. */
  get isReported(): boolean {
    return this.#printing.isReported;
  }

  /** True for an error that cargo considers a bug in itself and asks users to report. */
  get isInternal(): boolean {
    return this.#printing.isInternal;
  }

  /** cargo's exact message, for compatibility mode; null if it equals `message`. */
  get cargoMessage(): string | null {
    return this.#printing.cargoMessage;
  }
}

/** The properties of an error that only its printing uses. */
type Printing = Pick<TsregError, 'verbose' | 'isReported' | 'isInternal' | 'cargoMessage'>;

// The next functions are outside the class: one that refers to itself gets another name in a bundle, which Node prints
// for errors.
function codeOf(cause: unknown): ErrorCode {
  if (cause instanceof TsregError) return cause.code;
  // Node sets `errno` for errors of the operating system, and not for those of wrong arguments.
  return cause instanceof Error && 'errno' in cause ? 'io' : 'bug';
}

function hintOf(cause: unknown): string | null {
  return cause instanceof TsregError ? cause.hint : null;
}

/** Options of a wrapper. */
interface ContextOptions {
  /** Used only if neither the cause nor its causes have a hint. */
  readonly hint?: string;
}

/** Returns an error with `message` above `cause`, whose code it gets. */
function wrap(message: string | (() => string), cause: unknown, options: ContextOptions): TsregError {
  const text = typeof message === 'string' ? message : message();
  return new TsregError(text, hintOf(cause) === null ? { ...options, cause } : { cause });
}

/**
 * Returns the result of `body`. If it throws, throws an error with `message` and that error as its cause. Calls a
 * function `message` only then.
 */
export function withContext<T>(
  message: string | (() => string),
  body: () => T,
  options: ContextOptions = {},
): T {
  try {
    return body();
  } catch (cause) {
    throw wrap(message, cause, options);
  }
}

/**
 * Returns the result of `body`, which checks the caller's input. Throws a `TsregError` again with the code `usage` and
 * the same message, cause, snippet and hint. Other errors are rethrown.
 */
export function asUsageError<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    const { message, cargoMessage, cause, snippet, verbose, hint } = error;
    throw new TsregError(cargoMessage === null ? message : new Wording(message, cargoMessage), {
      code: 'usage',
      cause,
      verbose,
      ...(snippet === null ? {} : { snippet }),
      ...(hint === null ? {} : { hint }),
    });
  }
}

/** Returns an equal error with another hint after its own. Hints of causes stay separate. */
export function withHint(error: TsregError, hint: string): TsregError {
  const { message, cargoMessage, code, cause, snippet, verbose } = error;
  const ownHint = error.hint === hintOf(cause) ? null : error.hint;
  return new TsregError(cargoMessage === null ? message : new Wording(message, cargoMessage), {
    code,
    cause,
    verbose,
    ...(snippet === null ? {} : { snippet }),
    hint: ownHint === null ? hint : `${ownHint}; ${hint}`,
  });
}

/** Does the same as `withContext`, for a promise. */
export async function withContextAsync<T>(
  message: string | (() => string),
  body: () => Promise<T>,
  options: ContextOptions = {},
): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    throw wrap(message, cause, options);
  }
}
