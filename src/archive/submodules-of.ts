import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSubmodules } from '../git/submodules.ts';
import type { RepositoryPlace, WorkTree } from '../git/work-tree.ts';
import type { PackageRepositories } from './package-repository.ts';

/** The submodules of a repository that are checked out, and theirs. */
export async function checkedOutSubmodules(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<readonly { readonly place: RepositoryPlace; readonly tree: WorkTree }[]> {
  if (!existsSync(join(place.root, '.gitmodules'))) return [];
  const submodules = await readSubmodules({ path: place.root, gitDir: place.gitDir }, repositories.git);
  const found = await Promise.all(
    submodules.map(async ({ path }) => {
      if (path === undefined || path.split('/').includes('..')) return [];
      const nested = await repositories.nested(join(place.root, path));
      return nested === null ? [] : [nested, ...(await checkedOutSubmodules(nested.place, repositories))];
    }),
  );
  return found.flat();
}
