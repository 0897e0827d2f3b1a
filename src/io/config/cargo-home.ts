/** cargo's folder for the user. Cargo Book: Cargo Home. */
import { userInfo } from 'node:os';
import { TsregError } from '../../core/errors/error.ts';
import { Wording } from '../../core/errors/wording.ts';
import { joinPath, normalizePath } from '../../core/files/path.ts';
import type { Environment } from './environment.ts';

/** Returns `CARGO_HOME`, or `.cargo` in the user's home folder: absolute. `cwd` is the working directory. */
export function cargoHome(cwd: string, env: Environment): string {
  const configured = env.CARGO_HOME;
  if (configured !== undefined && configured !== '') return normalizePath(joinPath(cwd, configured));
  const home = env.HOME;
  return normalizePath(joinPath(home !== undefined && home !== '' ? home : folderOfUser(), '.cargo'));
}

/** Returns the user's home folder according to the system, not to the environment. */
function folderOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    const message = new Wording(
      'cannot find your home directory',
      "Cargo couldn't find your home directory. This probably means that $HOME was not set.",
    );
    throw new TsregError(message, {
      code: 'config',
      hint: 'set the environment variable `HOME` or `CARGO_HOME`',
    });
  }
}
