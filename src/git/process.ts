/** Starts the git program. */
import { TsregError } from '../errors/error.ts';
import { describeErrno } from '../errors/os-error-text.ts';
import { type ProcessResult, runProgram } from '../programs/run-program.ts';

/** More than git lists of any repository; a string cannot be much longer. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** How git is started. */
export interface GitProcessOptions {
  /** The repository; git never searches for one. null: the one that `workDir` is in, which git finds and judges. */
  readonly gitDir: string | null;
  readonly workDir?: string;
  /** Environment to start from; what would lead git elsewhere is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Lets git write to the caller's stderr and ask on its terminal, instead of keeping what it says. */
  readonly inheritStderr?: boolean;
  /** Leaves the user's and the system's git configuration aside (filters, hooks, line endings). */
  readonly ignoreUserConfig?: boolean;
  /** How stdout is read: `latin1` gives a byte string. UTF-8 unless given. */
  readonly stdoutEncoding?: 'utf8' | 'latin1';
  /** What git reads from its stdin; nothing unless given. */
  readonly input?: string;
}

/** What became of a git process. */
export interface GitResult {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables by which a git that started us would confuse the git that we start. */
const REMOVED_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
];

/** Runs git to its end. Rejects if it cannot be started, with the wording that cargo has for it. */
export async function runGit(args: readonly string[], options: GitProcessOptions): Promise<GitResult> {
  const env: Record<string, string | undefined> = { ...options.env };
  for (const name of REMOVED_VARIABLES) delete env[name];
  if (options.gitDir !== null) {
    env['GIT_DIR'] = options.gitDir;
    if (options.workDir !== undefined) env['GIT_WORK_TREE'] = options.workDir;
  }
  if (options.ignoreUserConfig === true) {
    env['GIT_CONFIG_NOSYSTEM'] = '1';
    env['GIT_CONFIG_GLOBAL'] = '/dev/null';
  }
  if (options.inheritStderr !== true) {
    // What git says is read by a program, and nobody sits at a terminal to be asked.
    env['GIT_TERMINAL_PROMPT'] = '0';
    env['LC_ALL'] = 'C';
  }
  const { signal, input, stdoutEncoding, inheritStderr } = options;
  const all = inheritStderr === true ? 'inherit' : undefined;
  let result: ProcessResult;
  try {
    result = await runProgram('git', args, {
      ...{ env, signal, maxBytes: MAX_OUTPUT_BYTES, stdout: all, stderr: all },
      cwd: options.workDir ?? options.gitDir ?? undefined,
      stdin: input === undefined ? all : { text: input },
    });
  } catch (error) {
    if (signal.aborted) throw new TsregError('interrupted', { code: 'aborted', cause: error });
    throw error instanceof Error ? neverExecuted(args, error) : error;
  }
  if (result.wroteTooMuch) {
    throw new TsregError(`\`${describeCommand(args)}\` printed more than ${MAX_OUTPUT_BYTES} bytes`, {
      code: 'git',
    });
  }
  const { status, stdout, stderr } = result;
  return { status, stdout: stdout.toString(stdoutEncoding), stderr: stderr.toString() };
}

function neverExecuted(args: readonly string[], error: Error): TsregError {
  const absent = 'code' in error && error.code === 'ENOENT';
  const cause = new TsregError(absent ? describeErrno('ENOENT') : error.message, {
    code: 'git',
  });
  return new TsregError(`could not execute process \`${describeCommand(args)}\` (never executed)`, {
    cause,
    ...(absent
      ? { hint: 'tsreg fetches git repositories with git: install it, and make sure that it is on the PATH' }
      : {}),
  });
}

/** The command as cargo prints it in messages: quoted where a shell would need it. */
export function describeCommand(args: readonly string[]): string {
  return ['git', ...args].map(quote).join(' ');
}

function quote(argument: string): string {
  if (/^[A-Za-z0-9\-_=/,.+]+$/.test(argument)) return argument;
  return `'${argument.replaceAll(/['!]/g, (c) => `'\\${c}'`)}'`;
}
