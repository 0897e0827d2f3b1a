/** A git repository on disk, read without starting git. Git's own documentation: gitrepository-layout. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TsregError, withContext } from '../errors/error.ts';
import { ObjectStore } from './object-store.ts';

/** Which commit is asked for; the same shape as the reference of a git source. */
export type Reference =
  | { readonly kind: 'tag' | 'branch' | 'rev'; readonly name: string }
  | { readonly kind: 'default' };

/** An existing repository. */
export interface Repository {
  /** The folder with `HEAD`, `objects` and `refs`. */
  readonly gitDir: string;
  /** The folder with the files; null for a bare repository. */
  readonly workDir: string | null;
  readonly objects: ObjectStore;
}

const FULL_ID = /^[0-9a-f]{40}$/i;
const ABBREVIATED_ID = /^[0-9a-f]{4,40}$/i;
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
  let text: string;
  try {
    text = readFileSync(join(gitDir, 'packed-refs'), 'utf8');
  } catch {
    return null;
  }
  for (const line of text.split('\n'))
    if (line.slice(41) === name && line[40] === ' ') return line.slice(0, 40);
  return null;
}

/** Follows annotated tags from `oid` to a commit. Throws if it ends elsewhere. */
function peelToCommit(repository: Repository, oid: string): string {
  let current = oid;
  for (;;) {
    const object = repository.objects.read(current);
    if (object === null)
      throw libgit2Error(`object not found - no match for id (${current})`, 'Odb (9)', 'NotFound (-3)');
    if (object.kind === 'commit') return current;
    const target = object.kind === 'tag' ? tagTarget(object.data) : null;
    if (target === null)
      throw libgit2Error(
        `the git_object of id '${oid}' can not be successfully peeled into a commit (git_object_t=1).`,
        'Object (3)',
        'InvalidSpec (-12)',
      );
    current = target;
  }
}

function tagTarget(data: Buffer): string | null {
  return /^object ([0-9a-f]{40})\n/.exec(data.toString('latin1', 0, 48))?.[1] ?? null;
}

/**
 * The commit that a reference of a git dependency means in a repository that fetched it, as cargo lays its
 * repositories out (`refs/remotes/origin/…`). Throws in cargo's words if it is not there.
 */
export function resolveReference(repository: Repository, reference: Reference): string {
  switch (reference.kind) {
    case 'tag':
      return withContext(`failed to find tag \`${reference.name}\``, () => {
        const name = `refs/remotes/origin/tags/${reference.name}`;
        return peelToCommit(repository, mustRead(repository, name));
      });
    case 'branch':
      return withContext(`failed to find branch \`${reference.name}\``, () => {
        const oid = readReference(repository, `refs/remotes/origin/${reference.name}`);
        if (oid !== null) return oid;
        throw libgit2Error(
          `cannot locate remote-tracking branch 'origin/${reference.name}'`,
          'Reference (4)',
          'NotFound (-3)',
        );
      });
    case 'default':
      return peelToCommit(repository, mustRead(repository, 'refs/remotes/origin/HEAD'));
    case 'rev':
      return resolveRevision(repository, reference.name);
  }
}

function mustRead(repository: Repository, name: string): string {
  const oid = readReference(repository, name);
  if (oid !== null) return oid;
  throw libgit2Error(`reference '${name}' not found`, 'Reference (4)', 'NotFound (-3)');
}

/** Resolves `rev = "…"`: an id, its beginning, or the name of a reference. A tag stands for what it points to. */
function resolveRevision(repository: Repository, revision: string): string {
  const oid = findRevision(repository, revision);
  if (oid === null) throw libgit2Error(`revspec '${revision}' not found`, 'Reference (4)', 'NotFound (-3)');
  const object = repository.objects.read(oid);
  return (object?.kind === 'tag' ? tagTarget(object.data) : null) ?? oid;
}

function findRevision(repository: Repository, revision: string): string | null {
  const id = isFullId(revision) ? revision.toLowerCase() : null;
  if (id !== null && repository.objects.has(id)) return id;
  for (const prefix of ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']) {
    // Without a prefix only `HEAD` and its like are references, never `config` or `description`.
    if (prefix === '' && !revision.startsWith('refs/') && !/^[A-Z_]+$/.test(revision)) continue;
    const oid = readReference(repository, prefix + revision);
    if (oid !== null) return oid;
  }
  const head = readReference(repository, `refs/remotes/${revision}/HEAD`);
  if (head !== null) return head;
  const abbreviated = ABBREVIATED_ID.test(revision) ? revision : /-g([0-9a-f]{4,40})$/i.exec(revision)?.[1];
  if (abbreviated === undefined) return null;
  const ids = repository.objects.withPrefix(abbreviated.toLowerCase());
  if (ids.length > 1)
    throw libgit2Error(`ambiguous OID prefix - found multiple pack entries`, 'Odb (9)', 'Ambiguous (-5)');
  return ids[0] ?? null;
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

function findEntry(tree: Buffer, name: string): TreeEntry | null {
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
