/** Rewrites a file that others may be reading, and that has an owner and maybe several names. */
import { closeSync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { errnoOf } from './errno.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Errors of a file that cannot be replaced: it is a mount point, or its folder is not writable. */
const IRREPLACEABLE: ReadonlySet<string> = new Set(['EBUSY', 'EACCES', 'EPERM', 'EROFS', 'EXDEV']);

/**
 * Writes `to` to the existing file at `path`. Replaces the file atomically, unless it would lose its owner or other
 * names; else overwrites it, as cargo does, and writes `from`, its text so far, again if that fails. Its mode stays.
 * The caller holds a lock that keeps others from writing.
 */
export async function rewriteFile(
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { nlink, uid, gid } = statSync(path);
  const isOurs = process.platform === 'win32' || (uid === process.geteuid?.() && gid === process.getegid?.());
  if (nlink === 1 && isOurs) {
    try {
      await writeFileAtomic(path, to);
      return;
    } catch (error) {
      if (!IRREPLACEABLE.has(errnoOf(error) ?? '')) throw error;
    }
  }
  const fd = openSync(path, 'r+');
  try {
    overwrite(fd, to);
  } catch (error) {
    overwrite(fd, from);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function overwrite(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, written);
  ftruncateSync(fd, bytes.length);
  fsyncSync(fd);
}
