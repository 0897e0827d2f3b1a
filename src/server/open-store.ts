import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFolderBlobs } from './blobs/folder-blobs.ts';
import { openSqliteRecords } from './records/sqlite-records.ts';
import type { Store } from './store.ts';

/** The file of the records in a data folder. */
export const RECORDS_FILE = 'registry.db';
/** The folder of the blobs in a data folder. */
export const BLOBS_FOLDER = 'crates';

/**
 * Opens the store in a data folder, which is made if it is not there: records in `registry.db`, blobs below `crates`.
 * Any number of processes may have it open.
 */
export async function openStore(dataFolder: string): Promise<Store> {
  // Hashes of tokens and passwords are nobody else's business.
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const blobs = await openFolderBlobs(join(dataFolder, BLOBS_FOLDER));
  const { records, close } = await openSqliteRecords(join(dataFolder, RECORDS_FILE));
  return {
    records,
    blobs,
    close: async () => close(),
  };
}
