/** `search` as a function. */
import { MAX_LIMIT, search as runSearch, type SearchDocument } from '../ops/search.ts';
import { TsregError } from '../errors/error.ts';
import { call } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, required, SWITCH, TEXT } from './option-checks.ts';
import { OF_REGISTRY_CALLS, type RegistryCallOptions, registryOptions } from './registry-call.ts';

const DEFAULT_LIMIT = 10;

/** What `search` is asked for. */
export interface SearchOptions extends RegistryCallOptions {
  /** What is looked for, as the registry understands it. */
  readonly query: string;
  /** Results on a page, 1 to 100; 10 unless given. */
  readonly limit?: number | undefined;
  /** Which page, counted from 1; `all` for one after the other, to the end. */
  readonly page?: number | 'all' | undefined;
  /** As the registry calls its orders: `relevance`, `downloads`, … Its own choice unless given. */
  readonly sort?: string | undefined;
  /** Only the crate that is called so. Not together with `page`. */
  readonly exact?: boolean | undefined;
}

const CHECKS: OptionChecks<SearchOptions> = {
  ...OF_REGISTRY_CALLS,
  query: required(TEXT),
  limit: NUMBER,
  page: either(NUMBER, oneOf('all')),
  sort: TEXT,
  exact: SWITCH,
};

/**
 * What `tsreg search --json` prints: crates of a registry. Rejects with a `TsregError` whose message and causes are
 * cargo's. Cargo Book: cargo search.
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
    const own = { ...registryOptions(options), query, limit, page, sort, exact };
    const { document } = await runSearch({ ...shared, ...own }, context);
    return document;
  });
}
