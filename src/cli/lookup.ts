/** Runs first: prints the cached result of the same run, so that the rest of the program need not be loaded. */
import { enableCompileCache } from '../cache/compile-cache.ts';
import { findResult } from '../cache/result-cache.ts';
import { commandLineKey } from './command-line-key.ts';
import {
  ClosedPipe,
  NOTHING_WRITTEN,
  OutputStream,
  type WrittenBytes,
} from '../io/terminal/output-stream.ts';

/**
 * Prints the cached result of this process. Returns null if that is done. Otherwise `main` must run the command: either
 * the cache has no valid result, or writing failed and `main` reports the reason. For that case, returns the numbers of
 * bytes already written, which `main` must omit from its output.
 */
export function printCachedResult(): WrittenBytes | null {
  const key = commandLineKey();
  if (key === null) return NOTHING_WRITTEN;
  const output = process.env['TSREG_CACHE'] === 'verify' ? null : findResult(key);
  if (output === null) {
    // The rest of the program is loaded next.
    enableCompileCache(key);
    return NOTHING_WRITTEN;
  }
  const streams = { 1: new OutputStream(1), 2: new OutputStream(2) };
  try {
    for (const { fd, bytes } of output) streams[fd].write(bytes);
  } catch (error) {
    // A closed pipe is not an error: its reader needs no more.
    if (!(error instanceof ClosedPipe)) return { 1: streams[1].writtenBytes, 2: streams[2].writtenBytes };
  }
  return null;
}
