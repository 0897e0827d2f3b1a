const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does work that has something to clear away when the user or the system wants the program to end: the signal that
 * `work` gets fires then, and once `work` has come back the process ends as it would have at once without this. A
 * second request is not waited for.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | null = null;
  const stop = (name: NodeJS.Signals): void => {
    received = name;
    stopListening();
    controller.abort();
  };
  const stopListening = (): void => {
    for (const name of SIGNALS) process.off(name, stop);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
    if (received !== null) process.kill(process.pid, received);
  }
}
