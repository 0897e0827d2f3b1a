/** Detection of work that never settles. */

/** The part of `process` that this module uses. */
interface IdleProcess {
  once(event: 'beforeExit', listener: () => void): unknown;
  off(event: 'beforeExit', listener: () => void): unknown;
}

/**
 * Returns the result of `work`. Rejects if the event loop of `process` becomes empty first. Otherwise the process would
 * end without a message.
 */
export async function rejectIfEventLoopDrains<T>(work: Promise<T>, process: IdleProcess): Promise<T> {
  let rejectDrained = (): void => {};
  const drained = new Promise<never>((_, reject) => {
    rejectDrained = () => reject(new Error('the event loop is empty, but the command has not finished'));
  });
  process.once('beforeExit', rejectDrained);
  try {
    return await Promise.race([work, drained]);
  } finally {
    process.off('beforeExit', rejectDrained);
  }
}
