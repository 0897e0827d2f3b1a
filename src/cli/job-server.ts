/**
 * The job server that `make` offers to its child processes. GNU make: Job Slots. The checks and messages are those of
 * Rust's crate `jobserver`, which cargo uses.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Environment } from '../io/config/environment.ts';
import { debugText } from '../core/errors/debug-text.ts';
import { describeErrno } from '../core/errors/os-error-text.ts';
import { describeFailure } from '../io/terminal/system-error.ts';

/** Variables that may name a job server; only the first one that is set counts. */
const VARIABLES = ['CARGO_MAKEFLAGS', 'MAKEFLAGS', 'MFLAGS'];

/** An environment variable that names a job server. */
export interface NamedJobServer {
  readonly variable: string;
  readonly value: string;
  /** The name of the server in the value: `fifo:PATH`, or two file descriptors as `R,W`. */
  readonly name: string;
}

/** Returns the job server that the environment names; null if it names none. */
export function namedJobServer(env: Environment): NamedJobServer | null {
  const variable = VARIABLES.find((name) => env[name] !== undefined);
  const value = variable === undefined ? undefined : env[variable];
  if (variable === undefined || value === undefined) return null;
  for (const prefix of ['--jobserver-auth=', '--jobserver-fds=']) {
    const start = value.lastIndexOf(prefix);
    if (start !== -1)
      return { variable, value, name: value.slice(start + prefix.length).replace(/ .*/s, '') };
  }
  return null;
}

/** Returns a warning if the environment names a job server that cannot be used; else null. */
export function jobServerWarning(env: Environment, platform = process.platform): string | null {
  const server = platform === 'win32' ? null : namedJobServer(env);
  if (server === null) return null;
  const problem = problemOf(server.name);
  if (problem === null) return null;
  const assignment = `${server.variable}=${debugText(server.value)}`;
  return `failed to connect to jobserver from environment variable \`${assignment}\`: ${problem}`;
}

/** Returns why the job server with this name cannot be used; null if it can. */
function problemOf(name: string): string | null {
  if (name === 'fifo') return parseError('expected a path after `fifo:`');
  if (name.startsWith('fifo:')) return problemOfPath(name.slice('fifo:'.length));
  const comma = name.indexOf(',');
  if (comma < 0) return parseError(`expected \`fifo:PATH\` or \`R,W\`, found \`${name}\``);
  const fds: number[] = [];
  const sides = { read: name.slice(0, comma), write: name.slice(comma + 1) };
  for (const [side, text] of Object.entries(sides)) {
    const problem = numberProblem(text);
    if (problem !== null) return parseError(`cannot parse \`${side}\` fd: ${problem}`);
    fds.push(Number(text));
  }
  // With a negative number, `make` states that this program has no job server.
  if (fds.some((fd) => fd < 0)) return null;
  const problems = fds.flatMap((fd) => problemOfDescriptor(fd) ?? []);
  // As in `jobserver`, a descriptor that is open but not a pipe takes precedence over a closed one.
  const worst = problems.find(({ isOpen }) => isOpen) ?? problems[0];
  return worst?.text ?? null;
}

function parseError(problem: string): string {
  return `cannot parse jobserver environment variable value: ${problem}`;
}

/** Descriptors are signed 32-bit integers: from minus this number up to, but not including, this number. */
const INT32_LIMIT = 2 ** 31;

/** Returns the error of Rust's `i32::from_str`; null for a valid number. */
function numberProblem(text: string): string | null {
  if (text === '') return 'cannot parse integer from empty string';
  if (!/^[+-]?\d+$/.test(text)) return 'invalid digit found in string';
  if (Number(text) >= INT32_LIMIT) return 'number too large to fit in target type';
  return Number(text) < -INT32_LIMIT ? 'number too small to fit in target type' : null;
}

/** Returns why a named pipe cannot be opened; null if it can. */
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
 * Returns the problem of a descriptor; null if it is a pipe. A descriptor without a file type counts as closed: Node
 * has opened it for its event loop (epoll, eventfd), and not `make`.
 */
function problemOfDescriptor(fd: number): { readonly text: string; readonly isOpen: boolean } | null {
  const place = 'from the jobserver environment variable value';
  let type = 0;
  try {
    type = fstatSync(fd).mode & constants.S_IFMT;
  } catch {
    // The descriptor is closed.
  }
  if (type === 0) {
    return { text: `cannot open file descriptor ${fd} ${place}: ${describeErrno('EBADF')}`, isOpen: false };
  }
  return (type & constants.S_IFIFO) === constants.S_IFIFO
    ? null
    : { text: `file descriptor ${fd} ${place} is not a pipe`, isOpen: true };
}
