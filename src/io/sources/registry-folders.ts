/** The folders of a registry under cargo's home. Cargo Book: Cargo Home. */
import { join } from 'node:path';
import { joinPath, toNativeSeparators } from '../../core/files/path.ts';
import { registryDirName } from '../../core/package-id/folder-names.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { indexPath } from '../../core/protocol/index-path.ts';

/** Absolute folders of one registry. */
export interface RegistryFolders {
  /** The `registry` folder, marked as a cache. */
  readonly base: string;
  /** `config.json` and `.cache`. */
  readonly index: string;
  /** `.crate` files. */
  readonly cache: string;
  /** Unpacked packages. */
  readonly src: string;
}

/** Returns the folders of `source` below `home`: cargo's home or `PackageCache.ownHome`. */
export function registryFolders(home: string, source: SourceId): RegistryFolders {
  return foldersNamed(registryDirName(source), home);
}

/** Returns `registryFolders` of one source as a function of `home`. Computes the hash in the folder names only once. */
export function registryFoldersOf(source: SourceId): (home: string) => RegistryFolders {
  const name = registryDirName(source);
  const byHome = new Map<string, RegistryFolders>();
  return (home) => {
    let folders = byHome.get(home);
    if (folders === undefined) {
      folders = foldersNamed(name, home);
      byHome.set(home, folders);
    }
    return folders;
  };
}

/** Returns the cache file of a package in `index`, the index folder of a sparse registry. */
export function indexCacheFile(index: string, name: string): string {
  return toNativeSeparators(joinPath(index, `.cache/${indexPath(name)}`));
}

function foldersNamed(name: string, home: string): RegistryFolders {
  const base = join(home, 'registry');
  return {
    base,
    index: join(base, 'index', name),
    cache: join(base, 'cache', name),
    src: join(base, 'src', name),
  };
}
