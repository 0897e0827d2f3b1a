/** Fetches from the origin of a repository. Cargo Book: Configuration, `net.git-fetch-with-cli`. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { Report } from '../../core/report/report.ts';
import { describeStatus, fetchError, SpuriousError } from './fetch-error.ts';
import { libgit2Error } from './libgit2-error.ts';
import { describeCommand, runGit, type GitProcessOptions } from './process.ts';
import { isReferenceName } from './reference-name.ts';
import { isFullId, type Repository } from './repository.ts';
import { resolveReference, type Reference } from './revision.ts';

/** The context of every operation that contacts an origin. */
export interface GitContext {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `net.git-fetch-with-cli`: git writes to the terminal itself, and errors name the command. */
  readonly fetchWithCli: boolean;
  /** The output level of git if it writes to the terminal itself. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** The flag that forbids the network, such as `--offline`; null if it is allowed. */
  readonly offlineFlag: string | null;
  /**
   * Calls `attempt` again, after a warning and a pause, while it rejects with a `SpuriousError` and `net.retry` allows
   * it. Rejects with the error of the last attempt.
   */
  readonly retry: <T>(attempt: () => Promise<T>) => Promise<T>;
}

/** cargo's advice after a failure with `net.git-fetch-with-cli`. */
const CLI_HINT = `help: re-try with \`net.git-fetch-with-cli = false\` to see if it resolves the problem
https://doc.rust-lang.org/cargo/reference/config.html#netgit-fetch-with-cli`;

/**
 * The protocols that git may use, unless the user sets others. For any other scheme, git would run the program
 * `git-remote-SCHEME`, and a manifest or a submodule names the scheme.
 */
export const PROTOCOLS = 'file:git:http:https:ssh';

/** An origin and the reference to fetch from it. */
export interface FetchedOrigin {
  readonly url: string;
  readonly reference: Reference;
  /** The reference in the manifest, if `reference` is a commit that it was resolved to. */
  readonly declared?: Reference;
}

/**
 * Fetches the reference of `origin` into the references that `resolveReference` reads. A reference that the origin
 * lacks is no error here, except with `net.git-fetch-with-cli`: `resolveReference` does not find it afterwards. Rejects
 * with cargo's message if the fetch fails, or if the network is forbidden.
 */
export async function fetchReference(
  repository: Repository,
  origin: FetchedOrigin,
  context: GitContext,
): Promise<void> {
  const { url, reference } = origin;
  if (context.offlineFlag !== null)
    throw new TsregError(`attempting to update a git repository, but ${context.offlineFlag} was specified`, {
      code: 'network',
    });
  const singleId = githubCommit(url, reference);
  if (singleId !== null && hasRevision(repository, reference)) return;
  await collectGarbage(repository, context);
  removeTemporaryFiles(repository);
  const { refspecs, tags } = refspecsOf(origin, singleId);
  const process: GitProcessOptions = { gitDir: repository.gitDir, env: context.env, signal: context.signal };
  try {
    if (context.fetchWithCli) await fetchLoudly(url, refspecs, { tags, process, context });
    else await fetchQuietly(url, refspecs, { tags, process, context });
  } catch (cause) {
    if (singleId === null || !isFullId(singleId)) throw cause;
    throw new TsregError(`revision ${singleId} not found`, { cause });
  }
}

/**
 * Returns the full or abbreviated commit id that a `rev` of a repository at github.com names; null for any other
 * reference. github.com serves a single commit by its full id; other servers may not.
 */
function githubCommit(url: string, reference: Reference): string | null {
  if (reference.kind !== 'rev' || !isGithub(url)) return null;
  return /^[0-9a-f]{7,40}$/i.test(reference.name) ? reference.name : null;
}

function isGithub(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === 'github.com';
}

/** Returns true if an abbreviated or full id is already here: the object of an id never changes. */
function hasRevision(repository: Repository, reference: Reference): boolean {
  if (reference.kind !== 'rev') return false;
  try {
    return resolveReference(repository, reference).startsWith(reference.name.toLowerCase());
  } catch {
    return false;
  }
}

/** Returns the refspecs to fetch, and whether to fetch all tags too. `singleId` is the result of `githubCommit`. */
function refspecsOf(
  { reference, declared }: FetchedOrigin,
  singleId: string | null,
): { refspecs: string[]; tags: boolean } {
  switch (reference.kind) {
    case 'branch':
      return {
        refspecs: [`+refs/heads/${reference.name}:refs/remotes/origin/${reference.name}`],
        tags: false,
      };
    case 'tag':
      return {
        refspecs: [`+refs/tags/${reference.name}:refs/remotes/origin/tags/${reference.name}`],
        tags: false,
      };
    case 'default':
      return { refspecs: ['+HEAD:refs/remotes/origin/HEAD'], tags: false };
    case 'rev':
      if (reference.name.startsWith('refs/'))
        return { refspecs: [`+${reference.name}:${reference.name}`], tags: false };
      if (singleId !== null && isFullId(singleId))
        return { refspecs: [`+${singleId}:refs/commit/${singleId}`], tags: false };
      // Few servers serve a commit by its id, but all serve the reference that led to it.
      if (declared?.kind === 'rev' && declared.name.startsWith('refs/'))
        return { refspecs: [`+${declared.name}:${declared.name}`], tags: false };
      return {
        refspecs: ['+refs/heads/*:refs/remotes/origin/*', '+HEAD:refs/remotes/origin/HEAD'],
        tags: true,
      };
  }
}

