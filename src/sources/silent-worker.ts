/** Threads that print nothing. */
import { Worker } from 'node:worker_threads';

/**
 * A thread that runs a program. For one that might print, Node would make the stdout and stderr of this thread: that takes
 * longer, and makes pipes non-blocking, so that a write has to wait and try again where the reader is slower.
 */
export function silentWorker(program: string): Worker {
  return new Worker(program, { stdout: true, stderr: true });
}
