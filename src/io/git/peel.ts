/** Follows tags to tagged objects and commits to their files. Git's own documentation: gitrevisions, `^{}`. */
import type { TsregError } from '../../core/errors/error.ts';
import { libgit2Error } from './libgit2-error.ts';
import type { GitObject, ObjectKind } from './packed-object.ts';
import type { Repository } from './repository.ts';

/** The content of a commit object. A field that the object lacks is empty or 0. */
export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Commit time, in seconds since 1970. */
  readonly time: number;
  readonly message: string;
}

/** libgit2's numbers for object types, which appear in its messages. */
const KIND_NUMBERS: Readonly<Record<ObjectKind, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Returns the object of a full id. Throws with libgit2's message if it does not exist. */
export function mustReadObject(repository: Repository, oid: string): GitObject {
  const object = repository.objects.read(oid);
  if (object !== null) return object;
  throw libgit2Error(`object not found - no match for id (${oid})`, 'Odb (9)', 'NotFound (-3)');
}

/** Reads the commit of a full id. Throws with libgit2's message if it does not exist. */
export function readCommit(repository: Repository, oid: string): Commit {
  const { data } = mustReadObject(repository, oid);
  const text = data.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end + 1);
  return {
    tree: treeOf(data) ?? '',
    parents: Array.from(head.matchAll(/(?<=^parent )[0-9a-f]{40}(?=\n)/gm), (match) => match[0]),
    time: Number(/^committer .* (\d+) [-+]\d+\n/m.exec(head)?.[1] ?? 0),
    message: end < 0 ? '' : text.slice(end).replace(/^\n+/, ''),
  };
}

/**
 * Follows `oid` to an object of the type `targetKind` and returns its id. Returns null if the first object cannot be
 * followed to that type. Throws if a later one cannot: libgit2 distinguishes the two.
 */
export function peel(repository: Repository, oid: string, targetKind: ObjectKind): string | null {
  let current = oid;
  for (;;) {
    const object = mustReadObject(repository, current);
    if (object.kind === targetKind) return current;
    const next = followOnce(object, targetKind);
    if (next === null && current === oid) return null;
    if (next === null) throw peelError(oid, targetKind, 'Peel (-19)');
    current = next;
  }
}

/** Returns the id of the target of a tag, or of a commit's tree if that is wanted; null for any other object. */
function followOnce({ kind, data }: GitObject, targetKind: ObjectKind): string | null {
  if (kind === 'tag') return tagTarget(data);
  return kind === 'commit' && targetKind === 'tree' ? treeOf(data) : null;
}

/** Returns the id of a tag object's target, or null if `data` is malformed. */
export function tagTarget(data: Buffer): string | null {
  return /^object ([0-9a-f]{40})\n/.exec(firstLineOf(data))?.[1] ?? null;
}

/** Returns the id of a commit's tree, or null if the commit is malformed. */
function treeOf(commit: Buffer): string | null {
  return /^tree ([0-9a-f]{40})\n/.exec(firstLineOf(commit))?.[1] ?? null;
}

/** Returns the first line of a tag or commit, which names its target, and the line break. */
function firstLineOf(data: Buffer): string {
  return data.toString('latin1', 0, 'object '.length + 40 + '\n'.length);
}

/** Follows annotated tags from `oid` to a commit, and returns its id. Throws if they lead to another object. */
export function peelToCommit(repository: Repository, oid: string): string {
  const commit = peel(repository, oid, 'commit');
  if (commit === null) throw peelError(oid, 'commit', 'InvalidSpec (-12)');
  return commit;
}

function peelError(oid: string, targetKind: ObjectKind, code: string): TsregError {
  return libgit2Error(
    `the git_object of id '${oid}' can not be successfully peeled into a ${targetKind} (git_object_t=${KIND_NUMBERS[targetKind]}).`,
    'Object (11)',
    code,
  );
}

/** Follows annotated tags, including tags of tags, to the tagged object. Returns its id; `oid` if it is no tag. */
export function withoutTags(repository: Repository, oid: string): string {
  for (let current = oid; ; ) {
    const object = mustReadObject(repository, current);
    const target = object.kind === 'tag' ? tagTarget(object.data) : null;
    if (target === null) return current;
    current = target;
  }
}

/** Returns a parent of a commit; the first has index 0. Throws with libgit2's message if it does not exist. */
export function parentOf(repository: Repository, commit: string, index: number): string {
  const parent = readCommit(repository, commit).parents[index];
  if (parent !== undefined) return parent;
  throw libgit2Error(`parent ${index} does not exist`, 'Invalid (3)', 'NotFound (-3)');
}
