/** Facts of packages, read from their archives without making a page slow. */
import { clientNetwork, type HttpContext } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { withinTime } from '../../shared/within-time.ts';
import type { CrateSources, SourceRequest } from '../../source/crate-sources.ts';
import type { PackageFacts } from '../../source/package-facts.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { DownloadableVersion } from '../../store/values.ts';

/** Time for a page to wait. Nearly all archives are read in a few milliseconds, and only once. */
const MAX_WAIT_MS = 500;
/** Time for reading archives, which goes on after the page is sent, so that the next one has their facts. */
const MAX_READ_MS = 5000;

/** The services that read facts. */
export interface UsageServices {
  readonly context: Pick<ServerContext, 'settings'>;
  readonly sources: CrateSources;
}

/** Returns the facts of versions by checksum, without those whose archives cannot be read, or not soon. */
export async function readUsageFacts(
  c: HttpContext,
  versions: readonly DownloadableVersion[],
  { context, sources }: UsageServices,
): Promise<ReadonlyMap<string, PackageFacts>> {
  const owner = clientNetwork(c, context.settings.trustedProxies);
  return await collectFacts(versions, owner, (version, request) => sources.facts(version, request));
}

/**
 * Returns the facts that `read` returns in time, by checksum. Calls it for one version after the other, for the client
 * `owner`. Does not throw.
 */
export async function collectFacts(
  versions: readonly DownloadableVersion[],
  owner: string,
  read: (version: DownloadableVersion, request: SourceRequest) => Promise<PackageFacts | null>,
): Promise<ReadonlyMap<string, PackageFacts>> {
  const collected = new Map<string, PackageFacts>();
  const request = { signal: AbortSignal.timeout(MAX_READ_MS), owner };
  const readAll = async (): Promise<void> => {
    for (const version of versions) {
      if (request.signal.aborted) return;
      const facts = await read(version, request);
      if (facts !== null) collected.set(version.checksum, facts);
    }
  };
  const tooLate = (): Error => new SourceProblem('busy', 'the archives were not read in time');
  try {
    await withinTime(readAll(), { timeoutMs: MAX_WAIT_MS, tooLate });
  } catch {
    // The rest of the page needs no archive.
  }
  return new Map(collected);
}
