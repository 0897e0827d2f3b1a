/** Compiled code, which Node itself can store and reuse. */
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { cacheFolderOf, type ResultKey } from './result-key.ts';
import { statsOrNull } from '../io/disk/stats.ts';

/** Permission bits of a folder that its group or everyone may write to. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Makes Node store compiled code of the files loaded from here on, in a folder `node` of the cache folder of `key`. V8
 * trusts the stored code. So nothing is stored unless the cache folder exists and, except on Windows, both folders belong
 * to this user, and nobody else may write to them. Does nothing in Node 20, which has no `enableCompileCache`.
 */
export function enableCompileCache(key: ResultKey): void {
  const cacheFolder = cacheFolderOf(key);
  const stats = statsOrNull(cacheFolder);
  if (stats === null || !isPrivate(stats)) return;
  const folder = join(cacheFolder, 'node');
  const folderStats = statsOrNull(folder);
  if (folderStats !== null && !isPrivate(folderStats)) return;
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable === 'function') enable(folder);
}

/** Returns true if only this user may write to the folder. Always true on Windows. */
function isPrivate({ uid, mode }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & WRITABLE_BY_OTHERS) === 0);
}
