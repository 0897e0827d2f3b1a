import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CrateDecl } from './crate.ts';
import { type Program, runProgram, tsregProgram } from './program.ts';
import { publishBody } from './publish-body.ts';
import { testLocation } from './test-location.ts';

/** A registry that the built program serves. */
export interface ServedRegistry extends AsyncDisposable {
  readonly url: string;
  readonly index: string;
  readonly data: string;
  readonly child: ChildProcess;
  /** Returns its stderr so far. */
  log(): string;
  /**
   * Sends a signal and waits for the server to stop. Returns the exit status, or the name of the signal that ended it.
   */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
  /** Returns a new token of a user, who is created if necessary. `flags` are for `serve token`. */
  token(login: string, ...flags: readonly string[]): Promise<string>;
  /**
   * Publishes a crate through the web API. `more` replaces or adds fields of its JSON. Rejects if the registry refuses
   * it.
   */
  publish(decl: CrateDecl, token: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts `serve` on a free port of 127.0.0.1, with the registry in `folder`. */
export async function serveRegistry(
  folder: string,
  flags: readonly string[] = [],
  program: Program = tsregProgram(),
): Promise<ServedRegistry> {
  const [file, ...first] = program.command;
  const args = [...first, 'serve', '--listen', '127.0.0.1:0', '--data', folder, ...flags];
  const place = await testLocation(folder);
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...place.env, ...program.env };
  const { database, storage } = place.location;
  const lastFact = storage === null ? (database === null ? 'data' : 'database') : 'storage';
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
    if (facts.has(lastFact)) break;
  }
  if (!facts.has(lastFact)) throw new Error(`the server did not start:\n${log}`);
  child.stdout.resume();
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode ?? child.signalCode ?? -1;
  };
  return {
    url: facts.get('url') ?? '',
    index: facts.get('index') ?? '',
    data: facts.get('data') ?? folder,
    child,
    log: () => log,
    stop,
    async token(login, ...more) {
      const { status, stdout, stderr } = await runProgram(
        program,
        ['serve', 'token', '--data', folder, '--user', login, ...more],
        { cwd: '/', env: { PATH: env.PATH, HOME: folder, ...place.env } },
      );
      if (status !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    async publish(decl, authorization, more = {}) {
      const { bytes } = publishBody(decl, more);
      const url = `${facts.get('url') ?? ''}/api/v1/crates/new`;
      const request = { method: 'PUT', headers: { authorization }, body: new Uint8Array(bytes) };
      const response = await fetch(url, request);
      if (!response.ok) throw new Error(await response.text());
    },
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}

/**
 * Returns the variables with which `serve`, run with `args`, finds the database and storage of the registry of its
 * `--data`.
 */
export async function serveEnv(args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const folder = args[args.indexOf('--data') + 1];
  return args.includes('--data') && folder !== undefined ? (await testLocation(folder)).env : {};
}
