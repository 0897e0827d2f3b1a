/** Limits on the depth and number of folders in an archive. */
import { TsregError } from '../../core/errors/error.ts';

/** Parts of a path, including the file name. */
const MAX_PATH_PARTS = 64;
const MAX_FOLDERS = 100_000;

/**
 * Counts the folders of an archive. Every path can name new folders, and each costs time and memory when the archive is
 * unpacked: a few hundred kilobytes can name millions.
 */
export class FolderBound {
  readonly #folders = new Set<string>();

  /**
   * Adds the folders of a path in the package. The last part is that of a file; for a folder it is empty. Throws
   * `archive` beyond 64 parts, or 100,000 folders. All readers of archives pass the same parts: a server must not accept
   * what clients refuse.
   */
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
