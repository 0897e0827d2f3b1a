/** Threads that print nothing. */
import { dirname, extname, join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

declare const BUNDLE_FILE: string | undefined;

/**
 * The absolute path of a thread's program, which a build has beside every other file of it; null where the sources run
 * as they are.
 */
export function threadProgram(name: string): string | null {
  if (typeof BUNDLE_FILE === 'undefined') return null;
  return join(dirname(BUNDLE_FILE), `${name}${extname(BUNDLE_FILE)}`);
}

/**
 * A thread that runs a program. For one that might print, Node would make the stdout and stderr of this thread: that takes
 * longer, and makes pipes non-blocking, so that a write has to wait and try again where the reader is slower.
 */
export function silentWorker(program: string, resourceLimits: ResourceLimits = {}): Worker {
  return new Worker(program, { stdout: true, stderr: true, resourceLimits });
}
