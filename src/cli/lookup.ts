/** What runs first: prints the cached result of the same run, so that the rest of the program need not be loaded. */
import { findResult } from '../cache/result-cache.ts';
import { commandLineKey } from './command-line-key.ts';
import { ClosedPipe, OutputStream } from './output-stream.ts';

/** Prints the cached result of this process and returns true; false if there is none that still holds. */
export function printCachedResult(): boolean {
  if (process.env['TSREG_CACHE'] === 'verify') return false;
  const key = commandLineKey();
  const output = key === null ? null : findResult(key);
  if (output === null) return false;
  const streams = { 1: new OutputStream(1), 2: new OutputStream(2) };
  try {
    for (const { fd, bytes } of output) streams[fd].write(bytes);
  } catch (error) {
    // The reader has seen enough.
    if (!(error instanceof ClosedPipe)) throw error;
  }
  return true;
}
