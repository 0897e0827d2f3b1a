/** `search`: finds crates in a registry. Cargo Book: cargo search. */
import { setTimeout } from 'node:timers/promises';
import { withContextAsync } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import type { CrateMatch, SearchPage } from '../../core/protocol/api-responses.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import type { WebApi } from '../../io/web-api/web-api.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';

/** The most results that a registry returns at once. */
export const MAX_LIMIT = 100;

/** The results per page by default. The help of `--limit` names both numbers. */
export const DEFAULT_LIMIT = 10;

/** The command-line options of `search`. */
export interface SearchOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  readonly query: string;
  /** Results per page; at most `MAX_LIMIT`. */
  readonly limit: number;
  /** Page number from 1; null for the first page; `all` for one page after the other. */
  readonly page: number | 'all' | null;
  /** The registry's name for the sort order; null for its default. */
  readonly sort: string | null;
  /** True to find only the crate with this name, on any page. */
  readonly exact: boolean;
}

/** The document of `search --json`. */
export interface SearchDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  readonly query: string;
  /** The number of crates that match the query. */
  readonly total: number;
  readonly crates: readonly SearchEntry[];
}

/** One crate that was found. */
export interface SearchEntry {
  readonly name: string;
  /** The highest version, according to the registry. */
  readonly maxVersion: string;
  readonly description: string | null;
}

/** The result of `search`. */
export interface SearchResult {
  readonly document: SearchDocument;
  readonly isCratesIo: boolean;
}

/** The most pages to read from a registry. */
const MAX_PAGES = 100;
/** The pause between pages that crates.io requires of programs that read many. */
const CRATES_IO_PAUSE_MS = 1000;

/** Searches a registry for crates. Rejects with cargo's errors. */
export async function search(options: SearchOptions, context: OperationContext): Promise<SearchResult> {
  const { config, query, exact } = options;
  const choice = chooseRegistry(options.registry, config);
  const registry = await openRegistry({ ...options, choice, refreshes: false, needsToken: false }, context);
  try {
    const api = await registry.api(null);
    const fromCratesIo = isCratesIo(registry.source.original);
    const { crates, total } = await withContextAsync(problem(registry), () => {
      const pauseMs = pauseMsOf(registry);
      if (exact) return findExactly(options, { api, pauseMs }, context);
      if (options.page === 'all') return collect(options, { api, pauseMs, isEnough: () => false }, context);
      const { page } = options;
      // cargo has no pages, and prints all results that arrive.
      if (options.isCargo) return readPage(page, options, api);
      return findPage(page, options, {
        api,
        report: context.report,
        name: displaySource(registry.source.original),
      });
    });
    return {
      document: {
        version: 1,
        registry: registryEntry(registry),
        query,
        total,
        crates: crates.map(searchEntry),
      },
      isCratesIo: fromCratesIo,
    };
  } finally {
    await registry.close();
  }
}

/**
 * Yields all crates that match. Reads the next page only when its crates are requested. Rejects like `search`, and
 * warns if results are missing.
 */
export async function* searchAll(
  options: Omit<SearchOptions, 'limit' | 'page' | 'exact'>,
  context: OperationContext,
): AsyncGenerator<SearchEntry, void, undefined> {
  const choice = chooseRegistry(options.registry, options.config);
  const registry = await openRegistry({ ...options, choice, refreshes: false, needsToken: false }, context);
  try {
    const webApi = await registry.api(null);
    const api: PageReading['api'] = {
      search: (query) => withContextAsync(problem(registry), () => webApi.search(query)),
    };
    const reading = { api, pauseMs: pauseMsOf(registry) };
    for await (const { crates } of readPages(options, reading, context)) yield* crates.map(searchEntry);
  } finally {
    await registry.close();
  }
}

function searchEntry({ name, maxVersion, description }: CrateMatch): SearchEntry {
  return { name, maxVersion, description };
}

function problem({ host }: OpenedRegistry): string {
  return `failed to retrieve search results from the registry at ${host}`;
}

function pauseMsOf({ source }: OpenedRegistry): number {
  return isCratesIo(source.original) ? CRATES_IO_PAUSE_MS : 0;
}

/** How to read several pages. */
interface PageReading {
  readonly api: Pick<WebApi, 'search'>;
  /** The pause between two pages. */
  readonly pauseMs: number;
}

/** What to search for. */
type PageQuery = Pick<SearchOptions, 'query' | 'sort'>;

