/** The second half of cargo's git cache: a checkout for each commit in use. Cargo Book: Cargo Home, `git/checkouts`. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { updateDatabase, type Database, type GitCacheContext } from './database.ts';
import { initializeRepository } from './initialize.ts';
import { peelToCommit } from './peel.ts';
import { runGit } from './process.ts';
import { CommitTree, openRepository, readReference } from './repository.ts';
import {
  absoluteSubmoduleUrl,
  checkSubmoduleUrl,
  readSubmodules,
  sshUrl,
  submoduleFolder,
  type Submodule,
} from './submodules.ts';

/** The file that marks a complete checkout. */
export const READY_MARK = '.cargo-ok';

/** Returns true if the checkout at `path` is complete and of this commit. */
export function isFreshCheckout(path: string, commit: string): boolean {
  const repository = openRepository(path);
  if (repository === null || readReference(repository, 'HEAD') !== commit) return false;
  return existsSync(join(repository.workDir ?? path, READY_MARK)) && repository.objects.has(commit);
}

/**
 * Checks out the commit of a database, with its submodules, into `path`. Replaces anything else at `path`, unless that
 * is already a complete checkout of the commit. The lock on the package cache must be held. After a failure, the
 * checkout lacks its mark, so the next call starts over. Throws with cargo's chain of causes.
 */
export async function checkOut(database: Database, path: string, context: GitCacheContext): Promise<void> {
  if (isFreshCheckout(path, database.commit)) return;
  // A revision may name a tree or a file. git's error would differ from cargo's.
  peelToCommit(database.repository, database.commit);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  const checkout = initializeRepository(path, { bare: false });
  appendFileSync(join(checkout.gitDir, 'config'), originSettings(database.path));
  linkTree(join(database.repository.gitDir, 'objects'), join(checkout.gitDir, 'objects'));
  copyTree(join(database.repository.gitDir, 'refs/tags'), join(checkout.gitDir, 'refs/tags'));
  const shallow = join(database.repository.gitDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(checkout.gitDir, 'shallow'));
  const result = await runGit(['reset', '--hard', '--quiet', database.commit], {
    gitDir: checkout.gitDir,
    workDir: path,
    env: context.env,
    signal: context.signal,
    ignoreUserConfig: true,
  });
  if (result.status !== 0)
    throw new TsregError(`failed to check out \`${database.commit}\` in \`${path}\``, {
      cause: new TsregError(result.stderr.trim(), { code: 'git' }),
    });
  const parent = { path, gitDir: checkout.gitDir, database };
  for (const submodule of await readSubmodules(parent, context))
    await withContextAsync(`failed to update submodule \`${submodule.name}\``, () =>
      updateSubmodule(parent, submodule, context),
    );
  const mark = join(path, READY_MARK);
  // The repository may contain a link of that name.
  rmSync(mark, { force: true });
  writeFileSync(mark, '', { flag: 'wx' });
}

/**
 * Fetches a submodule and checks it out, with its own submodules. Does nothing if its entry in `.gitmodules` or in the
 * commit is unusable.
 */
async function updateSubmodule(
  parent: { readonly path: string; readonly database: Database },
  submodule: Submodule,
  context: GitCacheContext,
): Promise<void> {
  const { path, url } = submodule;
  if (path === undefined || url === undefined || path.split('/').includes('..')) return;
  checkSubmoduleUrl(url);
  const repository = openRepository(parent.path);
  const entry = repository === null ? null : new CommitTree(repository, parent.database.commit).find(path);
  if (submodule.update === 'none') {
    context.report.status('Skipping', `git submodule \`${url}\` due to update strategy in .gitmodules`);
    return;
  }
  const origin = absoluteSubmoduleUrl(parent.database.url, url);
  if (entry?.kind !== 'submodule') return;
  const sourceUrl = URL.canParse(origin) ? origin : (sshUrl(origin) ?? origin);
  // Throws if it is not a URL, before anything is fetched.
  context.databasePath(sourceUrl);
  const database = await withContextAsync(
    `failed to fetch submodule \`${submodule.name}\` from ${origin}`,
    () =>
      updateDatabase({ url: origin, sourceUrl, revision: { locked: entry.oid } }, context, {
        isSubmodule: true,
      }),
  );
  await checkOut(database, submoduleFolder(parent.path, path), context);
}

/**
 * Returns the settings that cargo's git library adds to a clone of the database. They begin in the section `[core]`,
 * with which the file that `initializeRepository` writes ends.
 */
function originSettings(databasePath: string): string {
  return `\tautocrlf = false
[remote "origin"]
\turl = ${pathToFileURL(databasePath).href}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "master"]
\tremote = origin
\tmerge = refs/heads/master
`;
}

/** Hard-links the files of a folder below `to`. Copies a file if it cannot be linked. */
function linkTree(from: string, to: string): void {
  forEachFile(from, to, (source, target) => {
    try {
      linkSync(source, target);
    } catch {
      copyFileSync(source, target);
    }
  });
}

function copyTree(from: string, to: string): void {
  forEachFile(from, to, copyFileSync);
}

/** Creates the folders of `from` below `to` and calls `put` for each file. */
function forEachFile(from: string, to: string, put: (source: string, target: string) => void): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      mkdirSync(target, { recursive: true });
      forEachFile(source, target, put);
    } else if (entry.isFile()) put(source, target);
  }
}
