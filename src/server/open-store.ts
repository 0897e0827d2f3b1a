import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../disk/make-folders.ts';
import { TsregError, withContextAsync } from '../errors/error.ts';
import { openFolderBlobs } from './blobs/folder-blobs.ts';
import { openSqliteRecords, type SqliteRecords } from './records/sqlite-records.ts';
import type { Store } from './store.ts';

/** The file of the records in a data folder. */
export const RECORDS_FILE = 'registry.db';
/** The folder of the blobs in a data folder. */
export const BLOBS_FOLDER = 'crates';
/** Says that a folder is a backup, so that nothing else is written over, and nothing there changes by itself. */
export const BACKUP_MARK_FILE = 'tsreg-backup.json';

/**
 * Opens the store in a data folder, which is made if it is not there: records in `registry.db`, blobs below `crates`.
 * Any number of processes may have it open. Throws `config` for the folder of a backup.
 */
export async function openStore(dataFolder: string): Promise<Store> {
  if (existsSync(join(dataFolder, BACKUP_MARK_FILE))) {
    throw new TsregError(`\`${dataFolder}\` is a backup: restore it into a data folder`, { code: 'config' });
  }
  const { blobs, records, close } = await withContextAsync(
    `failed to open the registry in \`${dataFolder}\``,
    () => openParts(dataFolder),
  );
  return {
    records,
    blobs,
    close: async () => close(),
  };
}

async function openParts(dataFolder: string): Promise<SqliteRecords & Pick<Store, 'blobs'>> {
  makeFolders(dataFolder, 0o700);
  checkWritable(dataFolder);
  // Hashes of tokens and passwords are nobody else's business. What SQLite keeps beside the file has the same mode.
  closeSync(openSync(join(dataFolder, RECORDS_FILE), 'a', 0o600));
  const blobs = await openFolderBlobs(join(dataFolder, BLOBS_FOLDER));
  const records = await openSqliteRecords(join(dataFolder, RECORDS_FILE), { isShared: true });
  return { blobs, ...records };
}

/** A registry that could only be read would fail with the first token that is used. */
function checkWritable(folder: string): void {
  for (const part of ['.', RECORDS_FILE, BLOBS_FOLDER]) {
    const path = join(folder, part);
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK);
    } catch (cause) {
      throw new TsregError(`\`${path}\` cannot be written`, { cause });
    }
  }
}
