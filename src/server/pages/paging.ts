import type { HttpContext } from '../http/http-env.ts';
import type { Page, PageRequest } from '../store/values.ts';

/** A part of a list, and its position. */
export interface ListPart<T> {
  readonly list: Page<T>;
  /** From 1. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
}

const MAX_PAGE = 1_000_000;

/** Reads the part that `page` in the query selects, with `limit` items; the last part if there are fewer. */
export async function readPart<T>(
  c: HttpContext,
  limit: number,
  read: (request: PageRequest) => Promise<Page<T>>,
): Promise<ListPart<T>> {
  return readNamedPart(c, { name: 'page', limit }, read);
}

/** Reads the part as `readPart` does, if a page has several lists: `name` is the one in the query. */
export async function readNamedPart<T>(
  c: HttpContext,
  { name, limit }: { readonly name: string; readonly limit: number },
  read: (request: PageRequest) => Promise<Page<T>>,
): Promise<ListPart<T>> {
  const requested = Number(c.req.query(name) ?? 1);
  const page = Number.isInteger(requested) && requested >= 1 && requested <= MAX_PAGE ? requested : 1;
  const list = await read({ limit, offset: (page - 1) * limit });
  const pages = Math.max(1, Math.ceil(list.total / limit));
  if (page <= pages) return { list, page, pages };
  return { list: await read({ limit, offset: (pages - 1) * limit }), page: pages, pages };
}
