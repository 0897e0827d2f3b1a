/** Assertion about tsreg's own data. Input is decoded or rejected instead: it must never cause a `bug`. */
import { TsregError } from './error.ts';

/** Returns `value`, which is always present. Throws `bug` if it is not: then `what` (a singular noun) is missing. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new TsregError(`${what} is missing`, { code: 'bug' });
  return value;
}
