/** Where the packages of a lock file are, if everything is on disk. */
import type { Config } from '../../config/config.ts';
import { readLockFile } from '../../disk/read-lock-file.ts';
import { isThere } from '../../disk/stats.ts';
import { joinPath } from '../../files/path.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { parseSourceUrl } from '../../package-id/source-url.ts';
import { indexCacheFile, registryFolders } from '../../sources/registry-folders.ts';
import { SourceReplacement } from '../../sources/source-replacement.ts';
import type { ExpectedPackage } from './read-manifests.ts';

/** As programs write them. What is written otherwise is not read ahead. */
const LOCKED = /^name = "([\w-]+)"\nversion = "([\w.+-]+)"\nsource = "((?:registry|sparse)\+[^"\\]+)"$/gm;

/** Absolute. */
interface Folders {
  /** Of unpacked packages. */
  readonly src: string;
  /** Of their archives. */
  readonly cache: string;
  /** Of the index; null where it has no cached files. */
  readonly index: string | null;
}

/**
 * Packages of the registries in a lock file (absolute path), where they are once they have been unpacked; none of a
 * registry of which nothing is on disk, and none where anything is wrong, which is told when it is needed.
 */
export function expectedPackages(lockFile: string, config: Config): readonly ExpectedPackage[] {
  try {
    const text = readLockFile(lockFile) ?? '';
    const sources = new SourceTable();
    const replacement = new SourceReplacement(config, sources);
    const folders = new Map<string, Folders | null>();
    const folderOf = (url: string): Folders | null => {
      const { kind, ...actual } = replacement.actualOf(parseSourceUrl(url, sources));
      if (kind !== 'registry' && kind !== 'sparse-registry') return null;
      const { src, cache, index } = registryFolders(config.home, { kind, ...actual });
      if (!isThere(src) && !isThere(index)) return null;
      return { src, cache, index: kind === 'registry' ? null : index };
    };
    const packages: ExpectedPackage[] = [];
    for (const [, name = '', version = '', source = ''] of text.matchAll(LOCKED)) {
      let folder = folders.get(source);
      if (folder === undefined) folders.set(source, (folder = folderOf(source)));
      if (folder === null) continue;
      const root = joinPath(folder.src, `${name}-${version}`);
      const archive = joinPath(folder.cache, `${name}-${version}.crate`);
      const index = folder.index === null ? null : indexCacheFile(folder.index, name);
      packages.push({ name, version, source, root, archive, index });
    }
    return packages;
  } catch {
    return [];
  }
}