interface FetchRun {
  /** True to fetch all tags too. */
  readonly tags: boolean;
  readonly process: GitProcessOptions;
  readonly context: GitContext;
}

/**
 * Fetches with `net.git-fetch-with-cli`: shows git's own output, and retries after every failure. The arguments are in
 * cargo's order, because its messages show the command.
 */
async function fetchLoudly(url: string, refspecs: readonly string[], run: FetchRun): Promise<void> {
  const { context } = run;
  const args = ['-c', 'core.fsmonitor=false', 'fetch', run.tags ? '--tags' : '--no-tags'];
  if (context.verbosity === 'verbose') args.push('--verbose');
  else if (!context.report.showsProgress) args.push('--quiet');
  args.push('--force', '--update-head-ok', url, ...refspecs);
  const command = describeCommand(args);
  context.report.verbose('Running', `\`${command}\``);
  await context.retry(async () => {
    const { status } = await withCliHint(() => runGit(args, { ...run.process, inheritsTerminal: true }));
    if (status === 0) return;
    const failure = `process didn't exit successfully: \`${command}\` (${describeStatus(status)})`;
    throw new SpuriousError(`${failure}\n\n${CLI_HINT}`, { code: 'git' });
  });
}

/** Makes a failure to start git a `SpuriousError`, so that cargo's rules for retries apply to it too. */
async function withCliHint<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TsregError) || error.code === 'aborted') throw error;
    const { message, cause, code, hint } = error;
    throw new SpuriousError(`${message}\n\n${CLI_HINT}`, { cause, code, ...(hint === null ? {} : { hint }) });
  }
}

/** Fetches without `net.git-fetch-with-cli`: git is silent, and packs and errors are like those of cargo's library. */
async function fetchQuietly(url: string, refspecs: readonly string[], run: FetchRun): Promise<void> {
  const { context } = run;
  // Packs stay packs, and `collectGarbage` alone decides about garbage collection.
  const settings = ['-c', 'fetch.unpackLimit=1', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
  const tags = run.tags ? '--tags' : '--no-tags';
  const flags = ['--quiet', tags, '--force', '--update-head-ok', '--no-recurse-submodules'];
  const fetch = ['fetch', ...flags, '--', url];
  const invalid = refspecs.find((refspec) => !isRefspec(refspec));
  if (invalid !== undefined) throw libgit2Error(`'${invalid}' is not a valid refspec.`, 'Invalid (3)');
  const remainingRefspecs = [...refspecs];
  const env = { GIT_ALLOW_PROTOCOL: PROTOCOLS, ...run.process.env };
  await context.retry(async () => {
    for (;;) {
      const args = [...settings, ...fetch, ...remainingRefspecs];
      const { status, stderr } = await runGit(args, { ...run.process, env });
      if (status === 0) return;
      // git stops at the first reference that the origin lacks; fetch the others without it:
      // fatal: couldn't find remote ref refs/heads/x
      const missingReference = /^fatal: couldn't find remote ref (.+)$/m.exec(stderr)?.[1];
      const index =
        missingReference === undefined
          ? -1
          : remainingRefspecs.findIndex((refspec) => refspec.startsWith(`+${missingReference}:`));
      if (index < 0) throw fetchError(url, `git ${fetch.join(' ')}`, { status, stderr });
      remainingRefspecs.splice(index, 1);
      if (remainingRefspecs.length === 0) return;
    }
  });
}

/** Returns false if a name from a manifest made the refspec invalid. */
function isRefspec(refspec: string): boolean {
  const [from = '', to = '', ...extraParts] = refspec.slice(1).replaceAll('*', 'any').split(':');
  return extraParts.length === 0 && (isFullId(from) || isReferenceName(from)) && isReferenceName(to);
}

/** Runs git's automatic garbage collection: many fetches leave many packs, which slow down reading. */
async function collectGarbage(repository: Repository, { env, signal }: GitContext): Promise<void> {
  // A collection in the background would remove packs during a read.
  const args = ['-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
  try {
    await runGit(args, { gitDir: repository.gitDir, env, signal });
  } catch {
    // The fetch fails too if git cannot be started.
    signal.throwIfAborted();
  }
}

/** Removes the files of interrupted downloads by cargo's library. */
function removeTemporaryFiles(repository: Repository): void {
  const folder = join(repository.gitDir, 'objects/pack');
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith('pack_git2_')) rmSync(join(folder, name), { force: true });
  } catch {
    // Cleaning is optional.
  }
}
