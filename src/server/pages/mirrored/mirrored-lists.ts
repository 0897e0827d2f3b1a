import type { ServerContext } from '../../server-context.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import type { ListedMirroredCrate, MirrorList } from '../../store/mirrored-crates.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { mirroredListPage, type MirroredFinds } from './mirrored-list.ts';
import { PageError, type WebPageRequest } from '../services/page-handlers.ts';
import type { SearchView } from '../shared/crate-list.ts';
import type { ListPart } from '../shared/paging.ts';
import { upstreamName } from '../shared/upstream-name.ts';

/** Cached crates after the crates of this registry. */
const CRATES_AFTER = 10;
const CRATES_PER_PAGE = 50;
/** A word that can be in a name. */
const NAME_START = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Finds cached crates of the upstream for lists. Each list reads a limited part, because the cache can be large. */
export class MirroredLists {
  readonly #upstream: ServerContext['upstream'];

  constructor({ upstream }: Pick<ServerContext, 'upstream'>) {
    this.#upstream = upstream;
  }

  /** Returns crates to show after the last page of a search: names that contain its text. null for none. */
  async matching({ query, page, pages }: SearchView): Promise<MirroredFinds | null> {
    return NAME_START.test(query) && page === pages ? this.#findFirst(query) : null;
  }

  /** Returns crates to show after the last page of all crates; null for none. */
  async following({ page, pages }: Pick<ListPart<unknown>, 'page' | 'pages'>): Promise<MirroredFinds | null> {
    return page === pages ? this.#findFirst('') : null;
  }

  /**
   * Shows the page with the cached crates alone: `?q=` is a part of names, `?after=` the last name before the page.
   */
  async show({ c, frame, show }: WebPageRequest): Promise<Response> {
    const query = c.req.query('q') ?? '';
    const after = (c.req.query('after') ?? '').toLowerCase();
    const isValid = [query, after].every((text) => text === '' || NAME_START.test(text));
    if (this.#upstream === null || !isValid) throw new PageError(NOT_FOUND);
    const request = { prefix: '', part: query.toLowerCase(), after, limit: CRATES_PER_PAGE };
    const list = await this.#upstream.cache.list(request);
    const finds = { upstream: upstreamName(this.#upstream.index), query, list };
    return show(mirroredListPage(frame, finds, { isFirst: after === '' }));
  }

  /**
   * Returns crates whose names contain `query`, first those that begin with it; null for none, without an upstream or if
   * it is busy.
   */
  async #findFirst(query: string): Promise<MirroredFinds | null> {
    if (this.#upstream === null) return null;
    const { cache } = this.#upstream;
    const text = query.toLowerCase();
    const start = { after: '', limit: CRATES_AFTER };
    // Finds those that begin with the text again.
    const wider = { ...start, limit: 2 * CRATES_AFTER };
    try {
      const first = await cache.list({ ...start, prefix: text, part: '' });
      const isEnough = text === '' || first.next !== null;
      const list = isEnough
        ? first
        : withOthers(first, await cache.list({ ...wider, prefix: '', part: text }));
      return list.items.length === 0 ? null : { upstream: upstreamName(this.#upstream.index), query, list };
    } catch (error) {
      // A busy cache must not hide the crates of this registry.
      if (error instanceof UpstreamProblem) return null;
      throw error;
    }
  }
}

type CrateList = MirrorList<ListedMirroredCrate>;

/** Returns the first crates of both lists, each once. */
function withOthers(first: CrateList, others: CrateList): CrateList {
  const names = new Set(first.items.map(({ name }) => name));
  const items = [...first.items, ...others.items.filter(({ name }) => !names.has(name))];
  const isWhole = others.next === null && items.length <= CRATES_AFTER;
  return { items: items.slice(0, CRATES_AFTER), next: isWhole ? null : (items.at(-1)?.name ?? null) };
}
