/** Which packages their registry calls yanked. Cargo Book: cargo-yank(1). */
import type { PackageId } from '../package-id/package-id.ts';
import type { PackageSource } from './source.ts';

/** Those of `ids` that a source calls yanked, as far as it has been loaded. */
export function yankedIn(source: PackageSource, ids: readonly PackageId[]): readonly PackageId[] {
  return ids.filter(({ name, version }) => {
    const found = source.exact(name, version);
    return typeof found !== 'symbol' && found.yanked;
  });
}
