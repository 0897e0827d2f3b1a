import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type RunResult, runProgram, tsregProgram } from './program.ts';
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
  type WireAnswer,
} from './recording-server.ts';
import { makeTempDir } from './temp-dir.ts';
import { writeTree } from './tree.ts';

/** A user with a private home, in which a registry is named `mock`, and a token for it. */
export interface RegistryUser extends Disposable {
  /** The working folder of programs. */
  readonly folder: string;
  /** The environment of every run. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes files below `folder`. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs the built program. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunResult>;
}

/** Creates a user. `index` is the URL of the registry's index. */
export function registryUser(label: string, index: string, token: string): RegistryUser {
  const temp = makeTempDir(label);
  const home = path.join(temp.path, 'home');
  const folder = path.join(temp.path, 'work');
  mkdirSync(home);
  mkdirSync(folder);
  writeFileSync(path.join(home, 'config.toml'), `[registries.mock]\nindex = "${index}"\n`);
  const base = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME: home },
    CARGO_REGISTRIES_MOCK_TOKEN: token,
  };
  return {
    folder,
    env: base,
    write: (files) => writeTree(folder, files, (text) => text),
    run: (args, env = {}) =>
      runProgram(tsregProgram(), args, {
        cwd: folder,
        env: { ...base, ...env },
      }),
    [Symbol.dispose]: () => temp.remove(),
  };
}

/** A registry with predefined responses, and a user of it. */
export interface ScriptedRegistry extends AsyncDisposable {
  readonly user: RegistryUser;
  readonly server: RecordingServer;
  /**
   * Sets the responses for `METHOD /path`, given in turn; the last one repeats. Everything else except `config.json`
   * gets 404.
   */
  answer(answers: Readonly<Record<string, WireAnswer | readonly WireAnswer[]>>): void;
  /** Returns the requests to the web API since then, as `METHOD /path body`. */
  calls(): readonly string[];
}

export async function scriptedRegistry(label: string): Promise<ScriptedRegistry> {
  const server = await startRecordingServer();
  const user = registryUser(label, `sparse+${server.url}/index/`, 'token-of-tests');
  const describe = ({ method, target, body }: RecordedRequest): string =>
    `${method} ${target} ${body.toString()}`.trim();
  return {
    user,
    server,
    answer(answers) {
      const queues = new Map(
        Object.entries(answers).map(([key, value]) => [key, [value].flat() as WireAnswer[]]),
      );
      server.restart(({ method, target }) => {
        if (target === '/index/config.json') {
          return { body: JSON.stringify({ dl: `${server.url}/dl`, api: server.url }) };
        }
        const queue = queues.get(`${method} ${target}`) ?? [];
        const next = queue.length > 1 ? queue.shift() : queue[0];
        return next ?? { status: 404, body: '{"errors":[{"detail":"not found"}]}' };
      });
    },
    calls: () => server.requests.filter(({ target }) => target.startsWith('/api/')).map(describe),
    async [Symbol.asyncDispose]() {
      user[Symbol.dispose]();
      await server.close();
    },
  };
}
