/** Search. Cargo Book: Registry Web API, Search. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { type CrateFilter, NO_CONDITIONS } from '../store/browse-records.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { CrateOrder } from '../store/crate-records.ts';
import { MAX_QUERY_CHARS } from './api/crate-operations.ts';
import { encodeCrate, NO_PARTS } from './api/encode-crate.ts';
import { mount } from './api/operations.ts';
import { readPage } from './api/page-query.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { clientNetwork, type HttpContext, type HttpEnv } from './http-env.ts';

/** Orders by their names on crates.io; null for the best match first. Recent downloads are not counted separately. */
const ORDERS: Readonly<Record<string, CrateOrder | null>> = {
  relevance: null,
  alpha: 'name',
  downloads: 'downloads',
  'recent-downloads': 'downloads',
  'recent-updates': 'updated',
  new: 'created',
};

/** Returns the route `/api/v1/crates?q=…&per_page=…&page=…&sort=…&category=…&keyword=…`. */
export function searchRoute(
  { records, settings }: ServerContext,
  authenticator: Authenticator,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  mount(app, 'searchCrates', async (c) => {
    await authenticator.findReader(c);
    const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS);
    const page = readPage(c);
    const order = orderOf(c.req.query('sort'));
    const filter = filterOf(c, query);
    const { items, total } =
      filter === null
        ? await records.searchCrates(query, { ...page, ...(order === null ? {} : { order }) })
        : await records.listCrates(filter, {
            ...page,
            order: order ?? 'downloads',
            client: clientNetwork(c, settings.trustedProxies),
          });
    const described = await records.describeCrates(items.map(({ name }) => name));
    const crates = described.map((details) => ({
      ...encodeCrate(details, NO_PARTS),
      exact_match: canonicalName(details.crate.name) === canonicalName(query.trim()),
    }));
    return c.json({ crates, meta: { total } });
  });
  return app;
}

/** Returns the conditions of `category` and `keyword`; null if there is neither. */
function filterOf(c: HttpContext, query: string): CrateFilter | null {
  const { category, keyword } = c.req.query();
  if (category === undefined && keyword === undefined) return null;
  return {
    ...NO_CONDITIONS,
    query,
    categories: category === undefined ? [] : [category.slice(0, MAX_QUERY_CHARS)],
    keywords: keyword === undefined ? [] : [keyword.slice(0, MAX_QUERY_CHARS).toLowerCase()],
  };
}

/** Parses `sort`. Returns null for the best match first. Throws a 400 for an unknown order. */
function orderOf(sort: string | undefined): CrateOrder | null {
  if (sort === undefined) return null;
  const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
  if (order !== undefined) return order;
  const known = Object.keys(ORDERS).join('`, `');
  throw new ApiError(400, `\`sort\` must be one of \`${known}\`, not \`${sort.slice(0, 20)}\``);
}
