/** Finds a commit by its message. Git's own documentation: gitrevisions, `:/<text>` and `^{/<text>}`. */
import { runInNewContext } from 'node:vm';
import { TsregError } from '../../core/errors/error.ts';
import { readCommit, type Commit } from './peel.ts';
import type { Repository } from './repository.ts';

/** Number of commits whose messages are matched in one call. */
const BATCH_SIZE = 64;
/** Time limit for matching in one search: both the expression and the messages are untrusted. */
const MAX_SEARCH_MS = 2000;

/**
 * Returns the newest of the commits `starts` and their ancestors whose message matches `regex`; null if there is none.
 * Throws `limit` if matching takes longer than two seconds.
 */
export function findByMessage(
  repository: Repository,
  starts: readonly string[],
  regex: RegExp,
): string | null {
  const commits = newestFirst(repository, starts);
  let leftMs = MAX_SEARCH_MS;
  for (;;) {
    const batch: DatedCommit[] = [];
    for (let next = commits.next(); next.done !== true; next = commits.next()) {
      batch.push(next.value);
      if (batch.length === BATCH_SIZE) break;
    }
    if (batch.length === 0) return null;
    const startedAt = performance.now();
    // `$` must match before the last line break.
    const texts = batch.map(({ commit }) => commit.message.replace(/\n$/, ''));
    // Without a match, the index is -1, where no array has an element.
    const matching = batch[firstMatch(regex, texts, leftMs)];
    if (matching !== undefined) return matching.oid;
    leftMs -= performance.now() - startedAt;
  }
}

/** Returns the index of the first match, or -1. Throws `limit` after `maxMs`: only a VM timeout stops a slow regex. */
function firstMatch(regex: RegExp, texts: readonly string[], maxMs: number): number {
  try {
    const timeout = Math.max(1, Math.ceil(maxMs));
    return Number(
      runInNewContext('texts.findIndex((text) => regex.test(text))', { regex, texts }, { timeout }),
    );
  } catch (cause) {
    throw new TsregError(`matching \`${regex.source}\` against the messages of commits takes too long`, {
      code: 'limit',
      cause,
    });
  }
}

interface DatedCommit {
  readonly oid: string;
  readonly commit: Commit;
}

/** Yields commits and their ancestors, by time. A commit appears after the first of its children. */
function* newestFirst(repository: Repository, starts: readonly string[]): Generator<DatedCommit> {
  const seenIds = new Set<string>();
  const queue: DatedCommit[] = [];
  const add = (oid: string): void => {
    if (seenIds.has(oid)) return;
    seenIds.add(oid);
    const commit = readCommit(repository, oid);
    // Commits of the same second stay in the order of discovery.
    const firstOlder = queue.findIndex((other) => other.commit.time < commit.time);
    queue.splice(firstOlder < 0 ? queue.length : firstOlder, 0, { oid, commit });
  };
  starts.forEach(add);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    yield next;
    next.commit.parents.forEach(add);
  }
}
