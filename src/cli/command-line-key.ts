import { basename } from 'node:path';
import { type ResultKey, resultKey } from '../cache/result-key.ts';
import { OutputStream } from './output-stream.ts';

/** The key of the result of this process; null where results are not cached. */
export function commandLineKey(): ResultKey | null {
  const [, program = '', ...args] = process.argv;
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    return null;
  }
  // The program does otherwise under the name `cargo`.
  const widths = [new OutputStream(1).width, new OutputStream(2).width];
  const request = [basename(program), args, widths];
  return resultKey({ request, cwd, env: process.env });
}
