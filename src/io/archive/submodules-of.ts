/** The submodules of the repository of a package, as `cargo package` sees them. */
import { join } from 'node:path';
import { statsOrNull } from '../disk/stats.ts';
import { TsregError } from '../../core/errors/error.ts';
import { normalizePath } from '../../core/files/path.ts';
import { openRepository } from '../git/repository.ts';
import type { Submodule } from '../git/submodules.ts';
import { repositoryAt, type RepositoryPlace } from '../git/work-tree.ts';
import { type NestedRepository, pathBelow, type PackageRepositories } from './package-repository.ts';

/** Returns the checked-out submodules of a repository, recursively. */
export async function checkedOutSubmodules(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<readonly NestedRepository[]> {
  const submodules = await submodulesOf(place, repositories);
  const nestedLists = await Promise.all(
    submodules.map(async ({ root }) => {
      const nested = isFurtherDown(root, place) ? await repositories.nested(root) : null;
      return nested === null ? [] : [nested, ...(await checkedOutSubmodules(nested.place, repositories))];
    }),
  );
  return nestedLists.flat();
}

/**
 * Throws `git` if a submodule was checked out and its folder is missing, since an archive would lack its files. Ignores
 * a submodule that was never checked out, as cargo does. Also throws `git` if a submodule has no valid path.
 */
export async function checkSubmoduleFolders(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<void> {
  (await repositories.submodules(place)).forEach(checkPath);
  for (const { name, path, root } of await submodulesOf(place, repositories)) {
    const gitDir = join(place.gitDir, 'modules', name);
    if (openRepository(gitDir) !== null && statsOrNull(root)?.isDirectory() !== true) {
      const cause = new TsregError(`Worktree root at '${root}' is not a directory`, { code: 'git' });
      throw new TsregError(`failed to retrieve git status from repo ${gitDir}`, {
        cause,
        hint: `\`git submodule update -- ${path}\` brings it back`,
      });
    }
    const nested = isFurtherDown(root, place) ? repositoryAt(root) : null;
    if (nested !== null) await checkSubmoduleFolders(nested, repositories);
  }
}

/** Throws `git`, in cargo's words, if the path of a submodule is invalid. */
function checkPath({ name, path = '' }: Submodule): void {
  const invalid = (message: string): TsregError => new TsregError(message, { code: 'git' });
  if (path === '') throw invalid(`The submodule '${name}' was missing its 'path' field or it was empty`);
  if (path.startsWith('/')) throw invalid(`The path '${path}' of submodule '${name}' needs to be relative`);
  if (/^\.\.(?:\/|$)/.test(normalizePath(path)))
    throw invalid(`The path '${path}' would lead outside of the repository worktree`);
}

/** Returns false for the repository's own folder, which would be its own submodule endlessly. */
function isFurtherDown(root: string, place: RepositoryPlace): boolean {
  const path = pathBelow(root, place.root);
  return path !== null && path !== '';
}

/** Returns the submodules in `.gitmodules` with a usable path, each with the absolute path of its folder. */
async function submodulesOf(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<readonly (Submodule & { readonly path: string; readonly root: string })[]> {
  const submodules = await repositories.submodules(place);
  return submodules.flatMap((submodule) => {
    const { name, path } = submodule;
    if (path === undefined || [...path.split('/'), ...name.split('/')].includes('..')) return [];
    return { ...submodule, path, root: join(place.root, path) };
  });
}
