// Packages that scripts need and the project does not. npm installs them in the user's cache folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const INSTALL = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

/** Returns the folder for packages with the cache name `name`, whether they are installed or not. */
export function cacheFolder(name) {
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(caches, 'tsreg', name);
}

/** Installs the package `spec` (npm's `name@version`) into the cache folder of `name`. Returns true if npm succeeds. */
export function installInCache(name, spec) {
  const folder = cacheFolder(name);
  mkdirSync(folder, { recursive: true });
  const { status, stdout } = spawnSync('npm', [...INSTALL, spec], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    // On Windows npm is a script with a file extension, which only a shell finds.
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  else process.stderr.write(stdout ?? '');
  return status === 0;
}
