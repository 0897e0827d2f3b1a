/** The files of an archive as if they were unpacked. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { Entry, Files, Kind } from '../../core/files/files.ts';
import { fileName, normalizePath, parentFolder, toSlashes } from '../../core/files/path.ts';
import type { TarEntry } from './read-tar.ts';

/** The entries of an archive in memory. Links and devices count as absent. `Files` documents the methods. */
export class ArchiveFiles implements Files {
  readonly #contents = new Map<string, Uint8Array>();
  readonly #folders = new Set<string>();

  /** `folder` is the absolute path that the entries appear below. */
  constructor(entries: Iterable<TarEntry>, folder: string) {
    for (const { path, kind, data } of entries) {
      const absolute = keyOf(`${folder}/${path}`);
      if (kind === 'directory') this.#addFolder(absolute);
      if (kind !== 'file') continue;
      this.#contents.set(absolute, data);
      this.#addFolder(parentFolder(absolute));
    }
  }

  read(path: string): Uint8Array | null {
    return this.#contents.get(keyOf(path)) ?? null;
  }

  list(path: string): readonly Entry[] | null {
    const folder = keyOf(path);
    if (!this.#folders.has(folder)) return null;
    const isChild = (candidate: string): boolean =>
      candidate !== folder && parentFolder(candidate) === folder;
    const entriesOf = (paths: Iterable<string>, kind: Kind): readonly Entry[] =>
      [...paths].filter(isChild).map((child) => ({ name: fileName(child), kind }));
    const entries = [...entriesOf(this.#contents.keys(), 'file'), ...entriesOf(this.#folders, 'directory')];
    return entries.sort((a, b) => compareBytes(a.name, b.name));
  }

  kind(path: string): Kind | null {
    const key = keyOf(path);
    if (this.#contents.has(key)) return 'file';
    return this.#folders.has(key) ? 'directory' : null;
  }

  exists(path: string): boolean {
    return this.kind(path) !== null;
  }

  /** Adds a folder and all folders above it. */
  #addFolder(path: string): void {
    for (let folder = path; !this.#folders.has(folder); folder = parentFolder(folder))
      this.#folders.add(folder);
  }
}

/** Returns the one form of a path by which entries are stored. */
function keyOf(path: string): string {
  return toSlashes(normalizePath(path));
}
