/** Work that never ends. */
import type { EventEmitter } from 'node:events';

/**
 * What `work` gives. Rejects where the process runs out of things to do before that: whoever waits for it would be left
 * without an answer, and the process would end without a word.
 */
export async function orStalled<T>(
  work: Promise<T>,
  process: Pick<EventEmitter, 'once' | 'off'>,
): Promise<T> {
  let stall = (): void => {};
  const stalled = new Promise<never>((_, reject) => {
    stall = () => reject(new Error('nothing is left to wait for, and the work is not done'));
  });
  process.once('beforeExit', stall);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    process.off('beforeExit', stall);
  }
}
