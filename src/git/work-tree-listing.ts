/** What git prints of its index and of its working tree, as values. Paths are byte strings from the top folder. */

import { TsregError } from '../errors/error.ts';

/** A file that is tracked. One that is in conflict stands here once. */
export interface IndexEntry {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** True while a merge has left more than one version of it. */
  readonly isConflict: boolean;
  /** False where git was told not to look at the file on disk. */
  readonly isWatched: boolean;
  /** True where the file is not meant to be checked out. */
  readonly isSkipped: boolean;
}

/** A path at which something is to be said. */
export interface StatusEntry {
  /** Without a slash at the end. */
  readonly path: string;
  readonly kind: 'changed' | 'untracked' | 'ignored';
  /** True if the index differs from the commit. */
  readonly isStaged: boolean;
  /** True if the file on disk differs from the index; never for a submodule, which has changes of its own. */
  readonly isModified: boolean;
  /** True if the index has it and the disk has not. */
  readonly isMissing: boolean;
  /** True if the whole folder is meant. */
  readonly isFolder: boolean;
}

/** Reads `git ls-files -z -s -v`. Throws where that is cut off or something else. */
export function parseIndex(output: string): readonly IndexEntry[] {
  const entries: IndexEntry[] = [];
  let last = '';
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\0', at);
    // `H 100644 3b18e512dba79e4c8300dd08aeb37f8e728b8dad 0<tab>path`
    const tab = output.indexOf('\t', at);
    if (end === -1 || tab === -1 || tab > end) throw unreadable('ls-files');
    const path = output.slice(tab + 1, end);
    if (path !== last) {
      const tag = output[at] ?? '';
      const mode = output.slice(at + 2, at + 5);
      entries.push({
        path,
        kind: mode === '120' ? 'symlink' : mode === '160' ? 'submodule' : 'file',
        isConflict: output[tab - 1] !== '0',
        isWatched: tag === 'H' || tag === 'M',
        isSkipped: tag === 'S' || tag === 's',
      });
    }
    last = path;
    at = end + 1;
  }
  return entries;
}

/** Fields in front of the path, by the letter that a record begins with. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/** Reads `git status --porcelain=v2 -z --branch`. Throws where that is cut off or something else. */
export function parseStatus(output: string): {
  readonly head: string | null;
  readonly entries: readonly StatusEntry[];
} {
  let head: string | null = null;
  const entries: StatusEntry[] = [];
  const records = output.split('\0');
  if (records.pop() !== '') throw unreadable('status');
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? '';
    const letter = record[0] ?? '';
    if (record.startsWith('# branch.oid ')) {
      const oid = record.slice('# branch.oid '.length);
      head = oid === '(initial)' ? null : oid;
    } else if (letter === '?' || letter === '!') {
      entries.push(unknownFile(record.slice(2), letter === '?' ? 'untracked' : 'ignored'));
    } else {
      const count = FIELDS[letter];
      if (count === undefined) continue;
      const entry = changedFile(record, count);
      if (entry.isStaged || entry.isModified) entries.push(entry);
      // A renamed file has its old path in a record of its own.
      if (letter === '2') i++;
    }
  }
  return { head, entries };
}

function unknownFile(path: string, kind: 'untracked' | 'ignored'): StatusEntry {
  const isFolder = path.endsWith('/');
  return {
    path: isFolder ? path.slice(0, -1) : path,
    kind,
    isStaged: false,
    isModified: false,
    isMissing: false,
    isFolder,
  };
}

function changedFile(record: string, count: number): StatusEntry {
  let at = 0;
  for (let field = 0; field < count; field++) {
    at = record.indexOf(' ', at) + 1;
    if (at === 0) throw unreadable('status');
  }
  const inIndex = record[2];
  const onDisk = record[3];
  const isSubmodule = record[5] === 'S';
  const isConflict = record[0] === 'u';
  return {
    path: record.slice(at),
    kind: 'changed',
    isStaged: !isConflict && inIndex !== '.',
    isModified: !isSubmodule && (isConflict || onDisk !== '.'),
    isMissing: onDisk === 'D' && !isConflict,
    isFolder: false,
  };
}

function unreadable(command: 'ls-files' | 'status'): TsregError {
  return new TsregError(`\`git ${command}\` printed a list that tsreg cannot read`, { code: 'git' });
}
