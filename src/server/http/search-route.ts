/** Search. Cargo Book: Registry Web API, Search. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { type CrateFilter, NO_CONDITIONS } from '../store/browse-records.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { CrateOrder } from '../store/crate-records.ts';
import { isPartOfName, type ListedMirroredCrate } from '../store/mirrored-crates.ts';
import type { Crate, Page, PageRequest } from '../store/values.ts';
import { MAX_QUERY_CHARS } from './api/crate-operations.ts';
import { encodeCrate, NO_PARTS } from './api/encode-crate.ts';
import { encodeMirroredCrate } from './api/encode-mirrored-crate.ts';
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

/** Maximum results of a search in this registry: `MAX_FOUND` of the records. */
const MAX_OWN_CRATES = 1_000;

/** Services of the search, besides the context. */
export interface SearchServices {
  readonly authenticator: Authenticator;
  /** Reads descriptions of cached crates, by their names, as far as they are known soon. */
  readonly descriptions: {
    of(crates: readonly ListedMirroredCrate[], owner: string): Promise<ReadonlyMap<string, string>>;
  };
}

/**
 * Returns the route `/api/v1/crates?q=…&per_page=…&page=…&sort=…&category=…&keyword=…`. After the crates of this
 * registry, it finds cached crates of the upstream, by a part of their names.
 */
export function searchRoute(context: ServerContext, services: SearchServices): Hono<HttpEnv> {
  const { records, settings } = context;
  const app = new Hono<HttpEnv>();
  mount(app, 'searchCrates', async (c) => {
    await services.authenticator.findReader(c);
    const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS);
    const page = readPage(c);
    const order = orderOf(c.req.query('sort'));
    const filter = filterOf(c, query);
    const client = clientNetwork(c, settings.trustedProxies);
    const own =
      filter === null
        ? await records.searchCrates(query, { ...page, ...(order === null ? {} : { order }) })
        : await records.listCrates(filter, { ...page, order: order ?? 'downloads', client });
    const isExact = (name: string): boolean => canonicalName(name) === canonicalName(query.trim());
    const described = await records.describeCrates(own.items.map(({ name }) => name));
    const crates = described.map((details) => ({
      ...encodeCrate(details, NO_PARTS),
      exact_match: isExact(details.crate.name),
    }));
    const cached = filter === null ? await searchCache(context, query.trim(), { page, own }) : null;
    const descriptions = await services.descriptions.of(cached?.items ?? [], client);
    const cachedCrates = (cached?.items ?? []).map((crate) => ({
      ...encodeMirroredCrate(crate, descriptions.get(crate.name) ?? null),
      exact_match: isExact(crate.name),
    }));
    return c.json({
      crates: [...crates, ...cachedCrates],
      meta: { total: cached?.total ?? own.total },
    });
  });
  return app;
}

/**
 * Returns the cached crates that fill up a page after the crates of this registry (`own`), and the total of both.
 * Returns null for none, also if the cache is busy, which must not hide the crates of this registry.
 */
async function searchCache(
  { records, upstream }: ServerContext,
  query: string,
  { page: { limit, offset }, own }: { readonly page: PageRequest; readonly own: Page<Crate> },
): Promise<Page<ListedMirroredCrate> | null> {
  if (upstream === null || !isPartOfName(query)) return null;
  const { length } = own.items;
  const isAfterOwn = length === 0 && offset > 0;
  // `own.total` can be an estimate.
  const ownCount = isAfterOwn
    ? (await records.searchCrates(query, { limit: MAX_OWN_CRATES, offset: 0 })).items.length
    : offset + length;
  try {
    const { items, total } = await upstream.cache.search(query.toLowerCase(), {
      limit: limit - length,
      offset: Math.max(0, offset - ownCount),
    });
    return { items, total: (length < limit ? ownCount : own.total) + total };
  } catch (error) {
    if (error instanceof UpstreamProblem) return null;
    throw error;
  }
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
