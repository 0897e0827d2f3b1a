/** The source of a path dependency: the package in its folder, and no other. Cargo Book: Specifying Dependencies. */
import { TsregError } from '../../core/errors/error.ts';
import { fileName, joinPath } from '../../core/files/path.ts';
import { type SourceId, sourcePath } from '../../core/package-id/source-id.ts';
import { FolderPackages } from './folder-packages.ts';
import { FolderSource } from './folder-source.ts';
import { loadPackage } from './load-package.ts';
import type { WalkContext } from './package-walk.ts';

/** Makes the source of a path. It has no packages if its folder has no manifest. */
export function makePathSource(original: SourceId, actual: SourceId, context: WalkContext): FolderSource {
  const read = (): FolderPackages => {
    const packages = new FolderPackages(context.report);
    const folder = folderOf(actual);
    if (isScript(folder, context.files)) {
      throw new TsregError('single file packages cannot be used as dependencies', { code: 'source' });
    }
    if (context.files.exists(joinPath(folder, 'Cargo.toml'))) {
      packages.add(loadPackage(folder, original, context.load));
    }
    return packages;
  };
  return new FolderSource({ original, actual, read });
}

/** Returns true for a file that could be a package by itself: a Rust file, or one without an extension. */
function isScript(path: string, files: WalkContext['files']): boolean {
  return /(?:\.rs|^[^.]+|^\.[^.]*)$/.test(fileName(path)) && files.kind(path) === 'file';
}

/** Returns the folder of a source. Throws `source` if its URL does not name one. */
export function folderOf(source: SourceId): string {
  const folder = sourcePath(source);
  if (folder === null)
    throw new TsregError(`\`${source.url}\` is not the URL of a folder`, { code: 'source' });
  return folder;
}
