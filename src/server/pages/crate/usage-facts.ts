/** How the version of a page can be used, read from its archive without making the page slow. */
import { clientAddress, type HttpContext } from '../../http/http-env.ts';
import { networkOf } from '../../http/network-of.ts';
import type { ServerContext } from '../../server-context.ts';
import { withinTime } from '../../shared/within-time.ts';
import type { CrateSources } from '../../source/crate-sources.ts';
import type { PackageFacts } from '../../source/package-facts.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { Version } from '../../store/values.ts';

/** Time for a page to wait. Nearly all archives are read in a few milliseconds, and only once. */
const MAX_WAIT_MS = 500;
/** Time for reading an archive, which goes on after the page is sent, so that the next one has its facts. */
const MAX_READ_MS = 5000;

/** The services that read facts. */
export interface UsageServices {
  readonly context: Pick<ServerContext, 'settings'>;
  readonly sources: CrateSources;
}

/** Returns the facts of a version; null if its archive cannot be read, or not soon. */
export async function readUsageFacts(
  c: HttpContext,
  version: Version,
  { context, sources }: UsageServices,
): Promise<PackageFacts | null> {
  const owner = networkOf(clientAddress(c, context.settings.trustedProxies));
  const work = sources.facts(version, { signal: AbortSignal.timeout(MAX_READ_MS), owner });
  const tooLate = (): Error => new SourceProblem('busy', 'the archive was not read in time');
  try {
    return await withinTime(work, { timeoutMs: MAX_WAIT_MS, tooLate });
  } catch {
    // The rest of the page needs no archive.
    return null;
  }
}
