/** The working folder of the process. */
import { existsSync } from 'node:fs';
import { valuesOf } from '../commands/shared/command.ts';
import type { FlagValues } from '../commands/shared/flag.ts';
import type { Identity } from '../commands/shared/identity.ts';
import { allowsUnstable, releaseChannel } from '../commands/shared/unstable-flags.ts';
import { TsregError } from '../core/errors/error.ts';
import type { Environment } from '../io/config/environment.ts';
import { withSystemContext } from '../io/terminal/system-error.ts';

/** Returns the path of the working folder. Throws `config` if it is not UTF-8, and `io` if the folder does not exist. */
export function workingFolder(): string {
  const folder = withSystemContext("couldn't get the current directory of the process", () => process.cwd());
  // Node replaces bytes that are not UTF-8 by U+FFFD. The resulting path does not exist.
  if (!folder.includes('\uFFFD') || existsSync(folder)) return folder;
  throw invalid('path contains invalid UTF-8 characters');
}

/** Returns the folder that paths are shown relative to; the root if the working folder does not exist. */
export function folderForPaths(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** Carries out `-C`. In compatibility mode, throws `config` if the flag is not enabled, because it is unstable. */
export function changeFolder(
  folder: string,
  values: FlagValues,
  { env, identity }: { readonly env: Environment; readonly identity: Identity },
): void {
  if (identity.program !== 'cargo') {
    withSystemContext(`could not change to the folder \`${folder}\``, () => process.chdir(folder));
    return;
  }
  const isEnabled =
    allowsUnstable(releaseChannel(env)) && valuesOf(values, 'unstable-features').includes('unstable-options');
  if (!isEnabled) {
    throw invalid(
      'the `-C` flag is unstable, pass `-Z unstable-options` on the nightly channel to enable it',
    );
  }
  withSystemContext('could not change to requested directory', () => process.chdir(folder));
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
