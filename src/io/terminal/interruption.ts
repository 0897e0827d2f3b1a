/** Interruption of the program by the user or the system. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How much later than a program's end its cause, a signal to both, may arrive. */
const SIGNAL_DELAY_MS = 20;

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
  } catch (error) {
    // Ctrl-C also ends the programs that `work` runs, which may be seen before the signal itself.
    await new Promise((resolve) => void setTimeout(resolve, SIGNAL_DELAY_MS));
    throw error;
  } finally {
    stopListening();
    if (receivedSignal !== null) process.kill(process.pid, receivedSignal);
  }
}
