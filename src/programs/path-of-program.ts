/** Where Windows has a program. */
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** Names without one of these are no programs that can be started. Node adds them in this order. */
const SUFFIXES = ['.com', '.exe'];

/**
 * The path of the program that a name stands for on Windows: in a folder of `PATH` that is absolute, never in the working
 * folder. A path stays as it is. null if there is no such program.
 */
export function pathOfProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  isThere: (path: string) => boolean = existsSync,
): string | null {
  if (name === '' || /[\\/:]/.test(name)) return name;
  const path = Object.entries(env).find(([variable]) => variable.toUpperCase() === 'PATH')?.[1] ?? '';
  const names = [...(name.includes('.') ? [name] : []), ...SUFFIXES.map((suffix) => name + suffix)];
  const folders = path.split(';').map((folder) => folder.replaceAll('"', ''));
  const paths = folders
    .filter((folder) => win32.isAbsolute(folder))
    .flatMap((folder) => names.map((each) => win32.join(folder, each)));
  return paths.find(isThere) ?? null;
}
