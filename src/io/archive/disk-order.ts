import { opendirSync, type Dirent } from 'node:fs';
import { toNativePath } from '../../core/files/byte-path.ts';

/** Returns the entries of a folder (byte strings) in the system's order, unlike `readdir`, which sorts them. */
export function listUnsorted(path: string): Dirent[] {
  const folder = opendirSync(toNativePath(path), { encoding: 'latin1', bufferSize: 256 });
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
    return positions.get(name) ?? positions.size;
  };
  return items.toSorted((a, b) => {
    let start = 0;
    for (let at = 0; at < a.path.length && a.path[at] === b.path[at]; at++)
      if (a.path[at] === '/') start = at + 1;
    const [x = '', y = ''] = [a, b].map(({ path }) => path.slice(start).split('/', 1)[0]);
    const folder = a.path.slice(0, start);
    return x === y ? a.path.length - b.path.length : positionOf(folder, x) - positionOf(folder, y);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return listUnsorted(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}
