/** Checks reference names and resolves short ones. Git's own documentation: git-check-ref-format, gitrevisions. */
import { readReference, type Repository } from './repository.ts';

/** A reference and the id that it leads to. */
export interface ResolvedReference {
  /** The full name. */
  readonly name: string;
  readonly oid: string;
}

/** The characters that git-check-ref-format excludes, in addition to white space and control characters. */
const FORBIDDEN = '~^:?*[\\';

/** Returns true if `name` is a valid full name of a reference. */
export function isReferenceName(name: string): boolean {
  if (Array.from(name).some((character) => character <= ' ' || FORBIDDEN.includes(character))) return false;
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false;
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'))) return false;
  // Outside `refs`, only names like `HEAD` are references, never `config` or `description`.
  return parts[0] === 'refs' ? parts.length > 1 : /^[A-Z](?:[A-Z_]*[A-Z])?$/.test(name);
}

/** Returns the reference of a short name. Returns null if it does not exist, 'invalid' if the name is not valid. */
export function findReference(
  repository: Repository,
  shortName: string,
): ResolvedReference | 'invalid' | null {
  // gitrevisions, `<refname>`: the first existing name counts.
  const names = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map(
    (prefix) => prefix + shortName,
  );
  names.push(`refs/remotes/${shortName}/HEAD`);
  const valid = names.filter(isReferenceName);
  for (const name of valid) {
    const oid = readReference(repository, name);
    if (oid !== null) return { name, oid };
  }
  return valid.length === 0 ? 'invalid' : null;
}
