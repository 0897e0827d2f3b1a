/** The signal that interrupts an operation. */
import { setMaxListeners } from 'node:events';

/**
 * Returns `signal` without Node's limit on listeners, because each waiting request adds one. The signal must belong to
 * the operation alone, so that its listeners disappear with it.
 */
export function operationSignal(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/** Rejects with the reason of `signal` when it is aborted. The signal must not be aborted before the call. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
