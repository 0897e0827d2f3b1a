import type { HttpContext } from '../../http/http-env.ts';
import type { Page, PageRequest } from '../../store/values.ts';

/** A part of a list, and its position. */
export interface ListPart<T> {
  readonly list: Page<T>;
  /** From 1. */
  readonly page: number;
  /** The number of parts, at least 1. */
  readonly pages: number;
}

/** Far more than any list has, so that offsets stay exact integers. */
const MAX_PAGE = 1_000_000;

/**
 * Reads the part that `?page=` selects, with at most `limit` items: the first part for an invalid number, the last one
 * for a number that is too high.
 */
export async function readPart<T>(
  c: HttpContext,
  limit: number,
  read: (request: PageRequest) => Promise<Page<T>>,
): Promise<ListPart<T>> {
  return readNamedPart(c, { name: 'page', limit }, read);
}

/** Reads a part of one of several lists of a page, as `readPart` does. `name` is the parameter of the query. */
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
