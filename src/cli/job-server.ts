/** The job server that `make` offers to its child processes. GNU make: Job Slots. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Environment } from '../io/config/environment.ts';
import { debugText } from '../core/errors/debug-text.ts';
import { describeErrno } from '../core/errors/os-error-text.ts';
import { describeFailure } from '../io/terminal/system-error.ts';

/** Variables that may name a job server; the first one that is set counts. */
const VARIABLES = ['CARGO_MAKEFLAGS', 'MAKEFLAGS', 'MFLAGS'];

/** Returns the environment variable that names a job server, and the server's name; null if none does. */
export function namedJobServer(
  env: Environment,
): { readonly variable: string; readonly name: string } | null {
  const variable = VARIABLES.find((each) => env[each] !== undefined);
  const flags = variable === undefined ? '' : (env[variable] ?? '');
  for (const flag of ['--jobserver-auth=', '--jobserver-fds=']) {
    const at = flags.lastIndexOf(flag);
    if (variable === undefined || at < 0) continue;
    return {
      variable,
      name: flags
        .slice(at + flag.length)
        .split(' ', 1)
        .join(''),
    };
  }
  return null;
}

/** Returns a warning if the environment names a job server that cannot be used; else null. */
export function jobServerWarning(env: Environment, platform = process.platform): string | null {
  const named = platform === 'win32' ? null : namedJobServer(env);
  if (named === null) return null;
  const problem = problemOf(named.name);
  if (problem === null) return null;
  const place = `${named.variable}=${debugText(env[named.variable] ?? '')}`;
  return `failed to connect to jobserver from environment variable \`${place}\`: ${problem}`;
}

function problemOf(name: string): string | null {
  if (name === 'fifo') return unparsed('expected a path after `fifo:`');
  if (name.startsWith('fifo:')) return problemOfPath(name.slice('fifo:'.length));
  const comma = name.indexOf(',');
  if (comma < 0) return unparsed(`expected \`fifo:PATH\` or \`R,W\`, found \`${name}\``);
  const fds: number[] = [];
  for (const [side, text] of [
    ['read', name.slice(0, comma)],
    ['write', name.slice(comma + 1)],
  ] as const) {
    const problem = numberProblem(text);
    if (problem !== null) return unparsed(`cannot parse \`${side}\` fd: ${problem}`);
    fds.push(Number(text));
  }
  // With a negative number, `make` states that this program has no job server.
  if (fds.some((fd) => fd < 0)) return null;
  const problems = fds.flatMap((fd) => problemOfDescriptor(fd) ?? []);
  const worst = problems.find(({ isOpen }) => isOpen) ?? problems[0];
  return worst?.text ?? null;
}

function unparsed(problem: string): string {
  return `cannot parse jobserver environment variable value: ${problem}`;
}

const MAX_NUMBER = 2 ** 31;

function numberProblem(text: string): string | null {
  if (text === '') return 'cannot parse integer from empty string';
  if (!/^[+-]?\d+$/.test(text)) return 'invalid digit found in string';
  if (Number(text) >= MAX_NUMBER) return 'number too large to fit in target type';
  return Number(text) < -MAX_NUMBER ? 'number too small to fit in target type' : null;
}

function problemOfPath(path: string): string | null {
  try {
    closeSync(openSync(path, constants.O_RDWR));
    return null;
  } catch (error) {
    const message = describeFailure(error);
    if (message === null) throw error;
    return `cannot open path or name ${path} from the jobserver environment variable value: ${message}`;
  }
}

/**
 * Returns the problem of a descriptor; null if it is a pipe. Descriptors that Node itself has opened, and not `make`,
 * count as closed if their file type shows it.
 */
function problemOfDescriptor(fd: number): { readonly text: string; readonly isOpen: boolean } | null {
  const place = 'from the jobserver environment variable value';
  let mode: number;
  try {
    mode = fstatSync(fd).mode;
  } catch {
    mode = 0;
  }
  const type = mode & constants.S_IFMT;
  if (type === 0)
    return { text: `cannot open file descriptor ${fd} ${place}: ${describeErrno('EBADF')}`, isOpen: false };
  return (type & constants.S_IFIFO) === constants.S_IFIFO
    ? null
    : { text: `file descriptor ${fd} ${place} is not a pipe`, isOpen: true };
}
