/** `search` as a function. */
import {
  DEFAULT_LIMIT,
  MAX_LIMIT,
  search as runSearch,
  searchAll as runSearchAll,
  type SearchDocument,
  type SearchEntry,
} from '../commands/search/run.ts';
import { TsregError } from '../core/errors/error.ts';
import { call, callEach } from './call.ts';
import {
  checkOptions,
  either,
  NUMBER,
  oneOf,
  type OptionChecks,
  required,
  SWITCH,
  TEXT,
} from './option-checks.ts';
import { REGISTRY_CALL_CHECKS, type RegistryCallOptions, registryOptions } from './registry-call.ts';

/** Options of `search.all`. */
export interface SearchAllOptions extends RegistryCallOptions {
  /** Sort order as named by the registry: `relevance`, `downloads`, … The registry's own order by default. */
  readonly sort?: string | undefined;
}

/** Options of `search`. */
export interface SearchOptions extends SearchAllOptions {
  /** The search text; the registry defines its syntax. */
  readonly query: string;
  /** Results per page, 1 to 100; 10 by default. */
  readonly limit?: number | undefined;
  /** Page number, starting at 1; `all` for all pages. */
  readonly page?: number | 'all' | undefined;
  /** Returns only the crate with exactly this name. Not together with `page`. */
  readonly exact?: boolean | undefined;
}

const QUERY_CHECK: OptionChecks<Pick<SearchOptions, 'query'>> = { query: required(TEXT) };

const ALL_CHECKS: OptionChecks<SearchAllOptions> = { ...REGISTRY_CALL_CHECKS, sort: TEXT };

const CHECKS: OptionChecks<SearchOptions> = {
  ...ALL_CHECKS,
  ...QUERY_CHECK,
  limit: NUMBER,
  page: either(NUMBER, oneOf('all')),
  exact: SWITCH,
};

/** The functions that search a registry. */
export interface Search {
  /**
   * Returns the document of `tsreg search --json`: crates of a registry. Rejects with a `TsregError` that has cargo's
   * message and causes. Cargo Book: cargo search.
   */
  (options: SearchOptions): Promise<SearchDocument>;

  /**
   * Yields all crates that match `query`. Reads the next page of results only when its first crate is requested. Throws
   * a `TsregError` as `search` does.
   */
  all(query: string, options?: SearchAllOptions): AsyncGenerator<SearchEntry, void, undefined>;
}

/** Searches a registry for crates: `search(options)` returns one page, and `search.all(query)` yields all results. */
export const search: Search = Object.assign(searchOnce, { all: searchAll });

async function searchOnce(options: SearchOptions): Promise<SearchDocument> {
  return call(options, CHECKS, async (shared, context) => {
    const { query, limit = DEFAULT_LIMIT, page = null, sort = null, exact = false } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new TsregError(`\`limit\` must be 1 to ${MAX_LIMIT}, not \`${limit}\``, { code: 'usage' });
    }
    if (page !== null && page !== 'all' && !(Number.isSafeInteger(page) && page >= 1)) {
      throw new TsregError(`\`page\` must be 1 or more, not \`${page}\``, { code: 'usage' });
    }
    if (exact && page !== null) {
      throw new TsregError('`exact` and `page` cannot be used together', { code: 'usage' });
    }
    const searchOptions = { ...registryOptions(options), query, limit, page, sort, exact };
    const { document } = await runSearch({ ...shared, ...searchOptions }, context);
    return document;
  });
}

function searchAll(
  query: string,
  options: SearchAllOptions = {},
): AsyncGenerator<SearchEntry, void, undefined> {
  return callEach(options, ALL_CHECKS, (shared, context) => {
    checkOptions({ query }, QUERY_CHECK);
    const { sort = null } = options;
    return runSearchAll({ ...shared, ...registryOptions(options), query, sort }, context);
  });
}
