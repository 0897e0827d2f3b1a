/** The first half of cargo's git cache: a bare database for each origin. Cargo Book: Cargo Home, `git/db`. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { TsregError, withContext, withContextAsync } from '../../core/errors/error.ts';
import { fetchReference, type FetchedOrigin, type GitContext } from './fetch.ts';
import { initializeRepository } from './initialize.ts';
import { runGit } from './process.ts';
import { isFullId, openRepository, type Repository } from './repository.ts';
import { resolveReference, type Reference } from './revision.ts';

/** A commit that a lock file pins (a full id in lower case), or a reference that is looked up. */
export type Revision = { readonly locked: string } | { readonly reference: Reference };

/** An origin's database and a commit in it. */
export interface Database {
  readonly url: string;
  /** Absolute folder of the bare repository. */
  readonly path: string;
  readonly repository: Repository;
  /** Id of the requested commit. */
  readonly commit: string;
}

/** The context of an update of the git cache. */
export interface GitCacheContext extends GitContext {
  /** Returns the database folder of an origin. Throws with cargo's message if `url` is not a URL. */
  readonly databasePath: (url: string) => string;
}

/** Parses a revision from a lock file: a full id is a pinned commit, any other text a reference. */
export function revisionOf(text: string): Revision {
  return isFullId(text) ? { locked: text.toLowerCase() } : { reference: { kind: 'rev', name: text } };
}

/** Returns the database if it is on disk and has the commit `locked`, so that no fetch is needed; otherwise null. */
export function findDatabase(url: string, path: string, locked: string): Database | null {
  const repository = openRepository(path);
  if (repository === null || !isReadable(repository, locked)) return null;
  return { url, path, repository, commit: locked };
}

/** An origin whose database must get a revision. */
export interface UpdatedOrigin {
  /** The URL that git fetches from. */
  readonly url: string;
  /** The URL that names the database, if it differs from `url`. */
  readonly sourceUrl?: string;
  readonly revision: Revision;
  /** The reference in the manifest, if `revision` is a commit that it was resolved to. */
  readonly declared?: Reference;
}

/**
 * Updates the database of an origin until it has the revision. A pinned commit that is already there needs no fetch;
 * otherwise reports `Updating` and fetches. Without network, resolves a reference in the existing database, or throws.
 */
export async function updateDatabase(
  origin: UpdatedOrigin,
  context: GitCacheContext,
  options: { readonly isSubmodule: boolean },
): Promise<Database> {
  const { url, revision, declared } = origin;
  const path = context.databasePath(origin.sourceUrl ?? url);
  if ('locked' in revision) {
    const database = findDatabase(url, path, revision.locked);
    if (database !== null) return database;
  }
  const repository = openRepository(path);
  const { offlineFlag } = context;
  if (offlineFlag !== null) {
    if ('locked' in revision || repository === null)
      throw new TsregError(`can't checkout from '${url}': you are in the offline mode (${offlineFlag})`, {
        code: 'network',
      });
    const commit = withContext(
      `failed to lookup reference in preexisting repository, and can't check for updates in offline mode (${offlineFlag})`,
      () => resolveReference(repository, revision.reference),
    );
    return { url, path, repository, commit };
  }
  context.report.status('Updating', `git ${options.isSubmodule ? 'submodule' : 'repository'} \`${url}\``);
  const reference: Reference =
    'locked' in revision ? { kind: 'rev', name: revision.locked } : revision.reference;
  const fetchedOrigin = { url, path, reference, repository, ...(declared === undefined ? {} : { declared }) };
  return fetchDatabase(fetchedOrigin, context);
}

/** Removes the user part of a URL, which may contain a password. */
function withoutUser(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//');
}

type ResolvedCommit = Pick<Database, 'repository' | 'commit'>;

/** Fetches a reference into the existing database, or into a new one. */
async function fetchDatabase(
  origin: FetchedOrigin & { readonly path: string; readonly repository: Repository | null },
  context: GitContext,
): Promise<Database> {
  const { url, path, reference } = origin;
  if (origin.repository !== null) {
    const resolved = await fetchInto(origin.repository, origin, context);
    if (resolved !== null) return { url, path, ...resolved };
  }
  // As in cargo: a database that lacks the revision after a fetch may be damaged, so start over. If the origin lacks
  // it, the new fetch says so. The caller holds the lock of the package cache.
  if (existsSync(path)) rmSync(path, { recursive: true });
  withContext(`failed to create directory \`${path}\``, () => mkdirSync(path, { recursive: true }));
  const repository = initializeRepository(path, { bare: true });
  await withContextAsync(`failed to clone into: ${path}`, () => fetchReference(repository, origin, context), {
    hint: `\`git ls-remote ${withoutUser(url)}\` shows git's own error; tsreg uses git's settings and credentials`,
  });
  return { url, path, repository, commit: resolveReference(repository, reference) };
}

/** Fetches into an existing database. Returns null if the revision is still missing, or if the database is damaged. */
async function fetchInto(
  repository: Repository,
  origin: FetchedOrigin & { readonly path: string },
  context: GitContext,
): Promise<ResolvedCommit | null> {
  const { path, reference } = origin;
  try {
    await withContextAsync(`failed to fetch into: ${path}`, () =>
      fetchReference(repository, origin, context),
    );
  } catch (error) {
    if (await hasLostObjects(path, context)) return null;
    throw error;
  }
  return tryResolve(path, reference);
}

/** Returns true if a reference leads to an unreadable object. git cannot fetch into such a repository. */
async function hasLostObjects(path: string, { env, signal }: GitContext): Promise<boolean> {
  const repository = openRepository(path);
  if (repository === null) return true;
  const { stdout } = await runGit(['for-each-ref', '--format=%(objectname)'], { gitDir: path, env, signal });
  return !stdout.split('\n').every((oid) => oid === '' || isReadable(repository, oid));
}

function isReadable({ objects }: Repository, oid: string): boolean {
  try {
    return objects.read(oid) !== null;
  } catch {
    return false;
  }
}

/** Returns the commit of a reference; null if it is missing or unreadable. Opens the repository again after a fetch. */
function tryResolve(path: string, reference: Reference): ResolvedCommit | null {
  try {
    const repository = openRepository(path);
    return repository === null ? null : { repository, commit: resolveReference(repository, reference) };
  } catch {
    return null;
  }
}
