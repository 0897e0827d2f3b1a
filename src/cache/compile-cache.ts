import { dirname, join } from 'node:path';
import type { ResultKey } from './result-key.ts';
import { statsOrNull } from '../io/disk/stats.ts';

/**
 * Makes Node store compiled code of the files loaded from here on, next to the result cache. Needs Node 22. V8 trusts
 * the stored code. So nothing is stored unless the cache exists and only this user may write to it.
 */
export function enableCompileCache({ path }: ResultKey): void {
  const folder = dirname(dirname(path));
  const stats = statsOrNull(folder);
  if (stats === null) return;
  const user = process.getuid?.();
  if (user !== undefined && (stats.uid !== user || (stats.mode & 0o022) !== 0)) return;
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable === 'function') enable(join(folder, 'node'));
}
