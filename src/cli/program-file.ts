/** What this program was started as. */
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';

declare const IS_STANDALONE: boolean | undefined;

/** True where one executable has the runtime and the program in it (`npm run build:standalone`). */
export const isStandalone = typeof IS_STANDALONE !== 'undefined';

/** The file that was started, absolute, links not followed: its name is the one that was called. */
export function programFile(): string {
  if (isStandalone) return calledFile();
  // What Node was told to run.
  return process.argv[1] ?? process.execPath;
}

/** Finds what was called again: the system tells the name alone where it was looked for on the `PATH`. */
function calledFile(): string {
  const { argv0, env, execPath } = process;
  if (argv0 !== basename(argv0)) return resolve(argv0);
  const files = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, argv0));
  return files.find(isExecutable) ?? execPath;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
