/** Puts packages of several sources on disk, in the order of cargo's status lines. */
import { TsregError } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { groupBy } from './group-by.ts';
import { withDownloadContext } from './replacement-context.ts';
import type { FetchedPackage, FetchListener, Source } from './source.ts';

/**
 * Puts packages on disk, in the order of `summaries`, and returns them by key of their ids. Remote registries download
 * concurrently, also with other sources. `onUnpacked` is called only for packages of remote registries.
 *
 * Rejects after all started fetches have ended. The first failure in the order of `summaries` of these two kinds comes
 * before all others, and nothing more is started after it: a package of a source on disk, and a download that cannot
 * start. Otherwise it is that of the registry whose fetch was started first: registries with a missing package in the
 * order of their first one, then those without.
 */
export async function fetchFromSources(
  summaries: readonly Summary[],
  sourceOf: (source: SourceId) => Source,
  listener: Pick<FetchListener, 'onUnpacked'>,
): Promise<ReadonlyMap<string, FetchedPackage>> {
  const remote = groupBy(
    summaries.filter(({ id }) => isRemoteRegistry(sourceOf(id.source))),
    ({ id }) => sourceOf(id.source),
  );
  const downloads = new Map<Source, Promise<readonly FetchedPackage[]>>();
  const fetchedByKey = new Map<string, FetchedPackage>();
  try {
    for (const summary of summaries) {
      const source = sourceOf(summary.id.source);
      const remoteSummaries = remote.get(source);
      if (remoteSummaries === undefined) fetchedByKey.set(summary.id.key, await fetchLocal(summary, source));
      else if (!downloads.has(source) && !source.isDownloaded(summary.id.name, summary.id.version)) {
        // cargo reports the download at the first package that needs it, then unpacks the following packages.
        await new Promise<void>((onBegun, reject) => {
          const download = source.fetch(remoteSummaries, { ...listener, onBegun });
          downloads.set(source, download);
          // If a download cannot start, fail at once. Any other rejection is handled below, in order.
          download.then(() => onBegun(), reject);
        });
      }
    }
    // The others need no download.
    for (const [source, remoteSummaries] of remote) {
      if (!downloads.has(source)) downloads.set(source, source.fetch(remoteSummaries, listener));
    }
  } finally {
    await Promise.allSettled(downloads.values());
  }
  for (const download of downloads.values()) {
    for (const fetched of await download) fetchedByKey.set(fetched.id.key, fetched);
  }
  return fetchedByKey;
}

function isRemoteRegistry({ actual }: Source): boolean {
  return actual.kind === 'registry' || actual.kind === 'sparse-registry';
}

/** Fetches a package of a source on disk. Throws with cargo's chain of causes. */
async function fetchLocal(summary: Summary, source: Source): Promise<FetchedPackage> {
  const [fetched] = await withDownloadContext(summary.id, source, () => source.fetch([summary]));
  return fetched ?? throwMissing(summary.id);
}

/** Throws `bug` for a package that its source failed to return. */
export function throwMissing(id: PackageId): never {
  throw new TsregError(`a source did not give \`${describePackage(id)}\``, { code: 'bug' });
}
