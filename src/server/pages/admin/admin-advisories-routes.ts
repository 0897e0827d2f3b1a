/** `/admin/advisories`: the crates of this registry with affected versions. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { Advisories } from '../../store/advisories.ts';
import { adminAdvisoriesPage, noAdvisoriesPage } from './admin-advisories-page.ts';
import { type AffectedCrate, affectedCrate } from '../shared/affected-crates.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';
import { readPart } from '../shared/paging.ts';

const CRATES_PER_PAGE = 50;
/** `listVersionsOf` reads a limited number of versions, so few crates are looked up at a time. */
const NAMES_AT_ONCE = 100;

/** Returns the route of `/admin/advisories`. */
export function adminAdvisoriesRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { upstream, advisories } = context;
  const show = async ({ c, frame, show: respond }: UserPageRequest): Promise<Response> => {
    if (advisories === undefined) return respond(noAdvisoriesPage(frame));
    const affected = await findAffected(context.records, advisories);
    const part = await readPart(c, CRATES_PER_PAGE, async ({ limit, offset }) => ({
      items: affected.slice(offset, offset + limit),
      total: affected.length,
    }));
    return respond(
      adminAdvisoriesPage(frame, {
        ...part,
        state: advisories.state,
        crateCount: advisories.crates.length,
        blocksUpstream: upstream === null ? null : upstream.status().gates.blocksAdvisories,
      }),
    );
  };
  return new Hono<HttpEnv>().get('/admin/advisories', handlers.admin(show));
}

/** Returns the crates of this registry with affected versions, by name. Misses crates whose versions were not read. */
async function findAffected(
  records: ServerContext['records'],
  advisories: Advisories,
): Promise<readonly AffectedCrate[]> {
  const affected: AffectedCrate[] = [];
  const { crates } = advisories;
  for (let start = 0; start < crates.length; start += NAMES_AT_ONCE) {
    const published = await records.listVersionsOf(crates.slice(start, start + NAMES_AT_ONCE));
    for (const { name, versions: states } of published.values()) {
      const versions = (states ?? []).map(({ version }) => version);
      const crate = affectedCrate(advisories, { name, versions });
      if (crate !== null) affected.push(crate);
    }
  }
  return affected.sort((a, b) => (a.name < b.name ? -1 : 1));
}
