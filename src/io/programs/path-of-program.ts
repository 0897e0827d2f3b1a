/** Search for programs on Windows. */
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** Only files with these suffixes can be started. Node tries them in this order. */
const SUFFIXES = ['.com', '.exe'];

/**
 * Returns the path of a program on Windows: in an absolute folder of `PATH`, never in the working folder. Returns a
 * path unchanged, and null if there is no such program.
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
