/** Threads that print nothing. */
import { dirname, extname, join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** The path of the running file, which `scripts/build.mjs` defines. Absent if the source files run directly. */
declare const BUNDLE_FILE: string | undefined;

/**
 * Returns the absolute path of a thread's program, which is next to all other files of a build; null if the source
 * files run directly.
 */
export function threadProgram(name: string): string | null {
  if (typeof BUNDLE_FILE === 'undefined') return null;
  return join(dirname(BUNDLE_FILE), `${name}${extname(BUNDLE_FILE)}`);
}

/**
 * Starts a thread. If it could print, Node would create this thread's stdout and stderr. That takes longer, and makes
 * pipes non-blocking, so that a write to a slow reader has to wait and try again.
 */
export function silentWorker(program: string, resourceLimits: ResourceLimits = {}): Worker {
  return new Worker(program, { stdout: true, stderr: true, resourceLimits });
}
