/** Backs up and restores a whole registry while it is in use. */
import { copyFile, lstat, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../../io/disk/errno.ts';
import { makeFolders } from '../../io/disk/make-folders.ts';
import { syncFolder } from '../../io/disk/sync-folder.ts';
import { writeFileAtomic } from '../../io/disk/write-file-atomic.ts';
import { TsregError } from '../../core/errors/error.ts';
import { blobKindOf } from '../blobs/blob-key.ts';
import { copyBlobs } from '../blobs/copy-blobs.ts';
import { openFolderBlobs } from '../blobs/folder-blobs.ts';
import { withDiskFullHint } from '../shared/full-disk.ts';
import { BACKUP_MARK_FILE, BLOBS_FOLDER, RECORDS_FILE } from './open-store.ts';
import { SIDECAR_SUFFIXES } from '../records/own-journals.ts';
import { checkSnapshot } from '../records/snapshot-records.ts';
import { openSqliteRecords } from '../records/sqlite-records.ts';
import { incompleteError, LOST_BLOBS_HINT, withoutDeleted } from './lost-blobs.ts';
import { eachStoredBlob } from './stored-blobs.ts';
import type { StoreParts } from '../store/store.ts';
import type { Blobs } from '../store/blobs.ts';
import type { StoredVersion } from '../store/crate-records.ts';

/** The size of a backup. */
export interface BackupResult {
  readonly versions: number;
  /** Total size of all `.crate` files. */
  readonly bytes: number;
}

/** The content of `BACKUP_MARK_FILE`. */
const MARK = '{"format":1}\n';
const INCOMPLETE_HINT = `${LOST_BLOBS_HINT}: all other files were copied, and a backup that was there before is still complete`;
/** Maximum number of copies; each deletion during a copy causes another one. */
const MAX_ATTEMPTS = 10;

/**
 * Copies a registry as it is at one moment, in the layout of a data folder. `folder` is absent, empty or an earlier
 * backup. Unchanged files of an earlier backup are reused, and it stays intact until the copy is complete. Throws
 * `config` for any other folder, `source` for missing or damaged blobs.
 */
export async function backupStore(store: StoreParts, folder: string): Promise<BackupResult> {
  const hint = `free space on the disk of \`${folder}\`, and run the command again: it keeps the files that it copied, and a backup that was there before is still complete`;
  return await withDiskFullHint(hint, async () => {
    await markAsBackup(folder);
    const snapshot = join(folder, `${RECORDS_FILE}.new`);
    try {
      return await copyStore(store, { folder, snapshot });
    } catch (error) {
      await removeDatabase(snapshot).catch(() => undefined);
      throw error;
    }
  });
}

/** Copies the blobs that a snapshot refers to, then puts the snapshot in place and deletes other blobs. */
async function copyStore(
  { records, blobs }: StoreParts,
  { folder, snapshot }: { readonly folder: string; readonly snapshot: string },
): Promise<BackupResult> {
  const target = await openFolderBlobs(join(folder, BLOBS_FOLDER));
  for (let attempt = 1; ; attempt += 1) {
    await removeDatabase(snapshot);
    await records.saveSnapshot(snapshot);
    const storedBlobs = await storedBlobsOf(snapshot);
    const lostBlobs = await copyBlobs(storedBlobs, { from: blobs, to: target });
    if (lostBlobs.length === 0) {
      // The earlier backup is complete until the rename is on disk; only afterwards, its blobs may be deleted.
      await makeDurableAndPrivate(snapshot);
      await removeSidecars(join(folder, RECORDS_FILE));
      await rename(snapshot, join(folder, RECORDS_FILE));
      await syncFolder(folder);
      await deleteOtherBlobs(target, storedBlobs);
      return sizeOf(storedBlobs);
    }
    // If only deleted blobs were lost, a new snapshot no longer refers to them.
    const referenced = attempt === MAX_ATTEMPTS ? lostBlobs : await withoutDeleted(records, lostBlobs);
    if (referenced.length > 0)
      throw incompleteError('the registry', referenced, { code: 'source', hint: INCOMPLETE_HINT });
  }
}

/**
 * Replaces everything in a registry with a backup: first copies the missing blobs, then replaces all records at once.
 * Throws `config` if `folder` is not a backup or is incomplete; the records are then unchanged.
 */
export async function restoreStore(store: StoreParts, folder: string): Promise<BackupResult> {
  const names = await listOrEmpty(folder);
  if (!names.includes(BACKUP_MARK_FILE)) {
    throw new TsregError(`\`${folder}\` is not a backup of a registry`, { code: 'config' });
  }
  if (!names.includes(RECORDS_FILE)) {
    throw new TsregError(`the backup \`${folder}\` is not complete: it has no \`${RECORDS_FILE}\``, {
      code: 'config',
      hint: '`tsreg serve backup` did not finish there: run it again, or use another backup',
    });
  }
  const hint =
    'free space in the folder of the registry and in that of temporary files (`TMPDIR`), and run the command again: ' +
    'the records are unchanged';
  return await withDiskFullHint(hint, () => replaceStore(store, folder));
}

/** Copies the blobs, then replaces the records. Reads a copy of the backup's database, because it may migrate it. */
async function replaceStore({ records, blobs }: StoreParts, folder: string): Promise<BackupResult> {
  const source = await openFolderBlobs(join(folder, BLOBS_FOLDER));
  const workFolder = await mkdtemp(join(tmpdir(), 'tsreg-restore-'));
  try {
    const snapshot = join(workFolder, RECORDS_FILE);
    const file = join(folder, RECORDS_FILE);
    // A link or a device could make this read a file that the author of the backup chose.
    if (!(await lstat(file)).isFile()) throw new TsregError(`\`${file}\` is not a file`, { code: 'config' });
    await copyFile(file, snapshot);
    await checkSnapshot(snapshot);
    const storedBlobs = await storedBlobsOf(snapshot);
    const lostBlobs = await copyBlobs(storedBlobs, { from: source, to: blobs });
    if (lostBlobs.length > 0) {
      const hint = 'use another backup, or copy these files from one: the records are unchanged';
      throw incompleteError(`the backup \`${folder}\``, lostBlobs, { code: 'config', hint });
    }
    await records.loadSnapshot(snapshot);
    return sizeOf(storedBlobs);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** Creates the folder and marks it as a backup. Throws `config` if it has other content. */
async function markAsBackup(folder: string): Promise<void> {
  const names = await listOrEmpty(folder);
  if (names.length > 0 && !names.includes(BACKUP_MARK_FILE)) {
    throw new TsregError(`\`${folder}\` is neither empty nor an earlier backup: name another folder`, {
      code: 'config',
    });
  }
  makeFolders(folder, 0o700);
  await writeFileAtomic(join(folder, BACKUP_MARK_FILE), MARK);
}

async function listOrEmpty(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Lists the blobs that a snapshot refers to. Migrates it to the newest schema version. */
async function storedBlobsOf(snapshot: string): Promise<readonly StoredVersion[]> {
  const { records, close } = await openSqliteRecords(snapshot, { isShared: false });
  try {
    const storedBlobs: StoredVersion[] = [];
    for await (const blob of eachStoredBlob(records)) storedBlobs.push(blob);
    return storedBlobs;
  } finally {
    close();
  }
}

async function deleteOtherBlobs(blobs: Blobs, storedBlobs: readonly StoredVersion[]): Promise<void> {
  const referenced = new Set(storedBlobs.map(({ blobKey }) => blobKey));
  for await (const { key } of blobs.list()) if (!referenced.has(key)) await blobs.delete(key);
}

async function removeDatabase(path: string): Promise<void> {
  await removeSidecars(path);
  await rm(path, { force: true });
}

/** Removes the files next to a database, which must not be used with another one. */
async function removeSidecars(path: string): Promise<void> {
  for (const suffix of SIDECAR_SUFFIXES) await rm(path + suffix, { force: true });
}

/** Syncs a file to disk and makes it private to its owner. */
async function makeDurableAndPrivate(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

function sizeOf(storedBlobs: readonly StoredVersion[]): BackupResult {
  const versions = storedBlobs.filter(({ blobKey }) => blobKindOf(blobKey) === 'crate');
  return { versions: versions.length, bytes: versions.reduce((sum, { size }) => sum + size, 0) };
}
