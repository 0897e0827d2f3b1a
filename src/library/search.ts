/** `search` as a function. */
import {
  DEFAULT_LIMIT,
  MAX_LIMIT,
  search as runSearch,
  type SearchDocument,
} from '../commands/search/run.ts';
import { TsregError } from '../core/errors/error.ts';
import { call } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, required, SWITCH, TEXT } from './option-checks.ts';
import { REGISTRY_CALL_CHECKS, type RegistryCallOptions, registryOptions } from './registry-call.ts';

/** Options of `search`. */
export interface SearchOptions extends RegistryCallOptions {
  /** The search text; the registry defines its syntax. */
  readonly query: string;
  /** Results per page, 1 to 100; 10 by default. */
  readonly limit?: number | undefined;
  /** Page number, starting at 1; `all` for all pages. */
  readonly page?: number | 'all' | undefined;
  /** Sort order as named by the registry: `relevance`, `downloads`, … The registry's own order by default. */
  readonly sort?: string | undefined;
  /** Returns only the crate with exactly this name. Not together with `page`. */
  readonly exact?: boolean | undefined;
}

const CHECKS: OptionChecks<SearchOptions> = {
  ...REGISTRY_CALL_CHECKS,
  query: required(TEXT),
  limit: NUMBER,
  page: either(NUMBER, oneOf('all')),
  sort: TEXT,
  exact: SWITCH,
};

/**
 * Returns the document of `tsreg search --json`: crates of a registry. Rejects with a `TsregError` that has cargo's
 * message and causes. Cargo Book: cargo search.
 */
export async function search(options: SearchOptions): Promise<SearchDocument> {
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
