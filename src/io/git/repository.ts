/** Reads a git repository on disk without starting git. Git's own documentation: gitrepository-layout. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
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
const MAX_SYMBOLIC_DEPTH = 5;

/** Returns true if `text` is a full hexadecimal id. */
export function isFullId(text: string): boolean {
  return FULL_ID.test(text);
}

/** Opens the repository at `path` (bare, or with `.git` inside), or returns null. Does not search parent folders. */
export function openRepository(path: string): Repository | null {
  const inner = join(path, '.git');
  const found = findGitDir(inner);
  if (found !== null)
    return { gitDir: found, workDir: path, objects: new ObjectStore(join(found, 'objects')) };
  if (!looksLikeGitDir(path)) return null;
  const workDir = path.endsWith('/.git') ? resolve(path, '..') : null;
  return { gitDir: path, workDir, objects: new ObjectStore(join(path, 'objects')) };
}

function findGitDir(inner: string): string | null {
  if (!existsSync(inner)) return null;
  if (statSync(inner).isDirectory()) return looksLikeGitDir(inner) ? inner : null;
  const target = /^gitdir: (.+)\n?$/.exec(readFileSync(inner, 'utf8'))?.[1];
  if (target === undefined) return null;
  const path = resolve(inner, '..', target);
  return looksLikeGitDir(path) ? path : null;
}

function looksLikeGitDir(path: string): boolean {
  return (
    existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')) && existsSync(join(path, 'refs'))
  );
}

/** Resolves a full reference name (`HEAD`, `refs/…`), also through symbolic references; null if it does not exist. */
export function readReference(repository: Repository, name: string): string | null {
  let wanted = name;
  for (let depth = 0; depth <= MAX_SYMBOLIC_DEPTH; depth++) {
    const text = readLoose(repository.gitDir, wanted) ?? readPacked(repository.gitDir, wanted);
    if (text === null) return null;
    if (!text.startsWith('ref: ')) return isFullId(text) ? text.toLowerCase() : null;
    wanted = text.slice(5).trim();
  }
  return null;
}

function readLoose(gitDir: string, name: string): string | null {
  // A name from a manifest must not lead out of the repository.
  if (name.split('/').includes('..')) return null;
  try {
    return readFileSync(join(gitDir, name), 'utf8').trim();
  } catch {
    return null;
  }
}

function readPacked(gitDir: string, name: string): string | null {
  const line = readPackedLines(gitDir).find((each) => each.slice(41) === name && each[40] === ' ');
  return line?.slice(0, 40) ?? null;
}

function readPackedLines(gitDir: string): readonly string[] {
  try {
    return readFileSync(join(gitDir, 'packed-refs'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Returns the ids of all references, sorted by reference name. Leaves out references that cannot be read. */
export function listReferenced(repository: Repository): readonly string[] {
  const { gitDir } = repository;
  const found = new Map<string, string | null>();
  for (const line of readPackedLines(gitDir))
    if (isFullId(line.slice(0, 40))) found.set(line.slice(41), line.slice(0, 40));
  for (const entry of readdirSync(join(gitDir, 'refs'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = relative(gitDir, join(entry.parentPath, entry.name)).split(sep).join('/');
    found.set(name, readReference(repository, name));
  }
  return [...found.keys()].sort().flatMap((name) => found.get(name) ?? []);
}

/** Returns the shortest prefix of an id, at least 7 digits, that no other object shares. */
export function shortId(repository: Repository, oid: string): string {
  for (let length = 7; length < 40; length++) {
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

/** The files of one commit. Each folder is read once. */
export class CommitTree {
  readonly #objects: ObjectStore;
  readonly #root: string | null;
  readonly #folders = new Map<string, Buffer | null>();

  /** Opens the tree of `commit`. It is empty if the repository does not have the commit. */
  constructor(repository: Repository, commit: string) {
    this.#objects = repository.objects;
    const text = this.#objects.read(commit)?.data.toString('latin1', 0, 46) ?? '';
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

const TREE_KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '40000': 'folder',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** Returns the entry `name` of a tree object, or null if it does not exist. */
export function findEntry(tree: Buffer, name: string): TreeEntry | null {
  const wanted = Buffer.from(name);
  for (let at = 0; at < tree.length; ) {
    const start = tree.indexOf(0x20, at) + 1;
    const end = tree.indexOf(0, start);
    if (start === 0 || end < 0) return null;
    if (tree.compare(wanted, 0, wanted.length, start, end) === 0) {
      const kind = TREE_KINDS[tree.toString('latin1', at, start - 1)] ?? 'file';
      return { oid: tree.toString('hex', end + 1, end + 21), kind };
    }
    at = end + 21;
  }
  return null;
}

/** Returns an error in libgit2's format, which cargo's users know. */
export function libgit2Error(message: string, className: string, code?: string): TsregError {
  const suffix = code === undefined ? '' : `; code=${code}`;
  return new TsregError(`${message}; class=${className}${suffix}`, { code: 'git' });
}
