import { clientNetwork, type HttpContext } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import { isPartOfName } from '../../store/mirrored-crates.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { MirroredDescriptions } from './mirrored-descriptions.ts';
import { mirroredListPage, type MirroredFinds } from './mirrored-list.ts';
import { PageError, type PageServices, type WebPageRequest } from '../services/page-handlers.ts';
import type { SearchView } from '../shared/crate-list.ts';
import type { ListPart } from '../shared/paging.ts';
import { upstreamName } from '../shared/upstream-name.ts';

/** Cached crates after the crates of this registry. */
const CRATES_AFTER = 10;
const CRATES_PER_PAGE = 50;

/** Finds cached crates of the upstream for lists. Each list reads a limited part, because the cache can be large. */
export class MirroredLists {
  readonly #context: ServerContext;
  readonly #descriptions: MirroredDescriptions;

  constructor({ context, sources }: Pick<PageServices, 'context' | 'sources'>) {
    this.#context = context;
    this.#descriptions = new MirroredDescriptions({ context, sources });
  }

  /** Returns crates to show after the last page of a search: names that contain its text. null for none. */
  async matching(c: HttpContext, { query, page, pages }: SearchView): Promise<MirroredFinds | null> {
    return isPartOfName(query) && page === pages ? this.#findFirst(c, query) : null;
  }

  /** Returns crates to show after the last page of all crates; null for none. */
  async following(
    c: HttpContext,
    { page, pages }: Pick<ListPart<unknown>, 'page' | 'pages'>,
  ): Promise<MirroredFinds | null> {
    return page === pages ? this.#findFirst(c, '') : null;
  }

  /**
   * Shows the page with the cached crates alone: `?q=` is a part of names, `?after=` the last name before the page.
   */
  async show({ c, frame, show }: WebPageRequest): Promise<Response> {
    const { upstream } = this.#context;
    const query = c.req.query('q') ?? '';
    const after = (c.req.query('after') ?? '').toLowerCase();
    const isValid = [query, after].every((text) => text === '' || isPartOfName(text));
    if (upstream === null || !isValid) throw new PageError(NOT_FOUND);
    const request = { prefix: '', part: query.toLowerCase(), after, limit: CRATES_PER_PAGE };
    const finds = await this.#described(c, { upstream, query, list: await upstream.cache.list(request) });
    return show(mirroredListPage(frame, finds, { isFirst: after === '' }));
  }

  /**
   * Returns crates whose names contain `query`, first those that begin with it; null for none, without an upstream or if
   * it is busy.
   */
  async #findFirst(c: HttpContext, query: string): Promise<MirroredFinds | null> {
    const { upstream } = this.#context;
    if (upstream === null) return null;
    try {
      const list = await firstMatches(upstream, query);
      return list.items.length === 0 ? null : await this.#described(c, { upstream, query, list });
    } catch (error) {
      // A busy cache must not hide the crates of this registry.
      if (error instanceof UpstreamProblem) return null;
      throw error;
    }
  }

  async #described(
    c: HttpContext,
    { upstream, query, list }: Pick<MirroredFinds, 'query' | 'list'> & { readonly upstream: Upstream },
  ): Promise<MirroredFinds> {
    const client = clientNetwork(c, this.#context.settings.trustedProxies);
    return {
      upstream: upstreamName(upstream.index),
      query,
      list,
      descriptions: await this.#descriptions.of(list.items, client),
    };
  }
}

type Upstream = NonNullable<ServerContext['upstream']>;

async function firstMatches({ cache }: Upstream, query: string): Promise<MirroredFinds['list']> {
  if (query === '') return await cache.list({ prefix: '', part: '', after: '', limit: CRATES_AFTER });
  const { items, total } = await cache.search(query.toLowerCase(), { limit: CRATES_AFTER, offset: 0 });
  return { items, next: total > items.length ? (items.at(-1)?.name ?? null) : null };
}
