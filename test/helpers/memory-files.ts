import { compareBytes } from '../../src/core/files/compare-bytes.ts';
import type { Entry, Files, Kind } from '../../src/core/files/files.ts';
import { normalizePath, parentFolder, relativePath } from '../../src/core/files/path.ts';

/** Files that exist only in the test: absolute path -> text. A path that ends in `/` is an empty folder. */
export class MemoryFiles implements Files {
  readonly #texts = new Map<string, string>();
  readonly #folders = new Map<string, Map<string, Kind>>([['/', new Map()]]);

  constructor(tree: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(tree)) {
      if (/[\\/]$/.test(path)) {
        this.#addFolder(normalizePath(path));
      } else {
        this.#texts.set(normalizePath(path), text);
        this.#addEntry(normalizePath(path), 'file');
      }
    }
  }

  read(path: string): Uint8Array | null {
    const text = this.#isReachable(path) ? this.#texts.get(normalizePath(path)) : undefined;
    return text === undefined ? null : Buffer.from(text);
  }

  list(path: string): readonly Entry[] | null {
    const folder = this.#isReachable(path) ? this.#folders.get(normalizePath(path)) : undefined;
    if (folder === undefined) return null;
    return Array.from(folder, ([name, kind]) => ({ name, kind })).toSorted((a, b) =>
      compareBytes(a.name, b.name),
    );
  }

  kind(path: string): Kind | null {
    if (!this.#isReachable(path)) return null;
    const normalized = normalizePath(path);
    if (this.#folders.has(normalized)) return 'directory';
    return this.#texts.has(normalized) ? 'file' : null;
  }

  exists(path: string): boolean {
    return this.kind(path) !== null;
  }

  /** Returns false for `..` after a folder that does not exist, as on a disk. */
  #isReachable(path: string): boolean {
    for (let dots = path.indexOf('/..'); dots > 0; dots = path.indexOf('/..', dots + 1)) {
      const isUp = dots + 3 === path.length || path[dots + 3] === '/';
      if (isUp && !this.#folders.has(normalizePath(path.slice(0, dots)))) return false;
    }
    return true;
  }

  #addFolder(path: string): void {
    if (this.#folders.has(path)) return;
    this.#folders.set(path, new Map());
    this.#addEntry(path, 'directory');
  }

  #addEntry(path: string, kind: Kind): void {
    const folder = parentFolder(path);
    if (folder === path) return;
    this.#addFolder(folder);
    this.#folders.get(folder)?.set(relativePath(folder, path), kind);
  }
}
