/**
 * Checks the files next to a database that SQLite processes as soon as it opens the database. In a folder from
 * elsewhere, these could be links to files that SQLite then overwrites. A journal could name a "super-journal", a file
 * that SQLite deletes after use.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf } from '../../io/disk/errno.ts';
import { LOCK_SUFFIX } from './sqlite-journal.ts';

/** Suffixes of the files next to a database: SQLite's, and the lock file. */
export const SIDECAR_SUFFIXES: readonly string[] = ['-journal', '-wal', '-shm', LOCK_SUFFIX];
/** The end of a journal that names a super-journal: sqlite.org/fileformat2.html. */
const END_MARK = Buffer.from('d9d505f920a163d7', 'hex');
/** Bytes after the name of the super-journal: its length and its checksum, 4 bytes each, and `END_MARK`. */
const TAIL_BYTES = 8 + END_MARK.length;
/** More bytes than a path may have. */
const MAX_NAME_BYTES = 8192;

/** Throws `config` if this program did not create the files next to the database at `path`. */
export function requireOwnJournals(path: string): void {
  const real = exists(path) ? realpathSync(path) : path;
  for (const suffix of SIDECAR_SUFFIXES) {
    const sidecar = real + suffix;
    const stats = lstatSync(sidecar, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (!stats.isFile()) throw foreignFile(sidecar, 'is not a file');
    if (suffix !== '-journal') continue;
    const superJournal = superJournalOf(sidecar);
    // SQLite creates its own super-journal if a transaction changes several databases, as a restore does.
    const isOwn =
      superJournal === null ||
      (superJournal.startsWith(real) && /^-mj[0-9A-F]+$/.test(superJournal.slice(real.length)));
    if (!isOwn) throw foreignFile(sidecar, 'would delete another file');
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Returns the name at the end of a journal, before its length, checksum and `END_MARK`; null if there is none. */
function superJournalOf(path: string): string | null {
  const file = openOrNull(path);
  if (file === null) return null;
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, MAX_NAME_BYTES + TAIL_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    if (end.length < TAIL_BYTES || !end.subarray(-END_MARK.length).equals(END_MARK)) return null;
    const nameEnd = end.length - TAIL_BYTES;
    return end.toString('utf8', Math.max(0, nameEnd - end.readUInt32BE(nameEnd)), nameEnd);
  } finally {
    closeSync(file);
  }
}

/** Opens a file to read it; null if it does not exist, as after the transaction of another process. */
function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function foreignFile(path: string, reason: string): TsregError {
  return new TsregError(`\`${path}\` ${reason}: tsreg did not create it`, {
    code: 'config',
    hint: 'use a copy of the registry that nobody else could change',
  });
}
