/** The surroundings of a call. No other file of the library reads those of the process. */
import { isAbsolute } from 'node:path';
import { TsregError } from '../core/errors/error.ts';

/** Options for the surroundings of a call, which by default are those of the process at that time. */
export interface SurroundingsOptions {
  /** Absolute path of the working folder, where manifest and configuration are looked for; `process.cwd()` by default. */
  readonly cwd?: string | undefined;
  /**
   * All environment variables: `CARGO_HOME`, `CARGO_*`, proxies and the like, and `PATH`, which locates programs such as
   * git; `process.env` by default.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The working folder and the environment of a call. */
type Surroundings = { readonly [K in keyof SurroundingsOptions]-?: NonNullable<SurroundingsOptions[K]> };

/**
 * Returns the surroundings of a call. Throws `usage` if `cwd` is relative, and `not-found` if it is not given and the
 * working folder of the process is deleted.
 */
export function surroundingsOf({ cwd, env = process.env }: SurroundingsOptions): Surroundings {
  if (cwd === undefined) return { cwd: folderOfProcess(), env };
  if (isAbsolute(cwd)) return { cwd, env };
  throw new TsregError(`\`cwd\` must be absolute, not \`${cwd}\``, { code: 'usage' });
}

function folderOfProcess(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'the working folder of the process does not exist: pass `cwd`';
    throw new TsregError(message, { code: 'not-found', cause });
  }
}
