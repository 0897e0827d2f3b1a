import { dirname, join } from 'node:path';
import type { ResultKey } from './result-key.ts';
import { statsOrNull } from '../io/disk/stats.ts';

/** Permission bits of a folder that its group or everyone may write to. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Makes Node store compiled code of the files loaded from here on, next to the result cache of `path`. Does nothing in
 * Node 20. V8 trusts the stored code. So nothing is stored unless the cache exists and only this user may write to it.
 */
export function enableCompileCache({ path }: ResultKey): void {
  const cacheFolder = dirname(dirname(path));
  const stats = statsOrNull(cacheFolder);
  if (stats === null) return;
  const user = process.getuid?.();
  if (user !== undefined && (stats.uid !== user || (stats.mode & WRITABLE_BY_OTHERS) !== 0)) return;
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable === 'function') enable(join(cacheFolder, 'node'));
}
