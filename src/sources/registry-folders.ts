/** Where the things of a registry lie under cargo's home. Cargo Book: Cargo Home. */
import { join } from 'node:path';
import { joinPath, toNativeSeparators } from '../files/path.ts';
import { registryDirName } from '../package-id/folder-names.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { indexPath } from '../protocol/index-path.ts';

/** Absolute folders of one registry. */
export interface RegistryFolders {
  /** Marked as a cache. */
  readonly base: string;
  /** `config.json` and `.cache`. */
  readonly index: string;
  /** `.crate` files. */
  readonly cache: string;
  /** Unpacked packages. */
  readonly src: string;
}

/** The folders of `source` below `home`, which is cargo's home or what stands in for it. */
export function registryFolders(home: string, source: SourceId): RegistryFolders {
  return foldersNamed(registryDirName(source), home);
}

/** As `registryFolders`, for who asks again and again: the name of the folders is a hash, and made once. */
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

/** The cached file of a package in the folder `index` of a sparse registry. */
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
