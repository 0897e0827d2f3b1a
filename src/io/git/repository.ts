/** Reads a git repository on disk without starting git. Git's own documentation: gitrepository-layout. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { ObjectStore } from './object-store.ts';

/** An existing repository. */
export interface Repository {
  /** The folder with `HEAD`, `objects` and `refs`. */
  readonly gitDir: string;
  /** The folder with the files; null for a bare repository. */
  readonly workDir: string | null;
  readonly objects: ObjectStore;
}

const FULL_ID = /^[0-9a-f]{40}$/i;
const ID_LENGTH = 40;
const ID_BYTES = 20;
/** git's limit on references that lead to references. */
const MAX_SYMBOLIC_DEPTH = 5;

/** Returns true if `text` is a full hexadecimal id. */
export function isFullId(text: string): boolean {
  return FULL_ID.test(text);
}

/** Opens the repository at `path` (bare, or with `.git` inside), or returns null. Does not search parent folders. */
export function openRepository(path: string): Repository | null {
  const gitDir = findGitDir(join(path, '.git'));
  if (gitDir !== null) return { gitDir, workDir: path, objects: new ObjectStore(join(gitDir, 'objects')) };
  if (!isGitDir(path)) return null;
  const workDir = path.endsWith('/.git') ? resolve(path, '..') : null;
  return { gitDir: path, workDir, objects: new ObjectStore(join(path, 'objects')) };
}

/** Returns the git folder at `dotGit`, or the one that a file there names; null if there is none. */
function findGitDir(dotGit: string): string | null {
  if (!existsSync(dotGit)) return null;
  if (statSync(dotGit).isDirectory()) return isGitDir(dotGit) ? dotGit : null;
  const target = /^gitdir: (.+)\n?$/.exec(readFileSync(dotGit, 'utf8'))?.[1];
  if (target === undefined) return null;
  const path = resolve(dotGit, '..', target);
  return isGitDir(path) ? path : null;
}

/** Returns true if a folder has the entries by which git recognizes a repository. */
export function isGitDir(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

/** Resolves a full reference name (`HEAD`, `refs/…`), also through symbolic references; null if it does not exist. */
export function readReference(repository: Repository, name: string): string | null {
  let current = name;
  for (let depth = 0; depth <= MAX_SYMBOLIC_DEPTH; depth++) {
    const text = readLoose(repository.gitDir, current) ?? readPacked(repository.gitDir, current);
    if (text === null) return null;
    if (!text.startsWith('ref: ')) return isFullId(text) ? text.toLowerCase() : null;
    current = text.slice('ref: '.length).trim();
  }
  return null;
}

/** Returns the text of a reference in a file of its own; null if it is missing or unreadable. */
function readLoose(gitDir: string, name: string): string | null {
  // A name from a manifest must not lead out of the repository.
  if (name.split('/').includes('..')) return null;
  try {
    return readFileSync(join(gitDir, name), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Returns the id of a reference in `packed-refs`; null if it is not there. */
function readPacked(gitDir: string, name: string): string | null {
  const line = readPackedLines(gitDir).find((text) => text.slice(ID_LENGTH) === ` ${name}`);
  return line?.slice(0, ID_LENGTH) ?? null;
}

/** Returns the lines of `packed-refs`: an id, a space and the name of a reference; and others, such as comments. */
function readPackedLines(gitDir: string): readonly string[] {
  try {
    return readFileSync(join(gitDir, 'packed-refs'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Returns the ids of all references, sorted by reference name. Leaves out references that cannot be read. */
export function listReferencedIds(repository: Repository): readonly string[] {
  const { gitDir } = repository;
  const oids = new Map<string, string | null>();
  for (const line of readPackedLines(gitDir))
    if (isFullId(line.slice(0, ID_LENGTH))) oids.set(line.slice(ID_LENGTH + 1), line.slice(0, ID_LENGTH));
  for (const entry of readdirSync(join(gitDir, 'refs'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = relative(gitDir, join(entry.parentPath, entry.name)).split(sep).join('/');
    oids.set(name, readReference(repository, name));
  }
  return [...oids.keys()].sort().flatMap((name) => oids.get(name) ?? []);
}

/** libgit2's `GIT_ABBREV_DEFAULT`. */
const MIN_SHORT_ID_LENGTH = 7;

/** Returns the shortest prefix of an id, at least 7 digits, that no other object shares. */
export function shortId(repository: Repository, oid: string): string {
  for (let length = MIN_SHORT_ID_LENGTH; length < ID_LENGTH; length++) {
    const short = oid.slice(0, length);
    if (repository.objects.withPrefix(short).length < 2) return short;
  }
  return oid;
}

/** An entry in the tree of a commit. */
export interface TreeEntry {
  readonly oid: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule';
}

/** The files of one commit. Reads each folder once. */
export class CommitTree {
  readonly #objects: ObjectStore;
  readonly #root: string | null;
  readonly #folders = new Map<string, Buffer | null>();

  /** Opens the tree of `commit`. It is empty if the repository does not have the commit. */
  constructor(repository: Repository, commit: string) {
    this.#objects = repository.objects;
    const lineLength = 'tree '.length + ID_LENGTH + '\n'.length;
    const text = this.#objects.read(commit)?.data.toString('latin1', 0, lineLength) ?? '';
    this.#root = /^tree ([0-9a-f]{40})\n/.exec(text)?.[1] ?? null;
  }

  /** Returns the entry at `path`, or null if it does not exist. */
  find(path: string): TreeEntry | null {
    let current: TreeEntry | null = this.#root === null ? null : { oid: this.#root, kind: 'folder' };
    for (const name of path.split('/')) {
      if (current?.kind !== 'folder') return null;
      const folder = this.#readFolder(current.oid);
      current = folder === null ? null : findEntry(folder, name);
    }
    return current;
  }

  /** Returns the content of a tree object; null if it is missing or of another kind. */
  #readFolder(oid: string): Buffer | null {
    let data = this.#folders.get(oid);
    if (data === undefined) {
      const tree = this.#objects.read(oid);
      data = tree?.kind === 'tree' ? tree.data : null;
      this.#folders.set(oid, data);
    }
    return data;
  }
}

/** Kinds by their mode, in octal. All other entries are files. */
const TREE_KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '40000': 'folder',
  '120000': 'symlink',
  '160000': 'submodule',
};

/**
 * Returns the entry `name` of a tree object, or null if it does not exist. An entry is its mode, a space, its name, a
 * NUL and the 20 bytes of its id.
 */
export function findEntry(tree: Buffer, name: string): TreeEntry | null {
  const nameBytes = Buffer.from(name);
  for (let start = 0; start < tree.length; ) {
    const space = tree.indexOf(' ', start);
    const nul = tree.indexOf(0, space + 1);
    if (space < 0 || nul < 0) return null;
    const end = nul + 1 + ID_BYTES;
    if (tree.compare(nameBytes, 0, nameBytes.length, space + 1, nul) === 0) {
      const kind = TREE_KINDS[tree.toString('latin1', start, space)] ?? 'file';
      return { oid: tree.toString('hex', nul + 1, end), kind };
    }
    start = end;
  }
  return null;
}
