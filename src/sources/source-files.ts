/** Which files tell that what a source says may have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageCache } from '../disk/package-cache.ts';
import { parentFolder, rootOfPath } from '../files/path.ts';
import { gitDbName } from '../package-id/folder-names.ts';
import { type SourceId, sourcePath } from '../package-id/source-id.ts';
import { INDEX_CONFIG_FILE } from '../protocol/index-config.ts';
import { indexPath } from '../protocol/index-path.ts';
import { fetchMark } from './git-index.ts';
import { registryFolders } from './registry-folders.ts';

/** Finds the files of sources, each being the one that packages really come from. */
export class SourceFiles {
  readonly #homes: readonly string[];
  /** The folders of the index of a registry. */
  readonly #indexFolders = new Map<SourceId, readonly string[]>();

  constructor({ home, ownHome }: PackageCache) {
    this.#homes = [home, ownHome];
  }

  /**
   * The file that is written anew whenever what a registry says of the package `name` changes: its cached index file,
   * the mark of the last fetch of a git index, or its file in a local registry. The first that is there of several;
   * none for sources without an index.
   */
  indexFiles(source: SourceId, name: string): readonly string[] {
    switch (source.kind) {
      case 'local-registry': {
        const root = sourcePath(source);
        return root === null ? [] : [join(root, 'index', indexPath(name))];
      }
      case 'sparse-registry': {
        const path = indexPath(name);
        return this.#indexFoldersOf(source).map((folder) => `${folder}/.cache/${path}`);
      }
      case 'registry':
        return this.#indexFoldersOf(source).map(fetchMark);
      default:
        return [];
    }
  }

  /**
   * The files that must be there, or the source is asked for them: what a sparse registry says of itself, or a
   * repository and the mark of the checkout around `root`, the folder of a package of it (null if none was needed).
   */
  required(source: SourceId, root: string | null): readonly string[] {
    const existing = (paths: readonly string[]): string[] => [firstOf(paths) ?? paths[0] ?? ''];
    if (source.kind === 'sparse-registry')
      return existing(this.#indexFoldersOf(source).map((folder) => `${folder}/${INDEX_CONFIG_FILE}`));
    if (source.kind !== 'git') return [];
    const database = existing(this.#homes.map((home) => join(home, 'git', 'db', gitDbName(source), 'HEAD')));
    return root === null ? database : [...database, checkoutMark(root)];
  }

  #indexFoldersOf(source: SourceId): readonly string[] {
    let folders = this.#indexFolders.get(source);
    if (folders === undefined) {
      folders = this.#homes.map((home) => registryFolders(home, source).index);
      this.#indexFolders.set(source, folders);
    }
    return folders;
  }
}

function checkoutMark(root: string): string {
  for (let folder = root; folder !== rootOfPath(folder); folder = parentFolder(folder)) {
    const mark = join(folder, '.cargo-ok');
    if (existsSync(mark)) return mark;
  }
  return join(root, '.cargo-ok');
}

function firstOf(paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}
