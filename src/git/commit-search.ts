/** Looks for a commit by its message. Git's own documentation: gitrevisions, `:/<text>` and `^{/<text>}`. */
import { readCommit, type Commit } from './peel.ts';
import type { Repository } from './repository.ts';

/** The newest of the commits `starts` and their ancestors whose message matches `regex`; null if there is none. */
export function findByMessage(
  repository: Repository,
  starts: readonly string[],
  regex: RegExp,
): string | null {
  // The last line's end is not in the way of `$`.
  for (const { oid, commit } of newestFirst(repository, starts))
    if (regex.test(commit.message.replace(/\n$/, ''))) return oid;
  return null;
}

interface DatedCommit {
  readonly oid: string;
  readonly commit: Commit;
}

function* newestFirst(repository: Repository, starts: readonly string[]): Generator<DatedCommit> {
  const seen = new Set<string>();
  const waiting: DatedCommit[] = [];
  const add = (oid: string): void => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const commit = readCommit(repository, oid);
    // Of commits of the same second the one that was met first comes first.
    const at = waiting.findIndex((other) => other.commit.time < commit.time);
    waiting.splice(at < 0 ? waiting.length : at, 0, { oid, commit });
  };
  starts.forEach(add);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    yield next;
    next.commit.parents.forEach(add);
  }
}
