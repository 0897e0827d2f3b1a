import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { projectRoot } from './project-root.ts';

/** A program under test: its command and the environment that it needs. */
export interface Program {
  readonly name: string;
  /** The executable and its first arguments. */
  readonly command: readonly [string, ...string[]];
  /** Variables in addition to those of the run. */
  readonly env: Readonly<Record<string, string>>;
}

/** The settings of a run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Text for stdin, which is closed immediately by default. */
  readonly input?: string | Uint8Array;
}

/** The result of a run. `status` is 128 + n after signal n, as in a shell, and -1 after a timeout. */
export interface RunResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns the built program of this project, or of another checkout of it in `root`. If `TSREG_TEST_PROGRAM` names a
 * standalone executable of this project, returns that.
 */
export function tsregProgram(env: Readonly<Record<string, string>> = {}, root = projectRoot): Program {
  const standalone = process.env['TSREG_TEST_PROGRAM'];
  if (standalone !== undefined && root === projectRoot) return { name: 'tsreg', command: [standalone], env };
  const file = path.join(root, 'bin', 'tsreg.js');
  if (!existsSync(path.join(root, 'dist'))) throw new Error('dist/ is missing: npm run build');
  // Otherwise every new home would start with an uncompiled program, and compiling takes half of a short run.
  const compiled = { NODE_COMPILE_CACHE: path.join(root, '.tmp', 'compiled') };
  return { name: 'tsreg', command: [process.execPath, file], env: { ...compiled, ...env } };
}

/** Returns the file of the built program: an executable or a Node script. */
export function programFile(): string {
  return tsregProgram().command.at(-1) ?? '';
}

/** True if the program under test runs without Node. */
export const isStandalone = process.env['TSREG_TEST_PROGRAM'] !== undefined;

/** Returns a program that must obey file modes even if it runs as root. */
export function withoutRootRights(program: Program): Program {
  if (process.getuid?.() !== 0) return program;
  const dropped = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const;
  return { ...program, command: [...dropped, ...program.command] };
}

/** Runs `program` with `args`. It gets the variables of the program and of `options.env`, but not this process's. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const [file, ...first] = program.command;
  const result = await execa(file, [...first, ...args], {
    cwd: options.cwd,
    env: { ...program.env, ...options.env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: options.timeoutMs ?? 120_000,
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
  });
  const status = result.timedOut ? -1 : (result.exitCode ?? signalStatus(result.signal));
  return { status, stdout: text(result.stdout), stderr: text(result.stderr) };
}

function signalStatus(signal: string | undefined): number {
  return signal === 'SIGKILL' ? 137 : signal === 'SIGTERM' ? 143 : 128;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
