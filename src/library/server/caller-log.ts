/** The log of a registry that passes its events to a function of the caller. */
import { TsregError } from '../../core/errors/error.ts';
import type { Log } from '../../server/shared/log.ts';
import type { RegistryEvent, RegistryServerOptions } from './registry.ts';

/** A log that never throws. */
export interface CallerLog {
  readonly log: Log;
  /** Throws `usage` if the caller's function has thrown or rejected, with its first error as the cause. */
  readonly throwFirstError: () => void;
}

/** Returns a log for the option `log`. */
export function callerLog(receive: RegistryServerOptions['log']): CallerLog {
  let firstError: TsregError | null = null;
  const pass = async (event: RegistryEvent): Promise<void> => {
    try {
      // The function may be asynchronous, although its type does not say so.
      const result: unknown = receive?.(event);
      await result;
    } catch (cause) {
      firstError ??= new TsregError('the function `log` failed', { code: 'usage', cause });
    }
  };
  const write =
    (level: RegistryEvent['level']): Log['info'] =>
    (event, values = {}) =>
      void pass({ level, event, values });
  return {
    log: { info: write('info'), warning: write('warning'), error: write('error') },
    throwFirstError() {
      if (firstError !== null) throw firstError;
    },
  };
}
