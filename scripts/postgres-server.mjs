// A private PostgreSQL server for tests. It listens only on 127.0.0.1.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from './loopback-port.mjs';

const USER = 'tsreg';
/** Debian's folder for each release, which is not on the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 30_000;

/** Data need not survive a power failure, but committed data survives the end of every process. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  log_min_messages: 'fatal',
};

function findPrograms() {
  const releases = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newestFirst = releases.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...newestFirst.map((release) => path.join(DEBIAN, release, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))),
  );
}

/** PostgreSQL refuses to run as root, so the user `postgres` runs it. */
function findOtherUser() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Starts a server whose data is in `folder`, which it creates. Returns null if PostgreSQL is not installed, otherwise
 * `{ env, stop(), restart() }`.
 */
export async function startPostgres(folder) {
  const programs = findPrograms();
  if (programs === undefined) return null;
  const owner = findOtherUser();
  // The other user must be able to traverse the parent folder, but not to list it.
  if (owner.uid !== undefined) chmodSync(path.dirname(folder), 0o711);
  mkdirSync(folder, { mode: 0o700 });
  const password = randomBytes(12).toString('hex');
  const passwordFile = path.join(folder, 'password');
  const data = path.join(folder, 'data');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner.uid !== undefined)
    for (const file of [folder, passwordFile]) chownSync(file, owner.uid, owner.gid);
  const init = spawnSync(
    path.join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      USER,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
    ],
    { ...owner, cwd: folder, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr}`);
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const run = () =>
    runServer(port, () =>
      spawn(path.join(programs, 'postgres'), ['-D', data, ...settings], {
        ...owner,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
  let stop = await run();
  return {
    env: { TSREG_TEST_DATABASE: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres` },
    stop: () => stop(),
    /** Closes all connections. Committed data survives. */
    async restart() {
      await stop();
      stop = await run();
    },
  };
}

/** Resolves, once the server listens on `port`, to a function that stops it. */
async function runServer(port, start) {
  const child = start();
  const exited = once(child, 'exit');
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error('PostgreSQL did not start');
    }
    await sleep(50);
  }
  return async () => {
    // A fast shutdown, which does not wait for clients.
    child.kill('SIGINT');
    await exited;
  };
}
