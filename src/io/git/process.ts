/** Runs the git program. */
import { TsregError } from '../../core/errors/error.ts';
import { describeOsError } from '../../core/errors/os-error-text.ts';
import { type ProcessResult, runProgram } from '../programs/run-program.ts';

/** More than git lists for any repository, and close to the longest possible string. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** The environment of a git process. */
export interface GitProcessOptions {
  /** Repository, which git does not search for. null: git finds the one around `workDir` and checks that it is safe. */
  readonly gitDir: string | null;
  /** The folder of the files, in which git runs. Default: `gitDir`. */
  readonly workDir?: string;
  /** Base environment. `runGit` removes variables that would direct git elsewhere. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Lets git use this process's input and output, and prompt on its terminal. Otherwise its output is captured. */
  readonly inheritsTerminal?: boolean;
  /** Ignores the git configuration of the user and the system (filters, hooks, line endings). */
  readonly ignoreUserConfig?: boolean;
  /** Encoding of stdout; `latin1` makes a byte string. UTF-8 by default. */
  readonly stdoutEncoding?: 'utf8' | 'latin1';
  /** Text for git's stdin; empty by default. */
  readonly input?: string;
}

/** The result of a git process. */
export interface GitResult {
  /** Exit code; null if a signal ended the process. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables from an outer git process that would confuse the inner one. */
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
  'GIT_CONFIG',
  'GIT_NAMESPACE',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
];

/**
 * Runs git until it ends, also if it fails: check `status`. Rejects with cargo's message and the code `git` if git
 * cannot be started, and with `aborted` if `signal` is.
 */
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
  if (options.inheritsTerminal !== true) {
    // A program parses git's output, and no user can respond to a prompt.
    env['GIT_TERMINAL_PROMPT'] = '0';
    env['LC_ALL'] = 'C';
  }
  const { signal, input, stdoutEncoding, inheritsTerminal } = options;
  const inherited = inheritsTerminal === true ? 'inherit' : undefined;
  let result: ProcessResult;
  try {
    result = await runProgram('git', args, {
      env,
      signal,
      maxBytes: MAX_OUTPUT_BYTES,
      stdout: inherited,
      stderr: inherited,
      cwd: options.workDir ?? options.gitDir ?? undefined,
      stdin: input === undefined ? inherited : { text: input },
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

/** Returns cargo's error for a git that could not be started. */
function neverExecuted(args: readonly string[], error: Error): TsregError {
  const isMissing = 'code' in error && error.code === 'ENOENT';
  const cause = new TsregError(reasonOf(error), { code: 'git' });
  return new TsregError(`could not execute process \`${describeCommand(args)}\` (never executed)`, {
    cause,
    ...(isMissing
      ? { hint: 'tsreg fetches git repositories with git: install it, and make sure that it is on the PATH' }
      : {}),
  });
}

/** Returns the operating system's reason as cargo prints it: `Permission denied (os error 13)`. */
function reasonOf(error: Error): string {
  if (!('code' in error && 'errno' in error)) return error.message;
  const { code, errno, message } = error;
  return typeof code === 'string' && typeof errno === 'number'
    ? describeOsError(code, { errno, message })
    : message;
}

/** Returns the command as in cargo's messages, quoted for a shell if necessary. */
export function describeCommand(args: readonly string[]): string {
  return ['git', ...args].map(quote).join(' ');
}

/** Quotes an argument as the crate `shell-escape` does. */
function quote(argument: string): string {
  if (/^[A-Za-z0-9\-_=/,.+]+$/.test(argument)) return argument;
  return `'${argument.replaceAll(/['!]/g, (character) => `'\\${character}'`)}'`;
}