function readPage(
  page: number | null,
  { query, limit, sort }: PageQuery & Pick<SearchOptions, 'limit'>,
  api: PageReading['api'],
): Promise<SearchPage> {
  return api.search({ text: query, perPage: limit, page, sort });
}

/**
 * Reads one page of at most `limit` results. If a registry ignores `per_page` or `page`, cuts the page out of the
 * results that it sends.
 */
async function findPage(
  requestedPage: number | null,
  options: SearchOptions,
  { api, report, name }: { readonly api: WebApi; readonly report: Report; readonly name: string },
): Promise<SearchPage> {
  const { limit } = options;
  const page = requestedPage ?? 1;
  const offset = (page - 1) * limit;
  const response = await readPage(requestedPage, options, api);
  const knowsPages =
    page === 1 || response.crates.length === 0 || !(await isFirstPage(response, offset, { options, api }));
  if (knowsPages) return { ...response, crates: response.crates.slice(0, limit) };
  const upToPage = Math.min(offset + limit, MAX_LIMIT);
  const firstResults =
    response.crates.length > limit ? response : await readPage(null, { ...options, limit: upToPage }, api);
  report.warning(
    `${name} does not support pages: page ${page} is taken from the ${firstResults.crates.length} results that it returned`,
  );
  return { ...firstResults, crates: firstResults.crates.slice(offset, offset + limit) };
}

/** Returns true if a page is the first one, although it was requested as the one that follows `offset` results. */
async function isFirstPage(
  { crates, total }: SearchPage,
  offset: number,
  { options, api }: { readonly options: SearchOptions; readonly api: WebApi },
): Promise<boolean> {
  // The requested page does not exist, or the response is larger than requested.
  if (total <= offset || crates.length > options.limit) return true;
  const first = await readPage(1, options, api);
  return (
    first.crates.length === crates.length &&
    first.crates.every(({ name }, index) => name === crates[index]?.name)
  );
}

/** Returns the crate that the query names, if it is on any page. */
async function findExactly(
  options: SearchOptions,
  reading: PageReading,
  context: OperationContext,
): Promise<SearchPage> {
  const hasName = ({ name }: CrateMatch): boolean => isSameName(name, options.query);
  const isEnough = (crates: readonly CrateMatch[]): boolean => crates.some(hasName);
  const { crates } = await collect(options, { ...reading, isEnough }, context);
  const matching = crates.filter(hasName);
  return { crates: matching, total: matching.length };
}

/** Reads pages up to the last one, or until `isEnough`. */
async function collect(
  options: SearchOptions,
  { isEnough, ...reading }: PageReading & { readonly isEnough: (crates: readonly CrateMatch[]) => boolean },
  context: OperationContext,
): Promise<SearchPage> {
  const found: CrateMatch[] = [];
  let total = 0;
  for await (const page of readPages(options, reading, context)) {
    found.push(...page.crates);
    total = page.total;
    if (isEnough(page.crates)) break;
  }
  return { crates: found, total };
}

/**
 * Yields all pages, each without the crates of earlier ones. Ends early at a page that has nothing new, because some
 * registries ignore `page`. Warns then that results are missing.
 */
async function* readPages(
  options: PageQuery,
  { api, pauseMs }: PageReading,
  { report, signal }: OperationContext,
): AsyncGenerator<SearchPage, void, undefined> {
  const seen = new Set<string>();
  try {
    for (let page = 1; ; page += 1) {
      const { crates, total } = await readPage(page, { ...options, limit: MAX_LIMIT }, api);
      const added = new Map(crates.filter(({ name }) => !seen.has(name)).map((crate) => [crate.name, crate]));
      for (const name of added.keys()) seen.add(name);
      yield { crates: [...added.values()], total };
      if (seen.size >= total) return;
      if (added.size === 0 || page === MAX_PAGES) {
        const why = page === MAX_PAGES ? '' : ': the registry does not support pages';
        report.warning(`only the first ${seen.size} of ${total} crates were found${why}`);
        return;
      }
      report.progress({ verb: 'Searching', done: seen.size, total, message: '' });
      await setTimeout(pauseMs, undefined, { signal });
    }
  } finally {
    report.progress(null);
  }
}

/** Returns true if registries treat two names as the same. Cargo Book: Registry Index, Name restrictions. */
function isSameName(a: string, b: string): boolean {
  const canonical = (name: string): string => name.toLowerCase().replaceAll('_', '-');
  return canonical(a) === canonical(b);
}
