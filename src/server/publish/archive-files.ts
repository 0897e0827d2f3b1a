import type { InspectedCrate } from '../../io/archive/inspect-crate.ts';
import type { Entry, Files, Kind } from '../../core/files/files.ts';

/**
 * Returns the paths of an archive as if it were unpacked at `root`. File contents cannot be read. Folders are listed on
 * demand, because few are needed.
 */
export function archiveFiles(
  { files, folders }: Pick<InspectedCrate, 'files' | 'folders'>,
  root: string,
): Files {
  const kind = (path: string): Kind | null => {
    if (path === root) return 'directory';
    if (!path.startsWith(`${root}/`)) return null;
    const inside = path.slice(root.length + 1);
    if (files.has(inside)) return 'file';
    return folders.has(inside) ? 'directory' : null;
  };
  return {
    read: () => null,
    list(path) {
      if (kind(path) !== 'directory') return null;
      const start = path === root ? 0 : path.length - root.length;
      const entries: Entry[] = [];
      for (const [paths, entryKind] of [
        [files, 'file'],
        [folders, 'directory'],
      ] as const) {
        for (const each of paths) {
          if (each.lastIndexOf('/') + 1 === start && `${root}/${each}`.startsWith(path))
            entries.push({ name: each.slice(start), kind: entryKind });
        }
      }
      return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    },
    kind,
    exists: (path) => kind(path) !== null,
  };
}
