import { setMaxListeners } from 'node:events';

/**
 * Returns `signal` without Node's limit on listeners, because each waiting request adds one. The signal must belong to
 * the operation alone, so that its listeners disappear with it.
 */
export function operationSignal(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
