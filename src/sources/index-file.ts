/** Which file tells that what an index says of a package may have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageCache } from '../disk/package-cache.ts';
import { type SourceId, sourcePath } from '../package-id/source-id.ts';
import { indexPath } from '../protocol/index-path.ts';
import { registryFolders } from './registry-folders.ts';

/**
 * The file that is written anew whenever what the registry `actual` says of the package `name` changes: its
 * cached index file, the mark of the last fetch of a git index, or its file in a local registry. null for
 * sources without an index.
 */
export function indexFile(actual: SourceId, name: string, { home, ownHome }: PackageCache): string | null {
  if (actual.kind === 'local-registry') {
    const root = sourcePath(actual);
    return root === null ? null : join(root, 'index', indexPath(name));
  }
  if (actual.kind !== 'sparse-registry' && actual.kind !== 'registry') return null;
  const file = actual.kind === 'registry' ? join('.git', 'FETCH_HEAD') : join('.cache', indexPath(name));
  const paths = [home, ownHome].map((each) => join(registryFolders(each, actual).index, file));
  return paths.find((path) => existsSync(path)) ?? null;
}
