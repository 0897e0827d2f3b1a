/** How deep and how wide the folders of an archive may be. */
import { TsregError } from '../errors/error.ts';

/** Names in a path, its folders and itself. */
const MAX_PATH_PARTS = 64;
const MAX_FOLDERS = 100_000;

/**
 * Counts the folders of an archive. Each entry can name folders that no other has, and each of them costs time and memory
 * wherever the archive is unpacked: a few hundred kilobytes can name millions.
 */
export class FolderBound {
  readonly #folders = new Set<string>();

  /** Adds the folders that a path leads through. Throws `archive` beyond 64 parts, or 100,000 folders. */
  enter(parts: readonly string[]): void {
    if (parts.length > MAX_PATH_PARTS) {
      throw new TsregError(`a path in the archive has more than ${MAX_PATH_PARTS} parts`, {
        code: 'archive',
      });
    }
    const path = parts.join('/');
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
      if (this.#folders.size > MAX_FOLDERS) {
        throw new TsregError(`the archive has more than ${MAX_FOLDERS} folders`, { code: 'archive' });
      }
    }
  }
}
