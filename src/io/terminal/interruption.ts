const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work`, which must clean up if the process is interrupted. SIGINT, SIGTERM and SIGHUP abort the signal passed to
 * `work`. When `work` has settled, the received signal ends the process. A second one ends it at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let receivedSignal: NodeJS.Signals | null = null;
  const stop = (name: NodeJS.Signals): void => {
    receivedSignal = name;
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
    if (receivedSignal !== null) process.kill(process.pid, receivedSignal);
  }
}
