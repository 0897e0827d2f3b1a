/** Trying again after failures of the network that may go away. Cargo Book: Configuration, `net.retry`. */
import { setTimeout } from 'node:timers/promises';
import { SpuriousError } from '../git/fetch.ts';
import { netSettings } from '../config/network-settings.ts';
import type { SourceContext } from './source-context.ts';

const FIRST_PAUSE_MS = 500;
const FIRST_PAUSE_JITTER_MS = 1000;
const PAUSE_STEP_MS = 3000;
const MAX_PAUSE_MS = 10_000;

/** Calls `attempt` until it does not reject with a `SpuriousError` or `net.retry` is used up, warning before each pause. */
export async function retrySpurious<T>(attempt: () => Promise<T>, context: SourceContext): Promise<T> {
  const { retries } = netSettings(context.config);
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SpuriousError) || failures >= retries) throw error;
      const left = retries - failures;
      context.report.warning(
        `spurious network error (${left} ${left === 1 ? 'try' : 'tries'} remaining): ${rootMessage(error)}`,
      );
      failures += 1;
      await setTimeout(pauseMs(failures, context), undefined, { signal: context.signal });
    }
  }
}

function pauseMs(failures: number, context: SourceContext): number {
  // The variable by which cargo's own tests shorten the pauses.
  const fixed = context.config.env['__CARGO_TEST_FIXED_RETRY_SLEEP_MS'];
  if (fixed !== undefined) return Number(fixed);
  if (failures === 1) return FIRST_PAUSE_MS + Math.random() * FIRST_PAUSE_JITTER_MS;
  return Math.min((failures - 1) * PAUSE_STEP_MS + FIRST_PAUSE_MS, MAX_PAUSE_MS);
}

function rootMessage(error: Error): string {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message;
}
