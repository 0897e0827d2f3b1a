/** Parses git's listings of the index and the working tree. Paths are byte strings relative to the top folder. */
import { TsregError } from '../../core/errors/error.ts';

/** A tracked file. A file in conflict has only one entry. */
export interface IndexEntry {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** True while a merge has left several versions of the file. */
  readonly isConflict: boolean;
  /** False if git is set to ignore changes of the file on disk (assume-unchanged, skip-worktree). */
  readonly isWatched: boolean;
  /** True if the file is not to be checked out (skip-worktree). */
  readonly isSkipped: boolean;
}

/** A path that `git status` reports. */
export interface StatusEntry {
  /** Without a trailing slash. */
  readonly path: string;
  readonly kind: 'changed' | 'untracked' | 'ignored';
  /** True if the index differs from the commit. */
  readonly isStaged: boolean;
  /** True if the file on disk differs from the index. Always false for a submodule, which lists its own changes. */
  readonly isModified: boolean;
  /** True if the file is in the index, but not on disk. */
  readonly isMissing: boolean;
  /** True if the entry stands for a whole folder. */
  readonly isFolder: boolean;
}

/** Kinds by their mode, in octal. All other entries are files. */
const INDEX_KINDS: Readonly<Record<string, IndexEntry['kind']>> = {
  '120000': 'symlink',
  '160000': 'submodule',
};

/** Parses the output of `git ls-files -z -s -v`. Throws `git` if it is truncated or malformed. */
export function parseIndex(output: string): readonly IndexEntry[] {
  const entries: IndexEntry[] = [];
  let lastPath = '';
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf('\0', start);
    // `H 100644 3b18e512dba79e4c8300dd08aeb37f8e728b8dad 0<tab>path`
    const tab = output.indexOf('\t', start);
    if (end === -1 || tab === -1 || tab > end) throw unreadable('ls-files');
    const path = output.slice(tab + 1, end);
    // Conflicts have an entry for each version of the file.
    if (path !== lastPath) {
      // git-ls-files, `-v`: `H` in the index, `M` in conflict, `S` skip-worktree. Lower case means assume-unchanged.
      const tag = output.charAt(start);
      const mode = output.slice(start + 2, start + 8);
      entries.push({
        path,
        kind: INDEX_KINDS[mode] ?? 'file',
        isConflict: output[tab - 1] !== '0',
        isWatched: tag === 'H' || tag === 'M',
        isSkipped: tag === 'S' || tag === 's',
      });
    }
    lastPath = path;
    start = end + 1;
  }
  return entries;
}

/** Number of fields before the path, by the first letter of the line: a change, a rename, a conflict. git-status. */
const FIELD_COUNTS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/**
 * Parses the output of `git status --porcelain=v2 -z --branch`, whose lines end with NUL. `head` is the id of the
 * current commit; null if there is none. Throws `git` if the output is truncated or malformed.
 */
export function parseStatus(output: string): {
  readonly head: string | null;
  readonly entries: readonly StatusEntry[];
} {
  let head: string | null = null;
  const entries: StatusEntry[] = [];
  const lines = output.split('\0');
  if (lines.pop() !== '') throw unreadable('status');
  const remainingLines = lines.values();
  for (const line of remainingLines) {
    const letter = line.charAt(0);
    if (line.startsWith('# branch.oid ')) {
      const oid = line.slice('# branch.oid '.length);
      head = oid === '(initial)' ? null : oid;
    } else if (letter === '?' || letter === '!') {
      entries.push(unknownFile(line.slice(2), letter === '?' ? 'untracked' : 'ignored'));
    } else {
      const fieldCount = FIELD_COUNTS[letter];
      if (fieldCount === undefined) continue;
      const entry = changedFile(line, fieldCount);
      if (entry.isStaged || entry.isModified) entries.push(entry);
      // The old path of a renamed file follows as a separate line.
      if (letter === '2') remainingLines.next();
    }
  }
  return { head, entries };
}

/** Returns the entry of a file that the index does not have. A folder's path ends in a slash. */
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

/**
 * Parses a line such as `1 .M N... 100644 100644 100644 ID ID path`: the states in the index and on disk, then `S`
 * for a submodule or `N`. `fieldCount` is the number of fields before the path.
 */
function changedFile(line: string, fieldCount: number): StatusEntry {
  let pathStart = 0;
  for (let field = 0; field < fieldCount; field++) {
    pathStart = line.indexOf(' ', pathStart) + 1;
    if (pathStart === 0) throw unreadable('status');
  }
  const inIndex = line[2];
  const onDisk = line[3];
  const isSubmodule = line[5] === 'S';
  const isConflict = line[0] === 'u';
  return {
    path: line.slice(pathStart),
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
