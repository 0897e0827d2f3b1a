/** Requests about users, teams and the registry itself. */
import { Hono } from 'hono';
import type { ServerContext } from '../../server-context.ts';
import type { CrateDetails, CrateOrder } from '../../store/crate-records.ts';
import { firstLevel, mostUsedFirst } from '../../store/tag-counts.ts';
import { teamNameOf } from '../../store/team-login.ts';
import type { Crate } from '../../store/values.ts';
import { ApiError } from '../api-error.ts';
import type { Authenticator } from '../authenticate.ts';
import { type HttpEnv, routeParam } from '../http-env.ts';
import { encodeCrate, NO_PARTS } from './encode-crate.ts';
import { encodeCategory, encodeKeyword } from './encode-tag.ts';
import { encodeTeam, encodeUser } from './encode-user.ts';
import { mountReads } from './mount-reads.ts';
import { openApiDocument } from './openapi.ts';
import { mount } from './operations.ts';

/** Maximum number of crates in each list of the summary. */
const MAX_LISTED = 10;
/** Number of crates to read for `just_updated`, which leaves out those that have not changed since their creation. */
const UPDATED_TO_READ = 50;

/** Returns the routes for users, teams, the summary and the OpenAPI document. */
export function registryRoutes(context: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const { records, settings } = context;
  const app = new Hono<HttpEnv>();
  mount(app, 'getUser', async (c) => {
    const reader = await authenticator.findReader(c);
    const login = routeParam(c, 'login');
    const user = await records.findUser(login);
    // Owners are public. Strangers must not learn which other logins exist.
    const isVisible =
      user !== null && (reader !== null || (await records.listOwnedCrates(user.id)).length > 0);
    if (!isVisible) throw new ApiError(404, `user \`${login}\` does not exist`);
    return c.json({ user: encodeUser(user, settings.baseUrl) });
  });
  mount(app, 'getTeam', async (c) => {
    const reader = await authenticator.findReader(c);
    const login = routeParam(c, 'login');
    const name = teamNameOf(login);
    const team = name === null ? null : await records.findTeam(name);
    const isVisible = team !== null && (reader !== null || team.crateCount > 0);
    if (!isVisible) throw new ApiError(404, `team \`${login}\` does not exist`);
    return c.json({ team: encodeTeam(team, settings.baseUrl) });
  });
  mountReads(app, authenticator, [['getSummary', () => summarize(context)]]);
  const document = JSON.stringify(openApiDocument(settings));
  mount(app, 'getOpenApi', (c) =>
    c.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }),
  );
  return app;
}

/** Returns the body of `getSummary`, in the form of crates.io. */
async function summarize({ records }: ServerContext): Promise<object> {
  const list = async (order: CrateOrder, limit: number): Promise<readonly Crate[]> =>
    (await records.searchCrates('', { limit, offset: 0, order })).items;
  const [counts, keywords, categories, created, updated, downloaded] = await Promise.all([
    records.count(),
    records.countKeywords(),
    records.countCategories(),
    list('created', MAX_LISTED),
    list('updated', UPDATED_TO_READ),
    list('downloads', MAX_LISTED),
  ]);
  const changed = updated.filter((crate) => crate.updatedAtMs !== crate.createdAtMs).slice(0, MAX_LISTED);
  const names = new Set([...created, ...changed, ...downloaded].map(({ name }) => name));
  const described = await records.describeCrates([...names]);
  const byName = new Map(
    described.map((details): readonly [string, CrateDetails] => [details.crate.name, details]),
  );
  const encode = (crates: readonly Crate[]): readonly object[] =>
    crates.flatMap(({ name }) => {
      const details = byName.get(name);
      return details === undefined ? [] : encodeCrate(details, NO_PARTS);
    });
  return {
    num_crates: counts.crates,
    num_downloads: counts.downloads,
    new_crates: encode(created),
    just_updated: encode(changed),
    most_downloaded: encode(downloaded),
    // Recent downloads are not counted separately.
    most_recently_downloaded: encode(downloaded),
    popular_keywords: mostUsedFirst(keywords).slice(0, MAX_LISTED).map(encodeKeyword),
    popular_categories: mostUsedFirst(firstLevel(categories)).slice(0, MAX_LISTED).map(encodeCategory),
  };
}
