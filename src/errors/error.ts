/**
 * The one error class of the program. Every failure that a user can cause or meet is a `TsregError`;
 * anything else that reaches the top is a bug of ours and is shown as one.
 */

import { type Message, Wording, wordsOf } from './wording.ts';

/**
 * What went wrong, for programs. The code sits on the root cause; wrappers inherit it.
 *
 * - `usage`: the command line, or an argument of a function, is wrong
 * - `config`: a config file, variable or --config argument is wrong
 * - `toml`: text that is not TOML, or TOML of the wrong shape
 * - `manifest`: a Cargo.toml that cannot be used
 * - `workspace`: manifests that do not make a workspace
 * - `lockfile`: a Cargo.lock that cannot be read, or may not be written
 * - `resolve`: no set of versions satisfies all requirements
 * - `source`: a registry, repository or folder that packages come from is wrong, or refused something
 * - `checksum`: bytes that are not what the index or lock file promised
 * - `archive`: a .crate that may not be unpacked
 * - `limit`: larger, or more, than is allowed
 * - `network`: no answer, or a bad one; it may go better another time
 * - `auth`: a token is missing or was refused
 * - `git`: the git program failed
 * - `toolchain`: cargo or rustc was run and failed, or a target is unknown
 * - `not-found`: a file, folder, package, version or user that was named and is not there
 * - `io`: the operating system refused
 * - `aborted`: the caller's AbortSignal fired
 * - `bug`: ours
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

/**
 * A place in a text file and what is wrong there. Printed as an annotated source line, before the
 * chain of the error that carries it.
 */
export interface Snippet {
  /** Absolute path of the file. */
  readonly path: string;
  /** The whole text of the file. */
  readonly text: string;
  /** UTF-16 offsets into `text`; `end` is exclusive and may equal `start`. */
  readonly span: { readonly start: number; readonly end: number };
  /** What is wrong; may have several lines. */
  readonly message: string;
}

/** Details of a `TsregError`. */
export interface TsregErrorOptions {
  /** The code of a root cause. A wrapper leaves it out and shows its cause's code. */
  readonly code?: ErrorCode;
  /** What led to this error; printed below it as `Caused by:`. */
  readonly cause?: unknown;
  /**
   * The place in a file that this error is about. An error with a snippet has no line of its own in
   * the chain: the annotated source line is its text.
   */
  readonly snippet?: Snippet;
  /** True for a cause that is printed only with `-v`. */
  readonly verbose?: boolean;
  /** True for a cause that was reported before: it is not printed again. */
  readonly isReported?: boolean;
  /** True for what cargo takes for a mistake of its own and asks its users to report. */
  readonly isInternal?: boolean;
  /**
   * What to do now, where the message is cargo's and does not say it: shown as help behind the chain, unless everything
   * is to be as cargo has it.
   */
  readonly hint?: string;
}

/**
 * A failure with a message (lower case, no full stop), a code and a chain of causes. `message` names tsreg where the
 * message names the program.
 */
export class TsregError extends Error {
  override readonly name = 'TsregError';
  /** Of the root cause. */
  readonly code: ErrorCode;
  readonly snippet: Snippet | null;
  readonly verbose: boolean;
  readonly isReported: boolean;
  readonly isInternal: boolean;
  /** What to do now; null where the message says all there is to say. */
  readonly hint: string | null;
  /** The message with cargo's exact words, for compatibility mode; null where `message` has them. */
  readonly cargoMessage: string | null;

  constructor(message: Message, options: TsregErrorOptions = {}) {
    super(wordsOf(message, 'tsreg'), options.cause === undefined ? undefined : { cause: options.cause });
    this.cargoMessage = typeof message === 'string' ? null : message.cargo;
    this.code = options.code ?? codeOf(options.cause);
    this.snippet = options.snippet ?? null;
    this.verbose = options.verbose ?? false;
    this.isReported = options.isReported ?? false;
    this.isInternal = options.isInternal ?? false;
    this.hint = options.hint ?? null;
  }
}

// Outside of the class: where that names itself, it has another name in a bundle, and so in what Node prints of an error.
function codeOf(cause: unknown): ErrorCode {
  return cause instanceof TsregError ? cause.code : 'bug';
}

/** What a wrapper adds beside its message; a hint only where what it wraps has none. */
type ContextOptions = Pick<TsregErrorOptions, 'hint'>;

function wrap(message: string | (() => string), cause: unknown, options: ContextOptions): TsregError {
  const hasHint = cause instanceof TsregError && hintIn(cause) !== null;
  const text = typeof message === 'string' ? message : message();
  return new TsregError(text, hasHint ? { cause } : { ...options, cause });
}

function hintIn(error: TsregError): string | null {
  return error.hint ?? (error.cause instanceof TsregError ? hintIn(error.cause) : null);
}

/** Runs `body`; an error out of it comes back wrapped with `message` (computed only then). */
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

/** Runs `body`, which reads what the caller gave: an error out of it is one of usage, as which it comes back. */
export function asUsageError<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    const { message, cargoMessage, cause, snippet, verbose, hint } = error;
    throw new TsregError(cargoMessage === null ? message : new Wording(message, cargoMessage), {
      ...{ code: 'usage', cause, verbose },
      ...(snippet === null ? {} : { snippet }),
      ...(hint === null ? {} : { hint }),
    });
  }
}

/** As `withContext`, for a promise. */
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
