/**
 * Resolves a tag, a branch, or a revision such as `v1~2` or `HEAD^{tree}` to a commit. Git's own documentation:
 * gitrevisions. Follows libgit2 in its messages and in details that git leaves open.
 */
import { TsregError, withContext } from '../../core/errors/error.ts';
import { findByMessage } from './commit-search.ts';
import { libgit2Error } from './libgit2-error.ts';
import type { ObjectKind } from './packed-object.ts';
import { mustReadObject, parentOf, peel, peelToCommit, tagTarget, withoutTags } from './peel.ts';
import { findReference, type ResolvedReference } from './reference-name.ts';
import { findEntry, isFullId, listReferencedIds, readReference, type Repository } from './repository.ts';

/** A tag, branch or revision, in the same form as the reference of a git source. */
export type Reference =
  | { readonly kind: 'tag' | 'branch' | 'rev'; readonly name: string }
  | { readonly kind: 'default' };

const HEX = /^[0-9a-f]+$/i;
const ID_LENGTH = 40;
/** Limits of libgit2. */
const MIN_ABBREVIATION = 4;
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the id that a git dependency's reference resolves to. `repository` must have cargo's layout
 * (`refs/remotes/origin/…`). Throws with cargo's message if the reference does not exist. A `rev` may resolve to an
 * object that is not a commit; only the checkout rejects it.
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
        throw notFound(`cannot locate remote-tracking branch 'origin/${reference.name}'`);
      });
    case 'default':
      return peelToCommit(repository, mustRead(repository, 'refs/remotes/origin/HEAD'));
    case 'rev':
      return resolveRevision(repository, reference.name);
  }
}

/** Returns the id of a full reference name. Throws with libgit2's message if it does not exist. */
function mustRead(repository: Repository, name: string): string {
  const oid = readReference(repository, name);
  if (oid !== null) return oid;
  throw notFound(`reference '${name}' not found`);
}

/** Resolves `rev = "…"`. Follows a tag only once, as cargo does. */
function resolveRevision(repository: Repository, revision: string): string {
  const oid = new RevisionReader(repository, revision).read();
  const object = mustReadObject(repository, oid);
  return (object.kind === 'tag' ? tagTarget(object.data) : null) ?? oid;
}

/** Reads a revision from left to right: a name, then operators that each lead from one object to another. */
class RevisionReader {
  readonly #repository: Repository;
  readonly #text: string;
  /** Index of the first character that was not read. */
  #position = 0;
  /** End of the name, which starts at index 0. */
  #nameEnd = 0;
  /** Id of the current object; null until it is looked up. */
  #oid: string | null = null;

  constructor(repository: Repository, text: string) {
    this.#repository = repository;
    this.#text = text === '@' ? 'HEAD' : text;
  }

