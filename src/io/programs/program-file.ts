/** The file that this process was started from. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';

/** `scripts/build-standalone.mjs` defines it. Absent in any other build. */
declare const IS_STANDALONE: boolean | undefined;

/** True if one executable contains the runtime and the program (`npm run build:standalone`). */
export const isStandalone = typeof IS_STANDALONE !== 'undefined';

/** Returns the absolute path of the started file. Links are not resolved, so its name is the one that was called. */
export function programFile(): string {
  if (isStandalone) return calledFile();
  // The script that Node runs.
  return process.argv[1] ?? process.execPath;
}

/** Returns the called executable. If the shell searched the `PATH` for it, the system reports only its name. */
function calledFile(): string {
  const { argv0, env, execPath } = process;
  if (argv0 !== basename(argv0)) return resolve(argv0);
  return findOnPath(argv0, env['PATH'] ?? '') ?? execPath;
}

/**
 * Returns the absolute path of the first executable called `name` in the folders of `path`; null if there is none. An
 * empty folder is the working folder, as for the shell.
 */
export function findOnPath(name: string, path: string): string | null {
  const files = path.split(delimiter).map((folder) => resolve(folder, name));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // For a folder, this permission means access to its entries.
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
