/** Finds yanked packages. Cargo Book: cargo-yank(1). */
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import type { SourceKind } from '../../core/package-id/source-id.ts';
import type { YankingSource } from './remote-source.ts';
import type { PackageSource } from './source.ts';

/** Order of the queries. Results are known in reverse: requested files last, sources on disk first. */
const ROUNDS: readonly ((kind: SourceKind) => boolean)[] = [
  (kind) => kind === 'sparse-registry',
  (kind) => kind === 'registry',
  (kind) => kind !== 'sparse-registry' && kind !== 'registry',
];

/** Returns those of `ids` that are yanked in a source, as far as it is loaded. */
export function yankedIn(source: PackageSource, ids: readonly PackageId[]): readonly PackageId[] {
  return ids.filter(({ name, version }) => {
    const found = source.exact(name, version);
    return typeof found !== 'symbol' && found.yanked;
  });
}

/**
 * Queries every source again and returns yanked packages in the order of cargo's warnings. The lock on the package
 * cache must be held.
 */
export async function yankedAmong(
  packages: ReadonlyMap<YankingSource, readonly PackageId[]>,
): Promise<readonly PackageId[]> {
  const found: PackageId[] = [];
  for (const isInRound of ROUNDS) {
    const yanked: PackageId[] = [];
    for (const [source, ids] of packages) {
      if (isInRound(source.actual.kind)) yanked.push(...(await source.yankedAmong(ids)));
    }
    found.unshift(...yanked.sort(comparePackageIds));
  }
  return found;
}
