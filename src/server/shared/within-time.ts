/** A time limit for work. */
export interface TimeLimit {
  readonly timeoutMs: number;
  /** Returns the error to throw when the time is over. */
  readonly tooLate: () => Error;
}

/** Returns the result of `work`, or throws after `timeoutMs`. The work then goes on, and its result is ignored. */
export async function withinTime<T>(work: Promise<T>, { timeoutMs, tooLate }: TimeLimit): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
