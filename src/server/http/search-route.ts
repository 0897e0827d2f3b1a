/** Search. Cargo Book: Registry Web API, Search. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpEnv } from './http-env.ts';
import type { CrateOrder } from '../store/crate-records.ts';

const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 100;
const MAX_PAGE = 1_000_000;
const MAX_QUERY_CHARS = 256;

/** Orders by their names on crates.io; null for the best match first. Recent downloads are not counted separately. */
const ORDERS: Readonly<Record<string, CrateOrder | null>> = {
  relevance: null,
  alpha: 'name',
  downloads: 'downloads',
  'recent-downloads': 'downloads',
  'recent-updates': 'updated',
  new: 'created',
};

/** Returns the route `/api/v1/crates?q=…&per_page=…&page=…&sort=…`. */
export function searchRoute({ records }: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/api/v1/crates', async (c) => {
    await authenticator.findReader(c);
    const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS);
    const limit = Math.min(
      positiveNumber('per_page', c.req.query('per_page')) ?? DEFAULT_PER_PAGE,
      MAX_PER_PAGE,
    );
    const page = Math.min(positiveNumber('page', c.req.query('page')) ?? 1, MAX_PAGE);
    const order = orderOf(c.req.query('sort'));
    const { items, total } = await records.searchCrates(query, {
      limit,
      offset: (page - 1) * limit,
      ...(order === null ? {} : { order }),
    });
    const crates = items.map(({ name, maxVersion, description }) => ({
      name,
      max_version: maxVersion,
      description,
    }));
    return c.json({ crates, meta: { total } });
  });
  return app;
}

/** Parses `sort`. Returns null for the best match first. Throws a 400 for an unknown order. */
function orderOf(sort: string | undefined): CrateOrder | null {
  if (sort === undefined) return null;
  const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
  if (order !== undefined) return order;
  const known = Object.keys(ORDERS).join('`, `');
  throw new ApiError(400, `\`sort\` must be one of \`${known}\`, not \`${sort.slice(0, 20)}\``);
}

/** Parses a numeric parameter. Returns null if it is missing. Throws a 400 unless it is above 0. */
function positiveNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new ApiError(400, `\`${name}\` must be a number above 0, not \`${text.slice(0, 20)}\``);
  }
  return Number(text);
}
