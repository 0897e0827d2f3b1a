/** The `config.json` of a sparse registry on disk. */
import { readFileSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { decodeIndexConfig, type IndexConfig } from '../../core/protocol/index-config.ts';
import { errnoOf } from '../disk/errno.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';

/** Reads the file at `path`. Returns null if it is missing or invalid. */
export function readIndexConfig(path: string): IndexConfig | null {
  try {
    const config = decodeIndexConfig(readFileSync(path));
    inputRecorder()?.wholeFiles.add(path);
    return config;
  } catch (error) {
    // Not an input: the caller then locks the package cache, which rejects the recording, or fails.
    if (error instanceof TsregError || errnoOf(error) !== null) return null;
    throw error;
  }
}

/** Writes the file at `path`. The lock on the package cache must be held. Ignores errors. */
export async function storeIndexConfig(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFileAtomic(path, bytes, { durable: false });
  } catch {
    // The next run fetches it again.
  }
}
