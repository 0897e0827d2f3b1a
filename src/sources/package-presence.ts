/** Whether packages of a registry are on disk. Cargo Book: Cargo Home. */
import { readFileSync } from 'node:fs';
import { errnoOf, osErrorText } from '../disk/errno.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { isThere, statsOrNull } from '../disk/stats.ts';
import { TsregError } from '../errors/error.ts';
import { joinPath } from '../files/path.ts';

/** The file that says that the package in its folder was unpacked to the end. */
export const READY_FILE = '.cargo-ok';
/** What it says. */
export const READY_TEXT = '{"v":1}';

/** True if `root` is a package that was unpacked to the end. Throws if that cannot be told. */
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

/** True if `root` has the mark of a package that was unpacked to the end, whatever it says: for one that was read before. */
export function isMarked(root: string): boolean {
  return isThere(joinPath(root, READY_FILE));
}

/** True if a `.crate` is there and has anything in it. */
export function hasCrate(path: string): boolean {
  return (statsOrNull(path)?.size ?? 0) > 0;
}

/** Notes that the result of the run depends on an unpacked package and its archive. */
export function recordPackage(root: string, archive: string): void {
  const recorder = inputRecorder();
  if (recorder === undefined) return;
  recorder.immutableFolder(root, joinPath(root, READY_FILE));
  recorder.wholeFiles.add(joinPath(root, 'Cargo.toml'));
  recorder.wholeFiles.add(archive);
}
