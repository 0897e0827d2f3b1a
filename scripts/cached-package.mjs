// Packages that scripts need and the project does not, in a folder of the user's caches: npm installs them there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const INSTALL = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

/** Where packages are installed under a name of the cache, whether they are or not. */
export function cacheFolder(name) {
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(caches, 'tsreg', name);
}

/** Installs a package, as npm names it with its version, into a folder of the cache. True if that went well. */
export function installInCache(name, spec) {
  const folder = cacheFolder(name);
  mkdirSync(folder, { recursive: true });
  const { status, stdout } = spawnSync('npm', [...INSTALL, spec], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    // npm is a script with an extension of its own there, which only a shell finds.
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  else process.stderr.write(stdout ?? '');
  return status === 0;
}
