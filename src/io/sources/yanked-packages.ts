/** Finds yanked packages. Cargo Book: cargo-yank(1). */
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import { isRegistry, type SourceKind } from '../../core/package-id/source-id.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import { groupBy } from './group-by.ts';
import type { OpenSources } from './open-sources.ts';

/** Order of the queries. Results are known in reverse: requested files last, sources on disk first. */
const ROUNDS: readonly ((kind: SourceKind) => boolean)[] = [
  (kind) => kind === 'sparse-registry',
  (kind) => kind === 'registry',
  (kind) => kind !== 'sparse-registry' && kind !== 'registry',
];

/**
 * Queries every registry again and returns yanked packages in the order of cargo's warnings. Takes the lock on the
 * package cache if there are registries. `ids` must be sorted.
 */
export async function yankedAmong(
  ids: readonly PackageId[],
  { sources, cache }: { readonly sources: OpenSources; readonly cache: PackageCache },
): Promise<readonly PackageId[]> {
  const bySource = groupBy(
    ids.filter((id) => isRegistry(sources.open(id.source).actual)),
    (id) => sources.open(id.source),
  );
  if (bySource.size === 0) return [];
  return cache.hold(async () => {
    const allYanked: PackageId[] = [];
    for (const isInRound of ROUNDS) {
      const yanked: PackageId[] = [];
      for (const [source, packages] of bySource) {
        if (isInRound(source.actual.kind)) yanked.push(...(await source.yankedAmong(packages)));
      }
      allYanked.unshift(...yanked.sort(comparePackageIds));
    }
    return allYanked;
  });
}
