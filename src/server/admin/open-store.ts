import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../io/disk/errno.ts';
import { makeFolders } from '../../io/disk/make-folders.ts';
import { statsOrNull } from '../../io/disk/stats.ts';
import { syncFolder } from '../../io/disk/sync-folder.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { openFolderBlobs } from '../blobs/folder-blobs.ts';
import { openSqliteRecords } from '../records/sqlite-records.ts';
import { describeLocation, requireFolder, type StoreLocation } from './store-location.ts';
import type { Records, Store } from '../store/store.ts';
import type { Blobs } from '../store/blobs.ts';

/** The database file in a data folder. */
export const RECORDS_FILE = 'registry.db';
/** The folder of the blobs in a data folder. */
export const BLOBS_FOLDER = 'crates';
/**
 * The file that marks a folder as a backup: `openStore` refuses the folder, and a backup overwrites only such folders.
 */
export const BACKUP_MARK_FILE = 'tsreg-backup.json';

/** Environment variables by name. They supply what a location omits, for example the keys of an object store. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Opens the store at a location, and creates what does not exist. Any number of processes may have it open. Throws
 * `config` for the folder of a backup, and for a database of a newer tsreg.
 */
export async function openStore(location: StoreLocation, env: StoreEnvironment): Promise<Store> {
  const { dataFolder } = location;
  if (dataFolder !== null && existsSync(join(dataFolder, BACKUP_MARK_FILE))) {
    throw new TsregError(`\`${dataFolder}\` is a backup: restore it into a data folder`, { code: 'config' });
  }
  return await withContextAsync(`failed to open the registry in ${describeLocation(location)}`, async () => {
    if (dataFolder !== null) await makeDurable(dataFolder);
    const { records, close } = await openRecords(location);
    try {
      const { blobs, ...storage } = await openBlobs(location, env);
      if (dataFolder !== null) await syncFolder(dataFolder);
      return {
        records,
        blobs,
        close: async () => {
          await close();
          storage.close();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** Creates a data folder and its missing parents so that they survive a power failure. */
async function makeDurable(folder: string): Promise<void> {
  if (statsOrNull(folder)?.isDirectory() === false) {
    throw new TsregError(`\`${folder}\` is not a folder`, {
      code: 'config',
      hint: 'name a folder: tsreg creates it if it does not exist',
    });
  }
  // An entry survives a power failure once its parent is synced.
  const parents: string[] = [];
  for (let missing = folder; !existsSync(missing); missing = dirname(missing)) parents.push(dirname(missing));
  makeFolders(folder, 0o700);
  for (const parent of parents) {
    await syncFolder(parent).catch((error: unknown) => {
      // A writable folder that is not readable cannot be opened for syncing.
      if (errnoOf(error) !== 'EACCES') throw error;
    });
  }
}

interface OpenBlobs {
  readonly blobs: Blobs;
  readonly close: () => void;
}

async function openBlobs(location: StoreLocation, env: StoreEnvironment): Promise<OpenBlobs> {
  if (location.storage !== null) {
    const { openS3Blobs } = await import('../blobs/s3-blobs.ts');
    const { close, ...blobs } = await openS3Blobs(location.storage, env);
    return { blobs, close };
  }
  const folder = requireFolder(location);
  checkWritable(folder, BLOBS_FOLDER);
  return { blobs: await openFolderBlobs(join(folder, BLOBS_FOLDER)), close: () => undefined };
}

interface OpenRecords {
  readonly records: Records;
  readonly close: () => void | Promise<void>;
}

async function openRecords(location: StoreLocation): Promise<OpenRecords> {
  if (location.database !== null) {
    const { openPostgresRecords } = await import('../records/postgres-records.ts');
    return await openPostgresRecords(location.database);
  }
  const folder = requireFolder(location);
  checkWritable(folder, RECORDS_FILE);
  makePrivate(join(folder, RECORDS_FILE));
  return await openSqliteRecords(join(folder, RECORDS_FILE), { isShared: true });
}

/**
 * Creates the database file with mode 600, which SQLite also gives the files next to it: they contain hashes of tokens
 * and passwords. Leaves an existing file alone, because closing it would release this process's locks on it.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Throws if the folder, or the entry `name` in it, is not writable: a read-only registry would fail at the first use of
 * a token.
 */
function checkWritable(folder: string, name: string): void {
  for (const entry of ['.', name]) {
    const path = join(folder, entry);
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK);
    } catch (cause) {
      throw new TsregError(`\`${path}\` is not writable: a registry needs write access to start`, { cause });
    }
  }
}
