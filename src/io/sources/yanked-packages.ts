/** Finds yanked packages. Cargo Book: cargo-yank(1). */
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import { isRegistry, type SourceKind } from '../../core/package-id/source-id.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { OpenSources } from './open-sources.ts';
import type { Source } from './source.ts';

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
  const packages = new Map<Source, PackageId[]>();
  for (const id of ids) {
    const source = sources.open(id.source);
    if (!isRegistry(source.actual)) continue;
    const others = packages.get(source);
    if (others === undefined) packages.set(source, [id]);
    else others.push(id);
  }
  if (packages.size === 0) return [];
  return cache.hold(async () => {
    const found: PackageId[] = [];
    for (const isInRound of ROUNDS) {
      const yanked: PackageId[] = [];
      for (const [source, ofSource] of packages) {
        if (isInRound(source.actual.kind)) yanked.push(...(await source.yankedAmong(ofSource)));
      }
      found.unshift(...yanked.sort(comparePackageIds));
    }
    return found;
  });
}
