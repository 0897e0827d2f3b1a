/** Which packages their registry calls yanked. Cargo Book: cargo-yank(1). */
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import type { SourceKind } from '../package-id/source-id.ts';
import type { YankingSource } from './remote-source.ts';
import type { PackageSource } from './source.ts';

/** Files are asked for before a repository is fetched, and are there after it; what is on disk answers first. */
const ROUNDS: readonly ((kind: SourceKind) => boolean)[] = [
  (kind) => kind === 'sparse-registry',
  (kind) => kind === 'registry',
  (kind) => kind !== 'sparse-registry' && kind !== 'registry',
];

/** Those of `ids` that a source calls yanked, as far as it has been loaded. */
export function yankedIn(source: PackageSource, ids: readonly PackageId[]): readonly PackageId[] {
  return ids.filter(({ name, version }) => {
    const found = source.exact(name, version);
    return typeof found !== 'symbol' && found.yanked;
  });
}

/**
 * Asks every source anew which of its packages are yanked, and gives those in the order in which cargo warns of them.
 * The lock on the package cache must be held.
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
