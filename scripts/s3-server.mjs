// A private S3-compatible server for tests: versitygw over a folder. It listens only on 127.0.0.1.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from './loopback-port.mjs';

const BUCKET = 'tsreg-tests';
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Returns `$VERSITYGW`, or the program in the folder of `go install` or on the PATH; undefined if it does not exist.
 */
function findProgram() {
  const named = process.env.VERSITYGW;
  if (named !== undefined && named !== '') return named;
  const go = spawnSync('go', ['env', 'GOBIN', 'GOPATH'], { encoding: 'utf8' });
  const [bin = '', home = ''] = (go.stdout ?? '').split('\n');
  const folders = [bin, home === '' ? '' : path.join(home, 'bin')].filter(Boolean);
  return [...folders, ...(process.env.PATH ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, 'versitygw'))
    .find((file) => existsSync(file));
}

/**
 * Starts a server whose objects are in `folder`, which it creates. Returns null if versitygw is not installed,
 * otherwise `{ env, stop() }`.
 */
export async function startS3(folder) {
  const program = findProgram();
  if (program === undefined) return null;
  mkdirSync(path.join(folder, BUCKET), { recursive: true });
  const keys = { id: randomBytes(8).toString('hex'), secret: randomBytes(16).toString('hex') };
  const port = await freePort();
  const child = spawn(program, ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', 'posix', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ROOT_ACCESS_KEY: keys.id, ROOT_SECRET_KEY: keys.secret },
  });
  const exited = new Promise((resolve) => {
    child.once('exit', resolve).once('error', resolve);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const isSlow = await Promise.race([
      exited.then(() => false),
      sleep(STOP_TIMEOUT_MS, true, { ref: false }),
    ]);
    if (isSlow) child.kill('SIGKILL');
    await exited;
  };
  for (const startedAt = Date.now(); !(await isListening(port)); await sleep(50)) {
    if (Date.now() - startedAt < START_TIMEOUT_MS && child.exitCode === null && child.pid !== undefined)
      continue;
    await stop();
    throw new Error('versitygw did not start');
  }
  return {
    env: {
      TSREG_TEST_STORAGE: `s3://${BUCKET}?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: keys.id,
      AWS_SECRET_ACCESS_KEY: keys.secret,
    },
    stop,
  };
}
