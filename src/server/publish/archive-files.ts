import type { Entry, Files, Kind } from '../../files/files.ts';

/** An archive as if it were unpacked at `root`: its files can be seen, and none can be read. */
export function archiveFiles(paths: ReadonlySet<string>, root: string): Files {
  const folders = new Map<string, Map<string, Entry>>([[root, new Map()]]);
  for (const path of paths) {
    const parts = path.split('/');
    let folder = root;
    for (const [index, name] of parts.entries()) {
      const isFile = index === parts.length - 1;
      const entries = folders.get(folder) ?? new Map<string, Entry>();
      entries.set(name, { name, kind: isFile ? 'file' : 'directory' });
      folders.set(folder, entries);
      folder = `${folder}/${name}`;
    }
  }
  const kind = (path: string): Kind | null => {
    if (folders.has(path)) return 'directory';
    return path.startsWith(`${root}/`) && paths.has(path.slice(root.length + 1)) ? 'file' : null;
  };
  return {
    read: () => null,
    list(path) {
      const entries = folders.get(path);
      return entries === undefined
        ? null
        : Array.from(entries.values()).sort((a, b) =>
            Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
          );
    },
    kind,
    exists: (path) => kind(path) !== null,
  };
}
