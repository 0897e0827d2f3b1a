/** Changes to a configuration file of the user. Cargo Book: Configuration. */
import { readFileSync } from 'node:fs';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { osError } from '../disk/errno.ts';
import { acquireFileLock, type LockContext, NO_LOCKING } from '../disk/file-lock.ts';
import { rewriteFile } from '../disk/rewrite-file.ts';

/**
 * Replaces the text of the file at `path` by the result of `edit`, which gets an empty text if the file does not exist.
 * Other programs see either the old or the new text. Writes nothing if the text stays the same. Throws the errors of
 * `edit`, `config` if the file is not UTF-8, and `io`.
 */
export async function editConfigFile(
  path: string,
  edit: (text: string) => string,
  context: LockContext,
): Promise<void> {
  // This creates a missing file, so that two runs at once cannot both create it.
  const lock = await acquireFileLock(path, { mode: 'exclusive', description: 'configuration file' }, context);
  try {
    const from = readText(path);
    const to = withContext(`failed to edit \`${path}\``, () => edit(from));
    if (to !== from) await write(path, { from, to });
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TsregError(`\`${path}\` is not UTF-8`, { code: 'config' });
  }
}

/** Rewrites the file. Throws `io` with its path if that fails. */
async function write(path: string, change: { readonly from: string; readonly to: string }): Promise<void> {
  try {
    await rewriteFile(path, change);
  } catch (error) {
    throw new TsregError(`failed to write to \`${path}\``, { cause: osError(error) });
  }
}
