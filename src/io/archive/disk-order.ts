/** The order in which the system lists files. cargo reports the first of several files with an odd name. */
import { opendirSync, type Dirent } from 'node:fs';
import { toNativePath } from '../../core/files/byte-path.ts';

/** The number of entries that Node reads at once. */
const BUFFER_SIZE = 256;

/**
 * Returns the entries of a folder (byte strings) in the system's order, unlike `readdir`, which sorts them. Throws
 * Node's errors.
 */
export function listUnsorted(path: string): Dirent[] {
  const folder = opendirSync(toNativePath(path), { encoding: 'latin1', bufferSize: BUFFER_SIZE });
  try {
    const entries: Dirent[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) entries.push(entry);
    return entries;
  } finally {
    folder.closeSync();
  }
}

/** Sorts items in the order in which the system lists the files at their paths (absolute byte strings). */
export function sortAsOnDisk<T extends { readonly path: string }>(items: readonly T[]): T[] {
  const folders = new Map<string, ReadonlyMap<string, number>>();
  const positionOf = (folder: string, name: string): number => {
    let positions = folders.get(folder);
    if (positions === undefined) {
      positions = new Map(namesIn(folder).map((entry, i) => [entry, i]));
      folders.set(folder, positions);
    }
    // A name that has disappeared meanwhile comes last.
    return positions.get(name) ?? positions.size;
  };
  return items.toSorted((a, b) => {
    const folder = sharedFolder(a.path, b.path);
    const nameA = firstName(a.path.slice(folder.length));
    const nameB = firstName(b.path.slice(folder.length));
    // Equal names: `a` and `b` have the same path, or one is in the other.
    if (nameA === nameB) return a.path.length - b.path.length;
    return positionOf(folder, nameA) - positionOf(folder, nameB);
  });
}

function firstName(path: string): string {
  const slash = path.indexOf('/');
  return slash === -1 ? path : path.slice(0, slash);
}

/** Returns the deepest folder that contains both paths, with a slash at the end. */
function sharedFolder(a: string, b: string): string {
  let end = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') end = i + 1;
  return a.slice(0, end);
}

/** Returns the names in a folder in the system's order; none if it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return listUnsorted(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}
