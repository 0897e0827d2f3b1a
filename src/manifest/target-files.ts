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
  readonly #listings = new Map<string, readonly Entry[] | null>();

  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** True if something stands at `name` in the folder `folder` (empty for the root), links followed. */
  exists(folder: string, name: string): boolean {
    const entry = this.#entry(folder, name);
    if (entry === undefined) return false;
    return (entry !== null && entry.kind !== 'symlink') || this.#kind(folder, name) !== null;
  }

  /** As `exists`, for a file only. */
  isFile(folder: string, name: string): boolean {
    const entry = this.#entry(folder, name);
    if (entry === undefined) return false;
    if (entry === null || entry.kind === 'symlink') return this.#kind(folder, name) === 'file';
    return entry.kind === 'file';
  }

  /** True if something stands at a path from the root, links followed. */
  existsAt(path: string): boolean {
    return this.#files.kind(`${this.#root}/${path}`) !== null;
  }

  /** The targets that stand in a folder: every `NAME.rs`, then every `NAME/main.rs`. */
  targetsIn(folder: string): readonly InferredTarget[] {
    const targets: InferredTarget[] = [];
    const inFolders: InferredTarget[] = [];
    for (const { name, kind } of this.#list(folder) ?? []) {
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

  /** Null where the folder may not be listed. */
  #entry(folder: string, name: string): Entry | undefined | null {
    const entries = this.#list(folder);
    return entries === null ? null : entries.find((entry) => entry.name === name);
  }

  #kind(folder: string, name: string): ReturnType<Files['kind']> {
    return this.#files.kind(`${this.#root}/${folder === '' ? '' : `${folder}/`}${name}`);
  }

  /** Null where the folder may not be listed; what is known to be in it still is. */
  #list(folder: string): readonly Entry[] | null {
    let entries = this.#listings.get(folder);
    if (entries === undefined) {
      entries = listOrNull(this.#files, folder === '' ? this.#root : `${this.#root}/${folder}`);
      this.#listings.set(folder, entries);
    }
    return entries;
  }
}

function listOrNull(files: Files, path: string): readonly Entry[] | null {
  try {
    return files.list(path) ?? [];
  } catch {
    return null;
  }
}
