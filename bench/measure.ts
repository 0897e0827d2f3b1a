import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { excessOf, type Figure, type Row } from './row.ts';

/** A program run to be measured. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Brings files into the state before a run; not timed. */
  readonly before?: () => void;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** The middle value; the mean of the middle two of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

function describe(command: Command): string {
  return `${command.file} ${command.args.join(' ')} (in ${command.cwd})`;
}

/** Runs it once, its output read to the end. Its stdout goes through a pipe, as a consumer reads it. Throws unless it ends with status 0. */
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

/** A document, as far as it is wanted here. */
interface Document {
  readonly packages: readonly { readonly source: string | null; readonly manifest_path: string }[];
}

/** The document that a command prints. */
export function askDocument(command: Command): Document {
  return JSON.parse(run(command).stdout.toString());
}

/** Largest resident set in megabytes, by GNU time where there is one, else read every millisecond from /proc. */
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

/** Something that tsreg is held against. */
export interface Beside {
  readonly name: string;
  readonly command: Command;
  /** The ratio that is accepted at most; null where none is too large. */
  readonly limit: number | null;
}

/** What `compareRuns` needs to know. */
export interface Comparison {
  readonly workspace: string;
  readonly ours: Command;
  readonly beside: readonly Beside[];
  /** What is measured of memory as well: against the first of `beside`, at most that share of it. */
  readonly memory?: { readonly limit: number | null };
  /** How often each is run. */
  readonly rounds: number;
}

/** Rounds of memory: it hardly differs from run to run. */
const MEMORY_ROUNDS = 3;

/** Wall time and peak memory beside others. Runs come as `timeRounds` has them, attempts as in `bestAttempt`. */
export function compareRuns(
  comparison: Comparison,
  { attempts }: { readonly attempts: number },
): Promise<Row> {
  return bestAttempt(() => compareOnce(comparison), attempts);
}

/**
 * Measures again where a ratio is over its limit, `attempts` times in the end, and takes what is least over: a busy
 * machine makes ratios worse now and then, and hardly good ones of bad ones in most of some ten rounds.
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
 * Wall times in milliseconds, a list of the commands' for each round: one run of each right after the other, each
 * round begun by another, so that what the machine does meanwhile meets all of them. One run of each comes before,
 * untimed.
 */
export function timeRounds(commands: readonly Command[], rounds: number): readonly (readonly number[])[] {
  for (const command of commands) run(command);
  return Array.from({ length: rounds }, (_, round) => {
    const times: number[] = [];
    for (let turn = 0; turn < commands.length; turn += 1) {
      const at = (round + turn) % commands.length;
      const command = commands[at];
      if (command !== undefined) times[at] = run(command).elapsedMs;
    }
    return times;
  });
}

async function compareOnce({ workspace, ours, beside, memory, rounds }: Comparison): Promise<Row> {
  const others = beside.map(({ command }) => command);
  const times = timeRounds([ours, ...others], rounds);
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
