/** A git repository on disk, read without starting git. Git's own documentation: gitrepository-layout. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { TsregError } from '../errors/error.ts';
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

/** True for the full hexadecimal id of a commit. */
export function isFullId(text: string): boolean {
  return FULL_ID.test(text);
}

/** The repository at `path` (bare, or with a `.git` in it), or null if there is none. Never looks further up. */
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

/** The id that a full reference name (`HEAD`, `refs/…`) leads to, symbolic ones followed; null if it is not there. */
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
  // A name out of a manifest must not lead out of the repository.
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

/** The ids that all references lead to, in the order of the references' names; what cannot be read is left out. */
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

/** The shortest beginning of an id, 7 digits or more, that no other object shares. */
export function shortId(repository: Repository, oid: string): string {
  for (let length = 7; length < 40; length++) {
    const short = oid.slice(0, length);
    if (repository.objects.withPrefix(short).length < 2) return short;
  }
  return oid;
}

/** What a name in the tree of a commit stands for. */
export interface TreeEntry {
  readonly oid: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule';
}

/** The files of one commit. Folders are read once. */
export class CommitTree {
  readonly #objects: ObjectStore;
  readonly #root: string | null;
  readonly #folders = new Map<string, Buffer | null>();

  /** The tree of `commit`, empty if the repository does not have it. */
  constructor(repository: Repository, commit: string) {
    this.#objects = repository.objects;
    const text = this.#objects.read(commit)?.data.toString('latin1', 0, 46) ?? '';
    this.#root = /^tree ([0-9a-f]{40})\n/.exec(text)?.[1] ?? null;
  }

  /** The entry at `path`, or null. */
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

/** The entry `name` of a tree object, or null. */
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

/** An error as libgit2 words it, which is how cargo's users know it. */
export function libgit2Error(message: string, className: string, code?: string): TsregError {
  const suffix = code === undefined ? '' : `; code=${code}`;
  return new TsregError(`${message}; class=${className}${suffix}`, { code: 'git' });
}
