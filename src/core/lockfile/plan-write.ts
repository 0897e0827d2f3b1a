/** The decision whether a lock file must be written, and its text. */
import { TsregError } from '../errors/error.ts';
import { haveSameLines, isEquivalent } from './compare-lockfiles.ts';
import { describeLockfileChanges } from './describe-changes.ts';
import { encodeLockfile } from './encode-lockfile.ts';
import type { Lockfile, LockfileVersion } from './lockfile.ts';
import { parseLockfile, type LockfileContext } from './parse-lockfile.ts';

/** The inputs for a write. */
export interface WriteOptions extends LockfileContext {
  /** The current text of the file; null if there is none. */
  readonly original: string | null;
  /** The `defaultLockfileVersion` of the workspace. A write raises an older file to it. */
  readonly defaultVersion: LockfileVersion;
  /** `--locked` or `--frozen` as it was passed; null if the file may change. */
  readonly lockedFlag: string | null;
}

/**
 * Returns the new text of the lock file; null if the file stays as it is. Throws `lockfile` if it must change and a
 * flag forbids that.
 */
export function planLockfileWrite(lockfile: Lockfile, options: WriteOptions): string | null {
  const { original, defaultVersion, lockedFlag, path } = options;
  const text = encodeLockfile(lockfile, original);
  // With a flag, equivalent files suffice: order and comments do not count. A file that is not valid is not equivalent.
  const before = original === null || lockedFlag === null ? null : parseOrNull(original, options);
  const after = before === null ? null : parseOrNull(text, options);
  if (original !== null) {
    if (before !== null && after !== null && isEquivalent(before, after)) return null;
    if (haveSameLines(original, text)) return null;
  }
  if (lockedFlag !== null) {
    const changes = before === null || after === null ? null : describeLockfileChanges(before, after);
    const action = original === null ? 'create' : 'update';
    throw new TsregError(
      `cannot ${action} the lock file ${path} because ${lockedFlag} was passed to prevent this
help: to generate the lock file without accessing the network, remove the ${lockedFlag} flag and use --offline instead.`,
      { code: 'lockfile', ...(changes === null ? {} : { hint: `the lock file does not match: ${changes}` }) },
    );
  }
  return lockfile.version < defaultVersion
    ? encodeLockfile({ ...lockfile, version: defaultVersion }, original)
    : text;
}

function parseOrNull(text: string, context: LockfileContext): Lockfile | null {
  try {
    return parseLockfile(text, context);
  } catch (error) {
    if (error instanceof TsregError) return null;
    throw error;
  }
}
