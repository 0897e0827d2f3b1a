/** The result of a check of `doctor`. */
import { TsregError } from '../../core/errors/error.ts';

/** The subjects of the checks, in the order of the output. */
export type CheckName =
  | 'tsreg'
  | 'git'
  | 'locks'
  | 'cargo'
  | 'rustc'
  | 'home'
  | 'packages'
  | 'cache'
  | 'config'
  | 'credentials'
  | 'proxy'
  | 'certificates'
  | 'registry'
  | 'workspace'
  | 'lockfile';

/** `info`: neither right nor wrong. `warning`: something works only in part. `error`: something does not work. */
export type CheckStatus = 'ok' | 'info' | 'warning' | 'error';

/** The result of one check. */
export interface Check {
  readonly name: CheckName;
  /** The path or the registry that was checked; null if `name` tells it all. */
  readonly subject: string | null;
  readonly status: CheckStatus;
  /** May have several lines. */
  readonly text: string;
  /** What to do; null if there is nothing to do. */
  readonly help: string | null;
}

/** Returns a check without a subject and help, unless `more` has them. */
export function check(
  name: CheckName,
  result: Pick<Check, 'status' | 'text'> & Partial<Pick<Check, 'subject' | 'help'>>,
): Check {
  const { subject = null, status, text, help = null } = result;
  return { name, subject, status, text, help };
}

/** Returns the hint of an error; null if there is none. */
export function failureHelp(error: unknown): string | null {
  return error instanceof TsregError ? error.hint : null;
}

/** Returns the root cause of an error. */
export function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}

/** Returns a number with its noun: `1 member`, `2 members`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
