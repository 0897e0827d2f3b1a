import { readFileSync, writeFileSync } from 'node:fs';
import { decodeEntry, encodeEntry } from '../../src/cache/result-entry.ts';

/** The output of a run that finds its result in the cache after `markResults`. */
export const MARK = '"from the cache"';

/** Replaces the output in the entries of a result cache by `MARK`, which shows whether a run uses them. */
export function markResults(entries: readonly string[]): void {
  for (const file of entries) {
    const entry = decodeEntry(readFileSync(file));
    if (entry === null) throw new Error(`${file} is damaged`);
    writeFileSync(file, encodeEntry({ ...entry, output: [{ fd: 1, bytes: Buffer.from(MARK) }] }));
  }
}
