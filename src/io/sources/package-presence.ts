/** Checks which packages of a registry are on disk. Cargo Book: Cargo Home. */
import { readFileSync } from 'node:fs';
import { READY_FILE } from '../archive/portable-name.ts';
import { errnoOf, osErrorText } from '../disk/errno.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { isThere, statsOrNull } from '../disk/stats.ts';
import { TsregError } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';

/** Content of `READY_FILE`, as cargo writes it. */
export const READY_TEXT = '{"v":1}';

/** Returns true if the package in `root` is completely unpacked. Throws `io` if its mark cannot be read. */
export function isUnpacked(root: string): boolean {
  const path = joinPath(root, READY_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw new TsregError(`unable to read .cargo-ok file at ${JSON.stringify(path)}: ${osErrorText(error)}`, {
      code: 'io',
    });
  }
  if (text === READY_TEXT) return true;
  try {
    const ready: unknown = JSON.parse(text);
    return typeof ready === 'object' && ready !== null && 'v' in ready && ready.v === 1;
  } catch {
    return false;
  }
}

/** Returns true if `root` has the mark of an unpacked package, whatever its content. */
export function isMarked(root: string): boolean {
  return isThere(joinPath(root, READY_FILE));
}

/** Returns true if the `.crate` at `path` exists and is not empty. */
export function hasCrate(path: string): boolean {
  return (statsOrNull(path)?.size ?? 0) > 0;
}

/** Records that the result of the run depends on an unpacked package and its archive. */
export function recordPackage(root: string, archive: string): void {
  const recorder = inputRecorder();
  if (recorder === undefined) return;
  recorder.immutableFolder(root, joinPath(root, READY_FILE));
  recorder.wholeFiles.add(joinPath(root, 'Cargo.toml'));
  recorder.wholeFiles.add(archive);
}
