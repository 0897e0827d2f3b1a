import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Row } from './subject.ts';

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

/** Runs it once. Its stdout goes through a pipe, as a consumer reads it. Throws unless it ends with status 0. */
function run(command: Command): { readonly elapsedMs: number; readonly stdout: Buffer } {
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

/** The number of packages in the document that the command prints. */
export function countPackages(command: Command): number {
  const document: { packages: unknown[] } = JSON.parse(run(command).stdout.toString());
  return document.packages.length;
}

/** Largest resident set in megabytes, by GNU time where there is one, else read every millisecond from /proc. */
async function peakMegabytes(command: Command): Promise<number> {
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

/** What `comparePairs` and `compareMemory` need to know. */
export interface Comparison {
  readonly workspace: string;
  readonly ours: Command;
  readonly theirs: Command;
  readonly limit: number;
  readonly pairs: number;
}

function toRow(
  { workspace, limit }: Comparison,
  measure: Row['measure'],
  pairs: readonly (readonly [number, number])[],
): Row {
  return {
    workspace,
    measure,
    ours: median(pairs.map(([ours]) => ours)),
    theirs: median(pairs.map(([, theirs]) => theirs)),
    ratio: median(pairs.map(([ours, theirs]) => ours / theirs)),
    limit,
  };
}

/**
 * Wall time of pairs of runs, one of each command right after the other, the first of a pair by turns: what
 * the machine does meanwhile meets both. One run of each comes before, untimed.
 */
export function comparePairs(comparison: Comparison): Row {
  const { ours, theirs } = comparison;
  run(ours);
  run(theirs);
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < comparison.pairs; index += 1) {
    if (index % 2 === 0) {
      const oursMs = run(ours).elapsedMs;
      pairs.push([oursMs, run(theirs).elapsedMs]);
    } else {
      const theirsMs = run(theirs).elapsedMs;
      pairs.push([run(ours).elapsedMs, theirsMs]);
    }
  }
  return toRow(comparison, 'time', pairs);
}

/** Peak memory of three runs of each. */
export async function compareMemory(comparison: Comparison): Promise<Row> {
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < 3; index += 1)
    pairs.push([await peakMegabytes(comparison.ours), await peakMegabytes(comparison.theirs)]);
  return toRow(comparison, 'memory', pairs);
}
