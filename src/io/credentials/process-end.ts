/** The start and end of credential provider processes, with cargo's errors. */
import { constants } from 'node:os';
import { errnoOf, osErrorText } from '../disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { ProcessEnd } from '../programs/run-program.ts';

/** Waits for `program`. Rejects with cargo's error if the program could not be started. */
export async function withSpawnError<T>(program: Promise<T>): Promise<T> {
  try {
    return await program;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    const cause = new TsregError(osErrorText(error), { code: 'io' });
    throw new TsregError('failed to spawn credential process', { code: 'auth', cause });
  }
}

/** Returns `exit status: 3` or `signal: 9 (SIGKILL)`. */
export function statusText({ status, signal }: ProcessEnd): string {
  if (signal === null) return `exit status: ${status}`;
  return `signal: ${constants.signals[signal]} (${signal})`;
}
