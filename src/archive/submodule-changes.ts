import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toByteString } from '../files/byte-path.ts';
import { readSubmodules } from '../git/submodules.ts';
import type { RepositoryPlace } from '../git/work-tree.ts';
import type { PackageRepositories } from './package-repository.ts';

/**
 * Everything that has changed in the submodules of a repository and in theirs, each listed one by one: absolute paths
 * as byte strings. Submodules that are not checked out have none.
 */
export async function submoduleChanges(
  place: RepositoryPlace,
  repositories: PackageRepositories,
): Promise<readonly string[]> {
  if (!existsSync(join(place.root, '.gitmodules'))) return [];
  const submodules = await readSubmodules({ path: place.root, gitDir: place.gitDir }, repositories.git);
  const found = await Promise.all(
    submodules.map(async ({ path }) => {
      if (path === undefined || path.split('/').includes('..')) return [];
      const nested = await repositories.nested(join(place.root, path));
      if (nested === null) return [];
      const top = toByteString(`${nested.place.root}/`);
      const own = nested.tree.changes
        .filter((entry) => entry.kind !== 'ignored' || !/(?:^|\/)Cargo\.lock$/.test(entry.path))
        .map((entry) => top + entry.path);
      return [...own, ...(await submoduleChanges(nested.place, repositories))];
    }),
  );
  return found.flat();
}
