import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { excessOf, type Figure, type Row } from './row.ts';

/** A program run to measure. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Prepares files before each run; not timed. */
  readonly before?: () => void;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Returns the median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

function describe(command: Command): string {
  return `${command.file} ${command.args.join(' ')} (in ${command.cwd})`;
}

/** Runs a command once and reads its output, through a pipe as a consumer does. Throws unless it ends with status 0. */
export function run(command: Command): { readonly elapsedMs: number; readonly stdout: Buffer } {
  command.before?.();
  const startedMs = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const elapsedMs = performance.now() - startedMs;
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${describe(command)} ended with status ${status}:\n${stderr.toString()}`);
  return { elapsedMs, stdout };
}

/** The fields of a document that the benchmarks read. */
interface Document {
  readonly packages: readonly { readonly source: string | null; readonly manifest_path: string }[];
}

/** Runs a command and returns the document that it prints. */
export function askDocument(command: Command): Document {
  return JSON.parse(run(command).stdout.toString());
}

/**
 * Returns the largest resident set in megabytes, from GNU time if it is installed, otherwise from /proc, read every
 * millisecond.
 */
export async function peakMegabytes(command: Command): Promise<number> {
  command.before?.();
  if (existsSync('/usr/bin/time')) {
    const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M', command.file, ...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    const last = stderr.toString().trim().split('\n').at(-1) ?? '';
    if (status !== 0 || !/^\d+$/.test(last))
      throw new Error(`${describe(command)} failed:\n${stderr.toString()}`);
    return Number(last) / 1024;
  }
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.resume();
  let peakKilobytes = 0;
  const poll = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peakKilobytes = Math.max(peakKilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 1);
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      clearInterval(poll);
      resolve();
    });
  });
  return peakKilobytes / 1024;
}

/** A program that tsreg is compared with. */
export interface Beside {
  readonly name: string;
  readonly command: Command;
  /** The maximum accepted ratio; null if there is no limit. */
  readonly limit: number | null;
}

/** The inputs of `compareRuns`. */
export interface Comparison {
  readonly workspace: string;
  readonly ours: Command;
  readonly beside: readonly Beside[];
  /** Compares peak memory with the first of `beside`; `limit` is the maximum ratio. */
  readonly memory?: { readonly limit: number | null };
  /** How often each program runs. */
  readonly rounds: number;
}

/** Few rounds suffice for memory, which hardly differs from run to run. */
const MEMORY_ROUNDS = 3;

/**
 * Compares wall time and peak memory with other programs. Runs are ordered as in `timeRounds`, attempts as in
 * `bestAttempt`.
 */
export function compareRuns(
  comparison: Comparison,
  { attempts }: { readonly attempts: number },
): Promise<Row> {
  return bestAttempt(() => compareOnce(comparison), attempts);
}

/**
 * Measures up to `attempts` times while a ratio is over its limit, and returns the measurement with the least excess. A
 * busy machine sometimes makes a ratio worse, but hardly ever makes a bad median of about ten rounds look good.
 */
export async function bestAttempt<T extends Pick<Row, 'figures'>>(
  measure: () => Promise<T>,
  attempts: number,
): Promise<T> {
  let best = await measure();
  for (let attempt = 1; attempt < attempts && excessOf(best) > 1; attempt += 1) {
    const again = await measure();
    if (excessOf(again) < excessOf(best)) best = again;
  }
  return best;
}

/**
 * Returns wall times in milliseconds: a list for each round, with one time per command. A round runs all commands one
 * after the other, and each round starts with another command, so that other load on the machine affects all of them.
 * Each command runs once before, untimed.
 */
export async function timeRounds(
  commands: readonly Command[],
  rounds: number,
): Promise<readonly (readonly number[])[]> {
  for (const command of commands) run(command);
  const timesOfRounds: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = [];
    for (let turn = 0; turn < commands.length; turn += 1) {
      const at = (round + turn) % commands.length;
      const command = commands[at];
      if (command !== undefined) times[at] = run(command).elapsedMs;
    }
    timesOfRounds.push(times);
    // A server of the benchmark waits once its log fills the pipe to this process, which reads it only here.
    await setImmediate();
  }
  return timesOfRounds;
}

async function compareOnce({ workspace, ours, beside, memory, rounds }: Comparison): Promise<Row> {
  const others = beside.map(({ command }) => command);
  const times = await timeRounds([ours, ...others], rounds);
  const figures: Figure[] = beside.map(({ name, limit }, index) => ({
    ...{ beside: name, limit },
    ratio: median(times.map(([own = Number.NaN, ...theirs]) => own / (theirs[index] ?? Number.NaN))),
  }));
  const [first] = beside;
  if (memory !== undefined && first !== undefined) {
    const ratio = await compareMemory(ours, first.command);
    figures.push({ beside: 'memory', ratio, limit: memory.limit });
  }
  return { workspace, ours: median(times.map(([own = Number.NaN]) => own)), unit: 'ms', figures };
}

async function compareMemory(ours: Command, theirs: Command): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < MEMORY_ROUNDS; round += 1)
    ratios.push((await peakMegabytes(ours)) / (await peakMegabytes(theirs)));
  return median(ratios);
}