  /** Returns the id of the object that the revision names. */
  read(): string {
    while (this.#position < this.#text.length) this.#readNext();
    return this.#object();
  }

  /** Reads one operator, or one character of the name. */
  #readNext(): void {
    if (this.#follows('^{')) this.#oid = this.#convert(this.#object());
    else if (this.#follows('^')) this.#oid = this.#parent(this.#object());
    else if (this.#follows('~')) this.#oid = this.#ancestor();
    else if (this.#follows(':')) this.#oid = this.#lookInto();
    else if (this.#follows('@{')) this.#oid = this.#lookBack();
    else if (this.#oid !== null) throw this.#invalid();
    else this.#nameEnd = ++this.#position;
  }

  /** Returns true if the text goes on with `operator`. */
  #follows(operator: string): boolean {
    return this.#text.startsWith(operator, this.#position);
  }

  #name(): string {
    return this.#text.slice(0, this.#nameEnd);
  }

  #invalid(): TsregError {
    return libgit2Error(
      `failed to parse revision specifier - Invalid pattern '${this.#text}'`,
      'Invalid (3)',
      'InvalidSpec (-12)',
    );
  }

  /** Returns the id of the current object, which it looks up if only a name was read. */
  #object(): string {
    if (this.#oid !== null) return this.#oid;
    this.#oid = this.#lookUp(this.#name());
    return this.#oid;
  }

  /** Looks up a name, in libgit2's order: a full id, a reference, an abbreviated id, a name by `git describe`. */
  #lookUp(name: string): string {
    const { objects } = this.#repository;
    if (isFullId(name) && objects.has(name.toLowerCase())) return name.toLowerCase();
    const reference = this.#findReference(name);
    if (reference !== null) return reference.oid;
    const oid = name.length < ID_LENGTH ? findAbbreviated(this.#repository, name) : null;
    if (oid !== null) return oid;
    // `git describe` prints a tag, the number of commits since it, and the id.
    const describedId = /.+-[0-9]+-g[0-9a-f]+/i.test(name) ? name.slice(name.indexOf('-g') + 2) : '';
    const describedOid = findAbbreviated(this.#repository, describedId);
    if (describedOid !== null) return describedOid;
    throw notFound(`revspec '${name}' not found`);
  }

  #findReference(name: string): ResolvedReference | null {
    const result = findReference(this.#repository, name);
    if (result === 'invalid') throw this.#invalid();
    return result;
  }

  /** Follows `oid` to an object of a kind. Throws if that is not possible. */
  #peel(oid: string, kind: ObjectKind): string {
    const peeled = peel(this.#repository, oid, kind);
    if (peeled === null) throw this.#invalid();
    return peeled;
  }

  /** Reads `^{…}`: the object as another type, or the newest ancestor whose message matches. */
  #convert(oid: string): string {
    const target = this.#readBraces();
    switch (target) {
      case '':
        return withoutTags(this.#repository, oid);
      case 'commit':
      case 'tree':
      case 'blob':
      case 'tag':
        return this.#peel(oid, target);
    }
    if (!target.startsWith('/')) throw this.#invalid();
    return this.#search(() => [this.#startOfSearch(oid)], target.slice(1));
  }

  /** Returns the commit that `^{/text}` starts from. */
  #startOfSearch(oid: string): string {
    const end = withoutTags(this.#repository, oid);
    if (end === oid || mustReadObject(this.#repository, end).kind === 'commit')
      return this.#peel(end, 'commit');
    throw libgit2Error('object is not a committish', 'Invalid (3)', 'Peel (-19)');
  }

  /**
   * Returns the newest commit from `starts` on whose message matches. `starts` is called before the pattern is checked:
   * the errors have libgit2's order.
   */
  #search(starts: () => readonly string[], pattern: string): string {
    const result = findByMessage(this.#repository, starts(), this.#compile(pattern));
    if (result === null) throw wordlessError();
    return result;
  }

  /** Compiles the pattern of a search. Throws libgit2's error if it is invalid. */
  #compile(pattern: string): RegExp {
    if (pattern === '') throw this.#invalid();
    try {
      return new RegExp(pattern);
    } catch {
      throw this.#invalid();
    }
  }

  /** Reads `^` and `^2`: a parent of a commit; `^0`: the commit itself. */
  #parent(oid: string): string {
    this.#position++;
    const number = this.#readNumber() ?? 1;
    const commit = this.#peel(oid, 'commit');
    return number === 0 ? commit : parentOf(this.#repository, commit, number - 1);
  }

  /** Reads `~`, `~~` and `~3`: that many first parents back. */
  #ancestor(): string {
    let generations = 0;
    while (this.#follows('~')) {
      this.#position++;
      generations += this.#readNumber() ?? 1;
    }
    let commit = this.#peel(this.#object(), 'commit');
    for (; generations > 0; generations--) commit = parentOf(this.#repository, commit, 0);
    return commit;
  }

  /** Reads `:path`: an entry of a tree; `:/text` at the beginning: the newest commit whose message matches. */
  #lookInto(): string {
    const path = this.#text.slice(this.#position + 1);
    this.#position = this.#text.length;
    if (this.#oid !== null || this.#nameEnd > 0)
      return findInTree(this.#repository, this.#peel(this.#object(), 'tree'), path);
    // Other forms read the index, which cargo's repositories do not have.
    if (!path.startsWith('/')) throw libgit2Error('unimplemented', 'Invalid (3)');
    return this.#search(() => this.#allCommits(), path.slice(1));
  }

  /** Returns the commits that references lead to. */
  #allCommits(): readonly string[] {
    const ends = listReferencedIds(this.#repository).map((oid) => withoutTags(this.#repository, oid));
    return ends.filter((oid) => mustReadObject(this.#repository, oid).kind === 'commit');
  }

  /** Reads `@{0}`: the current value of a reference. cargo's repositories have no reflog. */
  #lookBack(): string {
    const content = this.#readBraces();
    if (this.#oid !== null) throw this.#invalid();
    const position = /^\s*[-+]?\d+$/.test(content) ? Number(content) : Number.NaN;
    if (position < 0 && this.#nameEnd === 0) throw wordlessError();
    if (content.startsWith('-')) throw this.#invalid();
    const isUpstream = content === 'u' || content === 'upstream';
    if (Number.isNaN(position) && !isUpstream) throw this.#invalid();
    const { name, oid } = this.#referenceOfPast(position);
    // Only local branches have an upstream, and there are none.
    if (isUpstream) throw this.#invalid();
    if (position === 0) return oid;
    throw notFound(`reflog for '${name}' has only 0 entries, asked for ${position}`);
  }

  /** Returns the reference before `@{…}` and its current value. `position` is the requested number of changes ago. */
  #referenceOfPast(position: number): ResolvedReference {
    const name = this.#name();
    // `HEAD` has a reflog even if its branch does not exist.
    if (position > 0 && name === 'HEAD') return { name, oid: '' };
    const result = this.#findReference(name === '' ? 'HEAD' : name);
    if (result === null) throw notFound(`no reference found for shorthand '${name}'`);
    return result;
  }

  /** Reads an operator of two characters, such as `^{`, and the text up to `}`. Returns that text. */
  #readBraces(): string {
    const end = this.#text.indexOf('}', this.#position);
    if (end < 0) throw this.#invalid();
    const content = this.#text.slice(this.#position + 2, end);
    this.#position = end + 1;
    return content;
  }

  /** Reads a number; null if there is none. */
  #readNumber(): number | null {
    const digits = /^\d+/.exec(this.#text.slice(this.#position))?.[0];
    if (digits === undefined) return null;
    this.#position += digits.length;
    if (Number(digits) > MAX_INT32) throw this.#invalid();
    return Number(digits);
  }
}

/** Returns the full id of an abbreviated one; null if there is none. Throws if it is too short or ambiguous. */
function findAbbreviated(repository: Repository, text: string): string | null {
  if (!HEX.test(text)) return null;
  if (text.length < MIN_ABBREVIATION)
    throw libgit2Error('ambiguous lookup - OID prefix is too short', 'Object (11)', 'Ambiguous (-5)');
  const ids = repository.objects.withPrefix(text.toLowerCase());
  if (ids.length > 1)
    throw libgit2Error('ambiguous OID prefix - found multiple pack entries', 'Odb (9)', 'Ambiguous (-5)');
  return ids[0] ?? null;
}

/** Returns the id of the entry at `path` in a tree. */
function findInTree(repository: Repository, tree: string, path: string): string {
  if (path === '') return tree;
  const [name = '', ...remainingParts] = path.split('/');
  if (name === '') throw notInTree('invalid tree path given');
  const entry = findEntry(mustReadObject(repository, tree).data, name);
  if (entry === null) throw notInTree(`the path '${name}' does not exist in the given tree`);
  if (remainingParts.length === 0) return entry.oid;
  if (entry.kind !== 'folder') throw notInTree(`the path '${name}' exists but is not a tree`);
  return findInTree(repository, entry.oid, remainingParts.join('/'));
}

function notInTree(message: string): TsregError {
  return libgit2Error(message, 'Tree (14)', 'NotFound (-3)');
}

function notFound(message: string): TsregError {
  return libgit2Error(message, 'Reference (4)', 'NotFound (-3)');
}

/** Returns cargo's error for a lookup that fails in libgit2 without a message. */
function wordlessError(): TsregError {
  return new TsregError('no error; code=NotFound (-3)', { code: 'git' });
}
