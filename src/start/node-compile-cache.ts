/** What Node itself keeps of compiled programs: from release 22 on. */
import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Lets Node keep what it makes of the files that are loaded from here on, where that is safe. Never fails a run. */
export function letNodeKeep(env: Environment): void {
  // To import this module takes a common run a millisecond.
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  try {
    if (typeof enable === 'function' && mayKeep(env)) enable();
  } catch {
    // Who made that folder cannot be told: its path is too long, say, or goes round in a circle.
  }
}

/**
 * May Node keep it where it does, in the system's folder for temporary files? V8 believes what it finds there, so nobody
 * else may have made that folder. A folder that the user names is for the user to judge.
 */
function mayKeep({ NODE_COMPILE_CACHE: named = '' }: Environment): boolean {
  const { getuid } = process;
  if (named !== '' || getuid === undefined) return true;
  const stats = lstatSync(join(tmpdir(), 'node-compile-cache'), { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && stats.uid === getuid() && (stats.mode & 0o022) === 0);
}
