/** The key of this process in the cache of results. */
import { basename } from 'node:path';
import { type ResultKey, resultKey } from '../cache/result-key.ts';
import { OutputStream } from '../io/terminal/output-stream.ts';
import { programFile } from '../io/programs/program-file.ts';

/**
 * Returns the cache key of this process. Returns null if its result is not cached: with `TSREG_CACHE=off`, without a
 * home folder, or if the working folder does not exist.
 */
export function commandLineKey(): ResultKey | null {
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    return null;
  }
  const streams = [new OutputStream(1), new OutputStream(2)];
  const terminals = streams.map(({ isTerminal, width }) => [isTerminal, width]);
  // The name `cargo` turns on compatibility mode.
  const request = [basename(programFile()), process.argv.slice(2), terminals];
  return resultKey({ request, cwd, env: process.env });
}
