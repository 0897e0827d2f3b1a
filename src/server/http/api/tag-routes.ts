/** Requests about keywords and categories. */
import { Hono } from 'hono';
import type { ServerContext } from '../../server-context.ts';
import type { TagCount } from '../../store/browse-records.ts';
import { firstLevel, mostUsedFirst, pageOfTags, parentCategory } from '../../store/tag-counts.ts';
import type { Page } from '../../store/values.ts';
import { ApiError } from '../api-error.ts';
import type { Authenticator } from '../authenticate.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../http-env.ts';
import { encodeCategory, encodeKeyword } from './encode-tag.ts';
import { mountReads } from './mount-reads.ts';
import { readPage } from './page-query.ts';

/** Returns the routes of keywords and categories. */
export function tagRoutes({ records }: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  mountReads(app, authenticator, [
    [
      'listKeywords',
      async (c) => {
        const { items, total } = readTagPage(c, await records.countKeywords());
        return { keywords: items.map(encodeKeyword), meta: { total } };
      },
    ],
    [
      'getKeyword',
      async (c) => {
        const name = routeParam(c, 'keyword');
        const keyword = findTag(await records.countKeywords(), name);
        if (keyword === null) throw new ApiError(404, `no crate has the keyword \`${name}\``);
        return { keyword: encodeKeyword(keyword) };
      },
    ],
    [
      'listCategories',
      async (c) => {
        const { items, total } = readTagPage(c, firstLevel(await records.countCategories()));
        return { categories: items.map(encodeCategory), meta: { total } };
      },
    ],
    [
      'getCategory',
      async (c) => {
        const name = routeParam(c, 'category');
        const all = await records.countCategories();
        const category = findTag(all, name);
        if (category === null) throw new ApiError(404, `no crate has the category \`${name}\``);
        return { category: describeCategory(category, all) };
      },
    ],
  ]);
  return app;
}

/** Reads the part that the query selects. `tags` are sorted by name. Throws a 400 for an invalid parameter. */
function readTagPage(c: HttpContext, tags: readonly TagCount[]): Page<TagCount> {
  const sort = c.req.query('sort') ?? 'alpha';
  if (sort !== 'alpha' && sort !== 'crates')
    throw new ApiError(400, `\`sort\` must be \`alpha\` or \`crates\`, not \`${sort.slice(0, 20)}\``);
  return pageOfTags(sort === 'crates' ? mostUsedFirst(tags) : tags, readPage(c));
}

/** Finds a tag in any case. */
function findTag(tags: readonly TagCount[], name: string): TagCount | null {
  const lowerCaseName = name.toLowerCase();
  return tags.find((tag) => tag.name === lowerCaseName) ?? null;
}

/** Returns a category with those above it, the first level first, and those directly below it. */
function describeCategory(category: TagCount, all: readonly TagCount[]): object {
  const { name } = category;
  return {
    ...encodeCategory(category),
    subcategories: all.filter((other) => parentCategory(other.name) === name).map(encodeCategory),
    parent_categories: all.filter((other) => name.startsWith(`${other.name}::`)).map(encodeCategory),
  };
}
