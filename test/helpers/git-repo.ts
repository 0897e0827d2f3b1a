import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** One commit of a declared repository. Files that it does not name stay unchanged. */
export interface CommitDecl {
  /** Path -> text, to write. */
  readonly files?: Readonly<Record<string, string>>;
  /** Paths to remove. */
  readonly remove?: readonly string[];
  /** The branch of the commit; `main` by default. A new branch starts at `from`. */
  readonly branch?: string;
  /** The start of a new branch; the newest commit of the repository by default. */
  readonly from?: string;
  /** Tag to set on the commit. */
  readonly tag?: string;
  /** Submodules: path -> URL and commit. */
  readonly submodules?: Readonly<Record<string, { readonly url: string; readonly commit: string }>>;
}

/**
 * Runs git with `args` in the folder `dir`, with fixed author and dates and without user or system configuration.
 * Throws if it fails; a merge that ends in a conflict does not count as failed.
 */
export function runGit(dir: string, args: readonly string[]): void {
  const who = { NAME: 'tester', EMAIL: 'tester@example.org', DATE: '1600000000 +0000' };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const { status, stderr } = spawnSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: dir,
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const isConflict = status === 1 && args.includes('merge');
  if (status !== 0 && !isConflict) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

/** Returns the commit that is checked out in the working copy `dir`; null if there is none yet. */
export function headOf(dir: string): string | null {
  return commitOf(dir, 'HEAD');
}

/** Returns the commit that `name` refers to in the repository `dir`; null if it does not exist. */
export function commitOf(dir: string, name: string): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
    cwd: dir,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

/** Adds commits to the bare repository `dir`, which is created if missing. The same commits give the same ids. */
export function commitToRepo(dir: string, commits: readonly CommitDecl[]): void {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', [...args], {
      env,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
    });
  if (!existsSync(path.join(dir, 'HEAD'))) {
    mkdirSync(dir, { recursive: true });
    git(['init', '--quiet', '--bare', '--initial-branch', 'main', dir]);
  }
  const known = new Map<string, string>();
  for (const line of git(['-C', dir, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads'])
    .split('\n')
    .filter((text) => text !== '')) {
    const [name = '', id = ''] = line.split(' ');
    known.set(name, id);
  }
  const count = known.size === 0 ? 0 : Number(git(['-C', dir, 'rev-list', '--all', '--count']));
  const lines: string[] = [];
  let newest: string | null = known.get('main') ?? null;
  commits.forEach((commit, index) => {
    const mark = `:${index + 1}`;
    const branch = commit.branch ?? 'main';
    const when = `tester <tester@example.org> ${1_600_000_000 + (count + index) * 60} +0000`;
    lines.push(`commit refs/heads/${branch}`, `mark ${mark}`, `author ${when}`, `committer ${when}`);
    lines.push(data(`commit ${count + index}\n`));
    const parent = known.get(branch) ?? (commit.from === undefined ? newest : known.get(commit.from));
    if (parent !== null && parent !== undefined) lines.push(`from ${parent}`);
    for (const name of commit.remove ?? []) lines.push(`D ${name}`);
    for (const [name, text] of Object.entries(commit.files ?? {})) {
      lines.push(`M 100644 inline ${name}`, data(text));
    }
    const modules = Object.entries(commit.submodules ?? {});
    if (modules.length > 0) {
      const text = modules
        .map(([at, { url }]) => `[submodule "${at}"]\n\tpath = ${at}\n\turl = ${url}\n`)
        .join('');
      lines.push('M 100644 inline .gitmodules', data(text));
      for (const [at, { commit: id }] of modules) lines.push(`M 160000 ${id} ${at}`);
    }
    lines.push('');
    if (commit.tag !== undefined) lines.push(`reset refs/tags/${commit.tag}`, `from ${mark}`, '');
    known.set(branch, mark);
    newest = mark;
  });
  git(['-C', dir, 'fast-import', '--quiet', '--date-format=raw'], `${lines.join('\n')}\n`);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}
