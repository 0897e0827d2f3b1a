import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Program, runProgram, tsregProgram } from './program.ts';

/** A registry that the built program serves. */
export interface ServedRegistry extends AsyncDisposable {
  readonly url: string;
  readonly index: string;
  readonly data: string;
  readonly child: ChildProcess;
  /** What it wrote to stderr so far. */
  log(): string;
  /** Asks it to stop, and waits until it has; the exit status, or the name of the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
  /** A new token of a user, who is made if need be; `flags` are for `serve token`. */
  token(login: string, ...flags: readonly string[]): Promise<string>;
}

/** Starts `serve` on a free port of 127.0.0.1, with the registry in `folder`. */
export async function serveRegistry(
  folder: string,
  flags: readonly string[] = [],
  program: Program = tsregProgram(),
): Promise<ServedRegistry> {
  const [file, ...first] = program.command;
  const args = [...first, 'serve', '--listen', '127.0.0.1:0', '--data', folder, ...flags];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...program.env };
  const child = spawn(file, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'exit');
  const facts = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const space = line.indexOf(' ');
    facts.set(line.slice(0, space), line.slice(space + 1));
    if (facts.has('data')) break;
  }
  if (!facts.has('data')) throw new Error(`the server did not start:\n${log}`);
  child.stdout.resume();
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode ?? child.signalCode ?? -1;
  };
  return {
    url: facts.get('url') ?? '',
    index: facts.get('index') ?? '',
    data: facts.get('data') ?? '',
    child,
    log: () => log,
    stop,
    async token(login, ...more) {
      const { status, stdout, stderr } = await runProgram(
        program,
        ['serve', 'token', '--data', folder, '--user', login, ...more],
        { cwd: '/', env: { PATH: env.PATH, HOME: folder } },
      );
      if (status !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}
