// Runs a command while a private database and object store are running: node scripts/with-stores.mjs COMMAND ARGS…
// The command finds them in TSREG_TEST_DATABASE and TSREG_TEST_STORAGE, with the keys in the usual variables. A store
// that is not installed is left out, with a message. At the end both are stopped and their data removed; the exit
// status is the command's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from './postgres-server.mjs';
import { startS3 } from './s3-server.mjs';

/** Each takes a folder and returns `{ env, stop() }`, or null if the store is not installed. */
const STORES = { postgresql: startPostgres, versitygw: startS3 };

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node scripts/with-stores.mjs COMMAND ARGS…');
  process.exit(2);
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tsreg-stores-'));
const running = [];
const env = { ...process.env };
let status = 1;
try {
  for (const [name, start] of Object.entries(STORES)) {
    const store = await start(path.join(folder, name));
    if (store === null) console.error(`*** ${name} is not installed: what needs it is skipped ***`);
    else {
      running.push(store);
      Object.assign(env, store.env);
    }
  }
  const child = spawn(command, args, { stdio: 'inherit', env });
  // A signal ends the command first, and the stores after it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  status = code ?? 1;
} catch (error) {
  console.error(error);
} finally {
  for (const store of running.reverse()) await store.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = status;
