/** Whether files are there, where many are asked for in few folders. */
import { readdirSync } from 'node:fs';

/** A file by the folder that it is in. */
export interface PlacedFile {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
}

/** Lists each folder once, when it is first asked for. */
export class FolderListings {
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** True if something of that name was in the folder when it was listed. */
  has({ folder, name }: PlacedFile): boolean {
    let names = this.#names.get(folder);
    if (names === undefined) {
      names = listFolder(folder);
      this.#names.set(folder, names);
    }
    return names.has(name);
  }
}

function listFolder(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
