/** The shell command that puts a folder first on the `PATH`. */
import type { Environment } from '../../io/config/environment.ts';

/** Returns a line for the user's shell, by `SHELL` and the platform, that puts `folder` first on the `PATH`. */
export function pathLine(folder: string, env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return `$env:Path = '${folder.replaceAll("'", "''")};' + $env:Path`;
  const isFish = /(?:^|\/)fish$/.test(env['SHELL'] ?? '');
  if (isFish) return `set -gx PATH '${folder.replace(/[\\']/g, '\\$&')}' $PATH`;
  return `export PATH='${folder.replaceAll("'", `'\\''`)}':"$PATH"`;
}
