import type { ServerContext } from '../../server-context.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { mirroredListPage, type MirroredFinds } from './mirrored-list.ts';
import { PageError, type WebPageRequest } from '../services/page-handlers.ts';
import type { SearchView } from '../shared/crate-list.ts';
import type { ListPart } from '../shared/paging.ts';
import { upstreamName } from './upstream-name.ts';

/** Cached crates after the crates of this registry. */
const CRATES_AFTER = 10;
const CRATES_PER_PAGE = 50;
/** A word that can be the beginning of a name. */
const NAME_START = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Finds cached crates of the upstream for lists. Each list reads a limited part, because the cache can be large. */
export class MirroredLists {
  readonly #upstream: ServerContext['upstream'];

  constructor({ upstream }: Pick<ServerContext, 'upstream'>) {
    this.#upstream = upstream;
  }

  /** Returns crates to show after the last page of a search: names that begin with its text. null for none. */
  async matching({ query, page, pages }: SearchView): Promise<MirroredFinds | null> {
    return NAME_START.test(query) && page === pages ? this.#findFirst(query) : null;
  }

  /** Returns crates to show after the last page of all crates; null for none. */
  async following({ page, pages }: Pick<ListPart<unknown>, 'page' | 'pages'>): Promise<MirroredFinds | null> {
    return page === pages ? this.#findFirst('') : null;
  }

  /**
   * Shows the page with the cached crates alone: `?q=` is the start of names, `?after=` the last name before the page.
   */
  async show({ c, frame, show }: WebPageRequest): Promise<Response> {
    const query = c.req.query('q') ?? '';
    const after = (c.req.query('after') ?? '').toLowerCase();
    const isValid = [query, after].every((text) => text === '' || NAME_START.test(text));
    if (this.#upstream === null || !isValid) throw new PageError(NOT_FOUND);
    const request = { prefix: query.toLowerCase(), after, limit: CRATES_PER_PAGE };
    const list = await this.#upstream.cache.list(request);
    const finds = { upstream: upstreamName(this.#upstream.index), query, list };
    return show(mirroredListPage(frame, finds, { isFirst: after === '' }));
  }

  /** Returns the first crates whose names begin with `query`; null for none, without an upstream or if it is busy. */
  async #findFirst(query: string): Promise<MirroredFinds | null> {
    if (this.#upstream === null) return null;
    const request = { prefix: query.toLowerCase(), after: '', limit: CRATES_AFTER };
    try {
      const list = await this.#upstream.cache.list(request);
      return list.items.length === 0 ? null : { upstream: upstreamName(this.#upstream.index), query, list };
    } catch (error) {
      // A busy cache must not hide the crates of this registry.
      if (error instanceof UpstreamProblem) return null;
      throw error;
    }
  }
}
