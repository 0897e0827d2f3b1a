/**
 * Reads the files and settings of a repository with git. Git's own documentation: git-ls-files, git-status,
 * gitrepository-layout.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { fromByteString } from '../../core/files/byte-path.ts';
import { parentFolder, pathOfGit, pathsEqual, rootOfPath } from '../../core/files/path.ts';
import { runGit, type GitProcessOptions, type GitResult } from './process.ts';
import { isGitDir } from './repository.ts';
import { parseIndex, parseStatus, type IndexEntry, type StatusEntry } from './work-tree-listing.ts';

/** The location of a repository. */
export interface RepositoryPlace {
  /** Absolute folder of the files, not resolved through links. For a bare repository, the repository itself. */
  readonly root: string;
  /** Absolute. */
  readonly gitDir: string;
  /** True if `root` is itself the git folder. */
  readonly isBare: boolean;
}

/** The tracked files of a repository and their changes, or a part of them. */
export interface WorkTree {
  /** Id of the commit that is checked out; null before the first commit. */
  readonly head: string | null;
  /** Tracked files, in git's order. */
  readonly index: readonly IndexEntry[];
  /** Files that differ from the commit, are not tracked, or are ignored. */
  readonly changes: readonly StatusEntry[];
}

/** The environment of git processes. */
export interface WorkTreeOptions {
  readonly env: GitProcessOptions['env'];
  readonly signal: AbortSignal;
}

/** Finds the repository that contains `folder` (absolute), without resolving links or starting git; null if none. */
export function findRepository(folder: string): RepositoryPlace | null {
  for (let root = folder; ; root = parentFolder(root)) {
    const place = repositoryAt(root) ?? (isGitDir(root) ? { root, gitDir: root, isBare: true } : null);
    if (place !== null || root === rootOfPath(root)) return place;
  }
}

/** Returns the repository whose top folder is `root` (absolute); null if there is none. */
export function repositoryAt(root: string): RepositoryPlace | null {
  const dotGit = join(root, '.git');
  // Also false if `root` is a file.
  if (!existsSync(dotGit)) return null;
  const stats = statSync(dotGit);
  if (stats.isDirectory()) return isGitDir(dotGit) ? { root, gitDir: dotGit, isBare: false } : null;
  if (!stats.isFile()) return null;
  const target = /^gitdir: (.+?)\n*$/.exec(readFileSync(dotGit, 'utf8'))?.[1];
  if (target === undefined) return null;
  const gitDir = resolve(root, target);
  // The git folder of a linked work tree has `HEAD`, but no `objects`.
  return existsSync(join(gitDir, 'HEAD')) ? { root, gitDir, isBare: false } : null;
}

/**
 * Reads the state of the files at `paths` (relative to the root, `.` for all). There must be at least one: without any,
 * git lists all files. Reads only changes at `alsoChangesAt`. Returns `bare` if the repository has no files,
 * `elsewhere` if they are in another folder. Throws git's error if it rejects the repository. Throws if git cannot be
 * started.
 */
export async function readWorkTree(
  place: RepositoryPlace,
  selection: { readonly paths: readonly string[]; readonly alsoChangesAt: readonly string[] },
  options: WorkTreeOptions,
): Promise<WorkTree | 'bare' | 'elsewhere'> {
  const run = (args: readonly string[]) => runGitIn(place, args, options);
  // Each command finds the repository by itself, so all three run at once.
  const [location, index, status] = await Promise.all([
    run(['rev-parse', '--is-bare-repository', '--show-toplevel']),
    run(['--literal-pathspecs', 'ls-files', '-z', '-s', '-v', '--', ...selection.paths]),
    run([...STATUS_ARGUMENTS, '--', ...selection.paths, ...selection.alsoChangesAt]),
  ]);
  // In a bare repository, git prints `true`, then fails.
  if (location.stdout.startsWith('true')) return 'bare';
  const top = pathOfGit(fromByteString(outputOf(location).slice('false\n'.length, -1)));
  if (!pathsEqual(top, realpathSync.native(place.root))) return 'elsewhere';
  const { head, entries } = parseStatus(outputOf(status));
  return withoutSparseFolders({ head, index: parseIndex(outputOf(index)), changes: entries });
}

