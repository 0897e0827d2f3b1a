/** Cached crates of the upstream in responses, as on crates.io. */
import { isPreRelease } from '../../shared/version-text.ts';
import type { ListedMirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import { encodeCrate, NO_PARTS } from './encode-crate.ts';

/** The index of the upstream has no links to other sites. */
const NO_LINKS = { homepage: null, documentation: null, repository: null };

/**
 * Returns a cached crate for a list. Its versions are those that this registry serves to new projects, or else all. If
 * its index file was not read, the version is empty.
 */
export function encodeMirroredCrate(
  { name, checkedAtMs, crate }: ListedMirroredCrate,
  description: string | null,
): object {
  const versions = crate?.versions ?? [];
  const selectable = versions.filter(({ isYanked, refusal }) => !isYanked && refusal === null);
  const times = versions.map(({ publishedAtMs }) => publishedAtMs ?? checkedAtMs);
  const details = {
    crate: {
      name,
      description,
      maxVersion: (selectable[0] ?? versions[0])?.version ?? '',
      downloads: 0,
      createdAtMs: Math.min(...times, checkedAtMs),
      updatedAtMs: times.length === 0 ? checkedAtMs : Math.max(...times),
      isTrustedOnly: false,
    },
    shown: { metadata: NO_LINKS },
    versionCount: versions.length,
    newestVersion: newestOf(selectable)?.version ?? null,
    maxStableVersion: selectable.find(({ version }) => !isPreRelease(version))?.version ?? null,
  };
  return encodeCrate(details, NO_PARTS);
}

/** Returns the version that was published last; the highest one if the upstream does not state the times. */
function newestOf(versions: readonly MirroredVersion[]): MirroredVersion | null {
  const [newest = null] = versions.toSorted((a, b) => (b.publishedAtMs ?? 0) - (a.publishedAtMs ?? 0));
  return newest;
}
