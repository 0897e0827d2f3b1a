/** The source of a path dependency: exactly the package in its folder. Cargo Book: Specifying Dependencies. */
import { TsregError } from '../errors/error.ts';
import { type SourceId, sourcePath } from '../package-id/source-id.ts';
import { FolderPackages } from './folder-packages.ts';
import { FolderSource } from './folder-source.ts';
import { loadPackage } from './load-package.ts';
import type { WalkContext } from './package-walk.ts';

/** Makes the source of a path. */
export function makePathSource(
  original: SourceId,
  actual: SourceId,
  context: Pick<WalkContext, 'load' | 'report'>,
): FolderSource {
  const read = (): FolderPackages => {
    const packages = new FolderPackages(context.report);
    packages.add(loadPackage(folderOf(actual), original, context.load));
    return packages;
  };
  return new FolderSource({ original, actual, read });
}

/** The folder of a source that is one. */
export function folderOf(source: SourceId): string {
  const folder = sourcePath(source);
  if (folder === null)
    throw new TsregError(`\`${source.url}\` is not the URL of a folder`, { code: 'source' });
  return folder;
}
