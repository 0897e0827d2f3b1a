import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { projectRoot } from './project-root.ts';

/** A program that can be asked: what to start, and what it needs in its environment. */
export interface Program {
  readonly name: string;
  /** The executable and the arguments that come first. */
  readonly command: readonly [string, ...string[]];
  /** Variables that it gets beside those of the run. */
  readonly env: Readonly<Record<string, string>>;
}

/** What to run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Text for stdin; closed at once unless given. */
  readonly input?: string | Uint8Array;
}

/** What a run gave. `status` is 128 + n after signal n, as in a shell, and -1 after a time-out. */
export interface RunResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The built program of this project, or of another checkout of it; where `TSREG_TEST_PROGRAM` names a standalone
 * executable of this one, that.
 */
export function tsregProgram(env: Readonly<Record<string, string>> = {}, root = projectRoot): Program {
  const standalone = process.env['TSREG_TEST_PROGRAM'];
  if (standalone !== undefined && root === projectRoot) return { name: 'tsreg', command: [standalone], env };
  const file = path.join(root, 'bin', 'tsreg.js');
  if (!existsSync(path.join(root, 'dist'))) throw new Error('dist/ is missing: npm run build');
  // Else every new home would begin with a program that is not compiled: half of what a short run takes.
  const compiled = { NODE_COMPILE_CACHE: path.join(root, '.tmp', 'compiled') };
  return { name: 'tsreg', command: [process.execPath, file], env: { ...compiled, ...env } };
}

/** The file of the built program, which starts it: by itself, or as Node's script. */
export function programFile(): string {
  return tsregProgram().command.at(-1) ?? '';
}

/** True if that runs without Node. */
export const isStandalone = process.env['TSREG_TEST_PROGRAM'] !== undefined;

/** The same program, bound by the modes of files even where it runs as root. */
export function withoutRootRights(program: Program): Program {
  if (process.getuid?.() !== 0) return program;
  const dropped = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const;
  return { ...program, command: [...dropped, ...program.command] };
}

/** Runs `program` with `args`. Nothing of this process's environment reaches it but what `options.env` has. */
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
