// Runs a command with another release of Node, which npm installs: node scripts/with-node.mjs RELEASE COMMAND ARGS…
// RELEASE is npm's name for it: 22, 24, latest. It is in the user's cache folder. Once a day npm looks for a newer one;
// if it reaches no registry, the installed one is used. In the command, `node` is that release.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { cacheFolder, installInCache } from './cached-package.mjs';

const [release, command, ...args] = process.argv.slice(2);
if (command === undefined || !/^[\w.-]+$/.test(release)) {
  console.error('usage: node scripts/with-node.mjs RELEASE COMMAND ARGS…');
  process.exit(2);
}

const onWindows = process.platform === 'win32';
const name = `node-${release}`;
const folder = cacheFolder(name);
const bin = path.join(folder, 'node_modules', 'node', 'bin');
const node = path.join(bin, onWindows ? 'node.exe' : 'node');

const manifest = path.join(folder, 'package.json');
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the version that the installed Node prints; undefined if it is not installed. */
function version() {
  const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns whether npm installed or checked the release within the last day. */
function isRecent() {
  return Date.now() - (statSync(manifest, { throwIfNoEntry: false })?.mtimeMs ?? 0) < DAY_MS;
}

if (version() === undefined || !isRecent()) installInCache(name, `node@${release}`);
const found = version();
if (found === undefined) {
  console.error(`Node ${release} could not be installed in ${folder}`);
  process.exit(1);
}
console.error(`Node ${found}`);

const child = spawn(command, args, {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  shell: onWindows,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
try {
  const [status, signal] = await once(child, 'close');
  process.exitCode = status ?? 128 + constants.signals[signal];
} catch (error) {
  console.error(error.message);
  process.exitCode = 127;
}
