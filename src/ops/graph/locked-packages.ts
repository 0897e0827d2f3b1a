import type { PackageLocation } from '../../cache/package-pack.ts';
import type { Config } from '../../config/config.ts';
import { readLockFile } from '../../disk/read-lock-file.ts';
import { joinPath } from '../../files/path.ts';
import { decodeRawLockfile } from '../../lockfile/raw-lockfile.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { formatSourceUrl, parseSourceUrl } from '../../package-id/source-url.ts';
import { registryFolders } from '../../sources/registry-folders.ts';
import { SourceReplacement } from '../../sources/source-replacement.ts';

/** Where the packages of a lock file from registries are once they are unpacked; none where anything is wrong. */
export function lockedPackages(lockFile: string, config: Config): readonly PackageLocation[] {
  try {
    const sources = new SourceTable();
    const replacement = new SourceReplacement(config, sources);
    const folders = new Map<string, { readonly src: string; readonly text: string } | null>();
    const folderOf = (text: string): { readonly src: string; readonly text: string } | null => {
      const source = parseSourceUrl(text, sources);
      const actual = replacement.actualOf(source);
      return actual.kind === 'registry' || actual.kind === 'sparse-registry'
        ? { src: registryFolders(config.home, actual).src, text: formatSourceUrl(source, { encoded: false }) }
        : null;
    };
    const packages = decodeRawLockfile(readLockFile(lockFile) ?? '').packages;
    return packages.flatMap(({ name, version, source }) => {
      if (source === null) return [];
      let folder = folders.get(source);
      if (folder === undefined) folders.set(source, (folder = folderOf(source)));
      return folder === null
        ? []
        : [{ root: joinPath(folder.src, `${name}-${version}`), source: folder.text }];
    });
  } catch {
    // Whoever needs it finds the same, and can say what it is needed for.
    return [];
  }
}
