/** Work that never ends. */

/** As much of a process as is needed here. */
interface IdleProcess {
  once(event: 'beforeExit', listener: () => void): unknown;
  off(event: 'beforeExit', listener: () => void): unknown;
}

/**
 * What `work` gives. Rejects where the process runs out of things to do before that: whoever waits for it would be left
 * without an answer, and the process would end without a word.
 */
export async function orStalled<T>(work: Promise<T>, process: IdleProcess): Promise<T> {
  let stall = (): void => {};
  const stalled = new Promise<never>((_, reject) => {
    stall = () => reject(new Error('the event loop is empty, but the command has not finished'));
  });
  process.once('beforeExit', stall);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    process.off('beforeExit', stall);
  }
}
