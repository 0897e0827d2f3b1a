/** Files for target discovery. Cargo Book: Package Layout. */
import type { Entry, Files } from '../files/files.ts';

/** A target that discovery found as a file. Its path is relative to the package's folder. */
export interface InferredTarget {
  readonly name: string;
  readonly path: string;
}

/** The files of one package. Lists each folder at most once. */
export class TargetFiles {
  readonly #files: Files;
  readonly #root: string;
  readonly #listings = new Map<string, readonly Entry[]>();

  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** Returns true if a path relative to the package's folder exists. Follows links. */
  exists(path: string): boolean {
    return this.#files.exists(`${this.#root}/${path}`);
  }

  /** Like `exists`, for a file only. */
  isFile(path: string): boolean {
    return this.#files.kind(`${this.#root}/${path}`) === 'file';
  }

  /** Returns the targets in a folder: every `NAME.rs`, then every `NAME/main.rs`. */
  targetsIn(folder: string): readonly InferredTarget[] {
    const targets: InferredTarget[] = [];
    const inFolders: InferredTarget[] = [];
    for (const { name, kind } of this.#list(folder)) {
      if (name.startsWith('.')) continue;
      if (kind === 'directory') {
        const path = `${folder}/${name}/main.rs`;
        if (this.exists(path)) inFolders.push({ name, path });
      } else if (name.endsWith('.rs')) {
        targets.push({ name: name.slice(0, -'.rs'.length), path: `${folder}/${name}` });
      }
    }
    return [...targets, ...inFolders];
  }

  /** Returns the entries of a folder; none if it cannot be listed. */
  #list(folder: string): readonly Entry[] {
    let entries = this.#listings.get(folder);
    if (entries === undefined) {
      entries = listOrNothing(this.#files, `${this.#root}/${folder}`);
      this.#listings.set(folder, entries);
    }
    return entries;
  }
}

/** Returns the entries of a folder; none if it cannot be read: as in cargo, discovery then finds nothing. */
function listOrNothing(files: Files, path: string): readonly Entry[] {
  try {
    return files.list(path) ?? [];
  } catch {
    return [];
  }
}