/**
 * Removes the folders in which all tracked files are skipped: cargo ignores such a folder and everything in it. Folders
 * with a single tracked file stay.
 */
function withoutSparseFolders(tree: WorkTree): WorkTree {
  if (!tree.index.some(({ isSkipped }) => isSkipped)) return tree;
  const countsByFolder = new Map<string, { count: number; skipped: number }>();
  for (const { path, isSkipped } of tree.index) {
    for (const folder of foldersAbove(path)) {
      const counts = countsByFolder.get(folder) ?? { count: 0, skipped: 0 };
      counts.count++;
      if (isSkipped) counts.skipped++;
      countsByFolder.set(folder, counts);
    }
  }
  const isSparse = (folder: string) => {
    const counts = countsByFolder.get(folder);
    return counts !== undefined && counts.count > 1 && counts.skipped === counts.count;
  };
  const isShown = ({ path }: { readonly path: string }) => {
    for (const folder of foldersAbove(path)) if (isSparse(folder)) return false;
    return true;
  };
  return { ...tree, index: tree.index.filter(isShown), changes: tree.changes.filter(isShown) };
}

/** Yields the folders that contain `path`, from the top. */
function* foldersAbove(path: string): Generator<string, void, undefined> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) yield path.slice(0, end);
}

/** Returns the changes at and below `paths`, which are relative to the root. */
export async function readChanges(
  place: RepositoryPlace,
  paths: readonly string[],
  options: WorkTreeOptions,
): Promise<readonly StatusEntry[]> {
  const result = await runGitIn(place, [...STATUS_ARGUMENTS, '--', ...paths], options);
  return parseStatus(outputOf(result)).entries;
}

/** Returns those of `paths` (relative to the root) that an ignore rule matches, tracked or not. */
export async function findIgnored(
  place: RepositoryPlace,
  paths: readonly string[],
  options: WorkTreeOptions,
): Promise<ReadonlySet<string>> {
  // A leading `:` would start pathspec magic. git prints the paths as they are given.
  const input = paths.map((path) => `./${path}\0`).join('');
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  const result = await runGitIn(place, args, { ...options, input });
  // Status 1 means that none is ignored.
  const output = result.status === 1 ? '' : outputOf(result);
  return new Set(
    output
      .split('\0')
      .slice(0, -1)
      .map((path) => fromByteString(path).slice('./'.length)),
  );
}

/** Returns a git setting in git's own form for its type; null if it is not set or not of the type. */
export async function readSetting(
  place: RepositoryPlace,
  setting: { readonly key: string; readonly type: 'bool' | 'path' | 'text' },
  options: WorkTreeOptions,
): Promise<string | null> {
  const type = setting.type === 'text' ? [] : [`--type=${setting.type}`];
  const { status, stdout } = await runGitIn(place, ['config', ...type, '--get', setting.key], options);
  return status === 0 ? fromByteString(stdout.slice(0, -1)) : null;
}

/** Arguments that list every untracked file, ignored folders as one entry, and no changes inside submodules. */
const STATUS_ARGUMENTS = [
  '--literal-pathspecs',
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--ignored=matching',
  '--ignore-submodules=dirty',
  '--no-renames',
];

/** Arguments that prevent writes to the repository, and file watchers that its settings would start. */
const GUARDS = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

/** Runs git in the top folder of a repository. Its output is a byte string. Rejects if git cannot be started. */
async function runGitIn(
  place: RepositoryPlace,
  args: readonly string[],
  options: WorkTreeOptions & { readonly input?: string },
): Promise<GitResult> {
  const { env, signal, input } = options;
  const common = { gitDir: null, workDir: place.root, env, signal, stdoutEncoding: 'latin1' } as const;
  try {
    return await runGit([...GUARDS, ...args], input === undefined ? common : { ...common, input });
  } catch (cause) {
    if (!(cause instanceof TsregError) || cause.code !== 'git') throw cause;
    throw new TsregError(`the git program is needed for the repository at \`${place.root}\``, { cause });
  }
}

/** Returns the output. Throws `git` with git's message if git failed. */
function outputOf({ status, stdout, stderr }: GitResult): string {
  if (status === 0) return stdout;
  const text = stderr.trim().replace(/^fatal: /, '');
  throw new TsregError(text === '' ? 'git ended without a response' : text, { code: 'git' });
}
