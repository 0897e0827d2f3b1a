/** What one types so that programs of a folder are found before others. */
import type { Environment } from '../config/environment.ts';

/** A line for the user's shell, as `SHELL` and the platform name it, that puts `folder` at the head of the `PATH`. */
export function pathLine(folder: string, env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return `$env:Path = '${folder.replaceAll("'", "''")};' + $env:Path`;
  const isFish = /(?:^|\/)fish$/.test(env['SHELL'] ?? '');
  if (isFish) return `set -gx PATH '${folder.replace(/[\\']/g, '\\$&')}' $PATH`;
  return `export PATH='${folder.replaceAll("'", `'\\''`)}':"$PATH"`;
}
