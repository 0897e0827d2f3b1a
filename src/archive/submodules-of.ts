import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { statsOrNull } from '../disk/stats.ts';
import { TsregError } from '../errors/error.ts';
import { openRepository } from '../git/repository.ts';
import { readSubmodules, type Submodule } from '../git/submodules.ts';
import { repositoryAt, type RepositoryPlace, type WorkTree } from '../git/work-tree.ts';
import type { PackageRepositories } from './package-repository.ts';

/** The submodules of a repository that are checked out, and theirs. */
export async function checkedOutSubmodules(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<readonly { readonly place: RepositoryPlace; readonly tree: WorkTree }[]> {
  const submodules = await submodulesOf(place, repositories);
  const found = await Promise.all(
    submodules.map(async ({ root }) => {
      const nested = await repositories.nested(root);
      return nested === null ? [] : [nested, ...(await checkedOutSubmodules(nested.place, repositories))];
    }),
  );
  return found.flat();
}

/**
 * Throws where the folder of a submodule is gone that was checked out before: its files would be missing in an archive.
 * One that never was checked out is left alone, as by cargo.
 */
export async function checkSubmoduleFolders(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<void> {
  for (const { name, path, root } of await submodulesOf(place, repositories)) {
    const gitDir = join(place.gitDir, 'modules', name);
    if (openRepository(gitDir) !== null && statsOrNull(root)?.isDirectory() !== true) {
      const cause = new TsregError(`Worktree root at '${root}' is not a directory`, { code: 'git' });
      throw new TsregError(`failed to retrieve git status from repo ${gitDir}`, {
        cause,
        hint: `\`git submodule update -- ${path}\` brings it back`,
      });
    }
    const nested = repositoryAt(root);
    if (nested !== null) await checkSubmoduleFolders(nested, repositories);
  }
}

/** Those that `.gitmodules` names, each with the absolute path of its folder. */
async function submodulesOf(
  { root, gitDir }: RepositoryPlace,
  { git }: PackageRepositories,
): Promise<readonly (Submodule & { readonly path: string; readonly root: string })[]> {
  if (!existsSync(join(root, '.gitmodules'))) return [];
  const submodules = await readSubmodules({ path: root, gitDir }, git);
  return submodules.flatMap((submodule) => {
    const { name, path } = submodule;
    if (path === undefined || [...path.split('/'), ...name.split('/')].includes('..')) return [];
    return { ...submodule, path, root: join(root, path) };
  });
}
