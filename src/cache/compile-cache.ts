import { dirname, join } from 'node:path';
import type { ResultKey } from './result-key.ts';
import { statsOrNull } from '../disk/stats.ts';

/**
 * Lets Node store the files that are loaded from here on in compiled form, beside the result cache: from Node 22 on. V8
 * trusts what is stored there. So nothing is stored unless the cache exists and only this user may write to it.
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
