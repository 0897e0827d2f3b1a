import { setMaxListeners } from 'node:events';

/**
 * The signal of an operation, which may have any number of listeners from here on without a warning from Node: each
 * waiting request has one. It is the operation's own, so that they are gone with it.
 */
export function operationSignal(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
