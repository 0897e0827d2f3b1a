/** Which files tell that what a source says may have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageCache } from '../disk/package-cache.ts';
import { parentFolder } from '../files/path.ts';
import { gitDbName } from '../package-id/folder-names.ts';
import { type SourceId, sourcePath } from '../package-id/source-id.ts';
import { INDEX_CONFIG_FILE } from '../protocol/index-config.ts';
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
  return firstOf([home, ownHome].map((each) => join(registryFolders(each, actual).index, file)));
}

/**
 * The files that must be there, or the source `actual` is asked for them: what a sparse registry says of itself, or a
 * repository and the mark of the checkout around `root`, the folder of a package of it (null if none was needed).
 */
export function sourceFiles(
  actual: SourceId,
  root: string | null,
  { home, ownHome }: PackageCache,
): readonly string[] {
  const inHome = (pathIn: (home: string) => string): string => {
    const paths = [home, ownHome].map(pathIn);
    return firstOf(paths) ?? pathIn(home);
  };
  if (actual.kind === 'sparse-registry') {
    return [inHome((each) => join(registryFolders(each, actual).index, INDEX_CONFIG_FILE))];
  }
  if (actual.kind !== 'git') return [];
  const database = inHome((each) => join(each, 'git', 'db', gitDbName(actual), 'HEAD'));
  return root === null ? [database] : [database, checkoutMark(root)];
}

function checkoutMark(root: string): string {
  for (let folder = root; folder !== '/'; folder = parentFolder(folder)) {
    const mark = join(folder, '.cargo-ok');
    if (existsSync(mark)) return mark;
  }
  return join(root, '.cargo-ok');
}

function firstOf(paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}
