/** Where target discovery looks. Cargo Book: Package Layout. */
import type { Entry, Files } from '../files/files.ts';

/** A target that a file stands for: its name, and its path from the package's root. */
export interface InferredTarget {
  readonly name: string;
  readonly path: string;
}

/** The files of one package, each folder listed at most once. */
export class TargetFiles {
  readonly #files: Files;
  readonly #root: string;
  readonly #listings = new Map<string, readonly Entry[]>();

  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** True if something stands at `name` in the folder `folder` (empty for the root), links followed. */
  exists(folder: string, name: string): boolean {
    return this.#files.exists(this.#path(folder, name));
  }

  /** As `exists`, for a file only. */
  isFile(folder: string, name: string): boolean {
    return this.#files.kind(this.#path(folder, name)) === 'file';
  }

  /** True if something stands at a path from the root, links followed. */
  existsAt(path: string): boolean {
    return this.#files.exists(`${this.#root}/${path}`);
  }

  /** The targets that stand in a folder: every `NAME.rs`, then every `NAME/main.rs`. */
  targetsIn(folder: string): readonly InferredTarget[] {
    const targets: InferredTarget[] = [];
    const inFolders: InferredTarget[] = [];
    for (const { name, kind } of this.#list(folder)) {
      if (name.startsWith('.')) continue;
      if (kind === 'directory') {
        const path = `${folder}/${name}/main.rs`;
        if (this.existsAt(path)) inFolders.push({ name, path });
      } else if (name.endsWith('.rs')) {
        targets.push({ name: name.slice(0, -'.rs'.length), path: `${folder}/${name}` });
      }
    }
    return [...targets, ...inFolders];
  }

  #path(folder: string, name: string): string {
    return `${this.#root}/${folder === '' ? '' : `${folder}/`}${name}`;
  }

  /** Nothing where the folder may not be listed. */
  #list(folder: string): readonly Entry[] {
    let entries = this.#listings.get(folder);
    if (entries === undefined) {
      entries = listOrNothing(this.#files, `${this.#root}/${folder}`);
      this.#listings.set(folder, entries);
    }
    return entries;
  }
}

function listOrNothing(files: Files, path: string): readonly Entry[] {
  try {
    return files.list(path) ?? [];
  } catch {
    return [];
  }
}
