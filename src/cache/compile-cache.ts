/** Compiled code, which Node itself can store and reuse. */
import { join } from 'node:path';
import { cacheFolderOf, type ResultKey } from './result-key.ts';
import { statsOrNull } from '../io/disk/stats.ts';

/** Permission bits of a folder that its group or everyone may write to. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Makes Node store compiled code of the files loaded from here on, in the cache folder of `key`. V8 trusts the stored
 * code. So nothing is stored unless the folder exists and, except on Windows, only this user may write to it. Does
 * nothing in Node 20, which has no `enableCompileCache`.
 */
export function enableCompileCache(key: ResultKey): void {
  const cacheFolder = cacheFolderOf(key);
  const stats = statsOrNull(cacheFolder);
  if (stats === null) return;
  const user = process.getuid?.();
  if (user !== undefined && (stats.uid !== user || (stats.mode & WRITABLE_BY_OTHERS) !== 0)) return;
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable === 'function') enable(join(cacheFolder, 'node'));
}
