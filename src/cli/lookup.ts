/** Runs first: prints the cached result of the same run, so that the rest of the program need not be loaded. */
import { enableCompileCache } from '../cache/compile-cache.ts';
import { findResult } from '../cache/result-cache.ts';
import type { ResultKey } from '../cache/result-key.ts';
import { commandLineKey } from './command-line-key.ts';
import {
  ClosedPipe,
  NOTHING_WRITTEN,
  OutputStream,
  type WrittenBytes,
} from '../io/terminal/output-stream.ts';

/** A run whose result the cache did not print. */
export interface CacheMiss {
  /** Null if results are not cached. */
  readonly key: ResultKey | null;
  /** The bytes of its output that are already written, and that the run must omit. */
  readonly written: WrittenBytes;
}

/**
 * Prints the cached result of this process. Returns null if that is done. Otherwise `main` must run the command: either
 * the cache has no valid result, or writing failed and `main` reports the reason.
 */
export function printCachedResult(): CacheMiss | null {
  const key = commandLineKey();
  if (key === null) return { key, written: NOTHING_WRITTEN };
  const output = process.env['TSREG_CACHE'] === 'verify' ? null : findResult(key);
  if (output === null) {
    // The rest of the program is loaded next.
    enableCompileCache(key);
    return { key, written: NOTHING_WRITTEN };
  }
  const streams = { 1: new OutputStream(1), 2: new OutputStream(2) };
  try {
    for (const { fd, bytes } of output) streams[fd].write(bytes);
  } catch (error) {
    // A closed pipe is not an error: its reader needs no more.
    if (!(error instanceof ClosedPipe))
      return { key, written: { 1: streams[1].writtenBytes, 2: streams[2].writtenBytes } };
  }
  return null;
}
