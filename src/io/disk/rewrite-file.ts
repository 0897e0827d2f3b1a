/** Rewrites a file that others may be reading, and that has an owner and maybe several names. */
import { closeSync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { errnoOf } from './errno.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/**
 * Changes the text of the file at `path` from `from` to `to`. Replaces the file atomically, unless it would lose its
 * owner or other names; else overwrites it, as cargo does. Its mode stays.
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
      // A mounted file, or a folder without write access.
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
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
  fsyncSync(fd);
}

const IRREPLACEABLE: ReadonlySet<string> = new Set(['EBUSY', 'EACCES', 'EPERM', 'EROFS', 'EXDEV']);
