/** Changes to the credentials file in cargo's home. Cargo Book: Configuration, "Credentials". */
import { chmod, readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { replaceCredentials } from '../config/credentials.ts';
import { findNamedFile } from '../config/discover-files.ts';
import { errnoOf, osError } from '../disk/errno.ts';
import { acquireFileLock, NO_LOCKING } from '../disk/file-lock.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { rewriteFile } from '../disk/rewrite-file.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { editCredentials, type StoredCredential } from './edit-credentials.ts';
import { bindToken } from './token-bindings.ts';

const OWNER_ONLY = 0o600;

/**
 * Stores `credential` for `source` in the credentials file, and replaces an earlier one. Keeps the rest of the file,
 * and symbolic links. Only the owner can read the file. Binds a token to the index of `source`, and updates the
 * credentials of `config`. Throws cargo's errors.
 */
export async function saveCredentials(
  source: SourceId,
  credential: StoredCredential,
  { config, report, signal }: OperationContext & { readonly config: Config },
): Promise<void> {
  const name = isCratesIo(source) ? null : configuredName(source);
  if (name === null && !isCratesIo(source)) {
    throw new TsregError("can't save credentials for anonymous registry", { code: 'bug', isInternal: true });
  }
  const { env, files, home } = config;
  const path =
    findNamedFile(home, 'credentials', { files, report: null }) ?? joinPath(home, 'credentials.toml');
  const description = "credentials' config file";
  makeFolders(home);
  const lock = await acquireFileLock(path, { mode: 'exclusive', description }, { env, report, signal });
  try {
    const from = await readText(path);
    // Before a new secret is written.
    await withContextAsync(`failed to set permissions of \`${path}\``, () => restrict(path));
    const to = editCredentials(from, { registry: name, credential });
    await bindToken(source, credential.kind === 'token' ? credential.token : null, config);
    await withContextAsync(`failed to write to \`${path}\``, () => write(path, { from, to }));
    replaceCredentials(config, path, to);
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}

/** Reads the current file, which another program may have changed. */
async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    const isSystem = error instanceof Error && 'syscall' in error;
    const cause = isSystem
      ? osError(error)
      : new TsregError('stream did not contain valid UTF-8', { code: 'config' });
    throw new TsregError(`failed to read configuration file \`${path}\``, { cause });
  }
}

async function restrict(path: string): Promise<void> {
  try {
    await chmod(path, OWNER_ONLY);
  } catch (error) {
    throw osError(error);
  }
}

async function write(path: string, change: { readonly from: string; readonly to: string }): Promise<void> {
  try {
    await rewriteFile(path, change);
  } catch (error) {
    throw osError(error);
  }
}
