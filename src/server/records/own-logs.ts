/**
 * What SQLite finds beside a database and acts upon before anybody can look at the records. A folder from elsewhere may
 * hold links there, which lead to any file that is then written over, or a journal with the name of a "super-journal", a
 * file that SQLite deletes once it has used the journal.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { TsregError } from '../../errors/error.ts';

const SUFFIXES = ['-journal', '-wal', '-shm', '-no-wal'];
/** Ends a journal that names a super-journal: sqlite.org/fileformat2.html. */
const MARK = Buffer.from('d9d505f920a163d7', 'hex');

/** Throws `config` where what is beside the database at `path` was not left there by this program. */
export function requireOwnLogs(path: string): void {
  const real = isThere(path) ? realpathSync(path) : path;
  for (const suffix of SUFFIXES) {
    const beside = real + suffix;
    if (!isThere(beside)) continue;
    if (!lstatSync(beside).isFile()) throw foreign(beside, 'is not a file');
    // tsreg changes one database at a time, which needs none.
    if (suffix === '-journal' && endsWithMark(beside))
      throw foreign(beside, 'names another file to be deleted');
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function endsWithMark(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(MARK.length);
    const at = fstatSync(file).size - end.length;
    return at >= 0 && readSync(file, end, 0, end.length, at) === end.length && end.equals(MARK);
  } finally {
    closeSync(file);
  }
}

function foreign(path: string, reason: string): TsregError {
  return new TsregError(`\`${path}\` ${reason}: tsreg did not make it`, {
    code: 'config',
    hint: 'take a copy of the registry that nobody else could change',
  });
}
