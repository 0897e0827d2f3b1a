/** `search`: crates of a registry. Cargo Book: cargo search. */
import { setTimeout } from 'node:timers/promises';
import { withContextAsync } from '../errors/error.ts';
import { isCratesIo } from '../package-id/source-id.ts';
import type { FoundCrate, SearchPage } from '../protocol/api-answers.ts';
import type { OperationContext } from '../report/report.ts';
import type { WebApi } from '../web-api/web-api.ts';
import { openRegistry, type RegistryCommandOptions } from './registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from './registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from './registry/select-registry.ts';

/** The most results that a registry gives at once. */
export const MAX_LIMIT = 100;

/** What the command line asks for. */
export interface SearchOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  readonly query: string;
  /** Results on a page; at most `MAX_LIMIT`. */
  readonly limit: number;
  /** Which page, counted from 1; null for the first. `all` for one after the other. */
  readonly page: number | 'all' | null;
  /** As the registry calls its orders; null for its own choice. */
  readonly sort: string | null;
  /** Only the crate that is called so, whatever page it stands on. */
  readonly exact: boolean;
}

/** The document of `search --json`. */
export interface SearchDocument {
  /** Of this form. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  readonly query: string;
  /** How many crates the registry has that fit the query. */
  readonly total: number;
  readonly crates: readonly SearchEntry[];
}

/** One crate that was found. */
export interface SearchEntry {
  readonly name: string;
  /** The highest version, in the registry's judgement. */
  readonly max_version: string;
  readonly description: string | null;
}

/** What was found. */
export interface SearchResult {
  readonly document: SearchDocument;
  readonly isCratesIo: boolean;
}

/** A registry that has more than this is not read to the end. */
const MAX_PAGES = 100;
/** What crates.io asks of programs that read many pages. */
const CRATES_IO_PAUSE_MS = 1000;

/** Asks a registry for crates. */
export async function search(options: SearchOptions, context: OperationContext): Promise<SearchResult> {
  const { config, query, exact } = options;
  const choice = chooseRegistry(options.registry, config);
  const registry = await openRegistry({ ...options, choice, refreshes: false, needsToken: false }, context);
  try {
    const api = await registry.api(null);
    const fromCratesIo = isCratesIo(registry.source.original);
    const { crates, total } = await withContextAsync(
      `failed to retrieve search results from the registry at ${registry.host}`,
      () => {
        const pauseMs = fromCratesIo ? CRATES_IO_PAUSE_MS : 0;
        if (exact) return findExactly(options, { api, pauseMs }, context);
        return options.page === 'all'
          ? collect(options, { api, pauseMs, isEnough: () => false }, context)
          : readPage(options.page, options, api);
      },
    );
    return {
      document: {
        version: 1,
        registry: registryEntry(registry),
        query,
        total,
        crates: crates.map(({ name, maxVersion, description }) => ({
          name,
          max_version: maxVersion,
          description,
        })),
      },
      isCratesIo: fromCratesIo,
    };
  } finally {
    await registry.close();
  }
}

/** How pages are read one after the other. */
interface Reading {
  readonly api: WebApi;
  readonly pauseMs: number;
}

function readPage(
  page: number | null,
  { query, limit, sort }: SearchOptions,
  api: WebApi,
): Promise<SearchPage> {
  return api.search({ text: query, perPage: limit, page, sort });
}

async function findExactly(
  options: SearchOptions,
  reading: Reading,
  context: OperationContext,
): Promise<SearchPage> {
  const isMeant = ({ name }: FoundCrate): boolean => sameName(name, options.query);
  const isEnough = (crates: readonly FoundCrate[]): boolean => crates.some(isMeant);
  const { crates } = await collect(options, { ...reading, isEnough }, context);
  const found = crates.filter(isMeant);
  return { crates: found, total: found.length };
}

/**
 * Reads pages up to the last one, or until there is enough, or until one has nothing new: not every registry knows of
 * pages.
 */
async function collect(
  options: SearchOptions,
  { api, pauseMs, isEnough }: Reading & { readonly isEnough: (crates: readonly FoundCrate[]) => boolean },
  { report, signal }: OperationContext,
): Promise<SearchPage> {
  const found = new Map<string, FoundCrate>();
  try {
    for (let page = 1; ; page += 1) {
      const { crates, total } = await readPage(page, { ...options, limit: MAX_LIMIT }, api);
      const before = found.size;
      for (const crate of crates) if (!found.has(crate.name)) found.set(crate.name, crate);
      const isLast = found.size >= total || found.size === before || isEnough(crates);
      if (isLast) return { crates: [...found.values()], total };
      if (page === MAX_PAGES) {
        report.warning(`only the first ${found.size} of ${total} crates were asked for`);
        return { crates: [...found.values()], total };
      }
      report.progress({ verb: 'Searching', done: found.size, total, message: '' });
      await setTimeout(pauseMs, undefined, { signal });
    }
  } finally {
    report.progress(null);
  }
}

/** Names that no registry keeps apart. */
function sameName(a: string, b: string): boolean {
  const canonical = (name: string): string => name.toLowerCase().replaceAll('_', '-');
  return canonical(a) === canonical(b);
}
