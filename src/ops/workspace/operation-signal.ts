import { setMaxListeners } from 'node:events';

/**
 * A signal of an operation's own that fires with that of its caller. It may have any number of listeners without
 * a warning from Node (each waiting request has one), and leaves none behind on the caller's.
 */
export function operationSignal(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}
