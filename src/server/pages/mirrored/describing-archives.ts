import type { MirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import type { MirroredArchive } from '../../store/upstream-records.ts';
import type { DownloadableVersion } from '../../store/values.ts';

/**
 * Returns the cached archives that may supply the readme and the description of a crate: that of `version` itself, then
 * those of all versions, highest first. Leaves out versions that this registry is known to refuse. `archives` are those
 * of the crate, by checksum.
 */
export function describingArchives(
  { name: crate, versions }: MirroredCrate,
  {
    version: shown,
    archives,
  }: { readonly version: MirroredVersion; readonly archives: ReadonlyMap<string, MirroredArchive> },
): readonly DownloadableVersion[] {
  const others = versions.filter(({ version }) => version !== shown.version);
  return [shown, ...others].flatMap(({ version, checksum, refusal }) => {
    const archive = refusal === null ? archives.get(checksum) : undefined;
    if (archive === undefined) return [];
    const { size, blobKey, mirroredAtMs: publishedAtMs } = archive;
    return [{ crate, version, checksum, size, blobKey, publishedAtMs, isEvictable: true }];
  });
}
