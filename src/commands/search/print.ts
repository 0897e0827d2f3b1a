/** The text output of `search`. Cargo Book: cargo-search(1). */
import { MAX_LIMIT, type SearchDocument, type SearchEntry, type SearchResult } from './run.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { styled } from '../../io/terminal/style.ts';

/** cargo's layout, in columns: between name and description, for a description, and for a line. */
const GAP = 4;
const MIN_DESCRIPTION = 80;
const WIDTH = 128;

/** Options of the text. */
export interface SearchTextOptions {
  readonly limit: number;
  /** As requested; null for the first page. */
  readonly page: number | 'all' | null;
  readonly exact: boolean;
}

/** Returns one line per crate, with styles, and a line with the number of further results. */
export function searchText({ document, isCratesIo }: SearchResult, options: SearchTextOptions): string {
  const { crates, query } = document;
  const entries = crates.map((crate) => ({ crate, name: `${crate.name} = "${crate.maxVersion}"` }));
  // As in cargo, the longest name is measured in bytes, and the padding of each name in characters.
  const margin = Math.max(0, ...entries.map(({ name }) => Buffer.byteLength(name))) + GAP;
  const lines = entries.map(({ crate, name }) => highlight(describeCrate(crate, name, { margin }), query));
  return [...lines, ...describeFurtherResults({ document, isCratesIo }, options)]
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the message that nothing was found. */
export function noMatchText(query: string, { exact }: Pick<SearchTextOptions, 'exact'>): string {
  if (query === '') return 'the registry returned no crates';
  return exact ? `no crate is named \`${query}\`` : `no crates match \`${query}\``;
}

/** Returns the message that a page of results does not exist, and how many pages there are. */
export function missingPageText(
  { total }: SearchDocument,
  { page, limit }: { readonly page: number; readonly limit: number },
): string {
  const pages = Math.ceil(total / limit);
  // Some registries return smaller pages than requested.
  if (page <= pages) return `nothing is on page ${page}, but the registry counts ${count(total, 'crate')}`;
  return `there is no page ${page}: the registry found ${count(total, 'crate')}, ${count(pages, 'page')} of ${limit}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns the line of a crate: its name, padded to `margin` columns, and its shortened description. */
function describeCrate(
  { description }: SearchEntry,
  name: string,
  { margin }: { readonly margin: number },
): string {
  const clean = (text: string): string => sanitizeForTerminal(text, 'join');
  if (description === null) return clean(name);
  const padding = ' '.repeat(Math.max(0, margin - [...name].length));
  // As in cargo, descriptions are not shortened if names leave no room at all.
  const room = margin > WIDTH ? Number.POSITIVE_INFINITY : Math.max(MIN_DESCRIPTION, WIDTH - margin);
  return clean(`${name}${padding}# ${shorten(description.replaceAll('\n', ' '), room)}`);
}

function shorten(text: string, room: number): string {
  const characters = [...text];
  return characters.length < room ? text : `${characters.slice(0, room - 1).join('')}…`;
}

/** Highlights every literal occurrence of the query. As in Rust, an empty query occurs around every character. */
function highlight(line: string, query: string): string {
  const parts = query === '' ? ['', ...line, ''] : line.split(query);
  return parts.join(styled('header', query));
}

/** Returns the line about results that are not shown; empty if there are none. */
function describeFurtherResults(
  { document: { total, query }, isCratesIo }: SearchResult,
  { limit, page, exact }: SearchTextOptions,
): readonly string[] {
  if (exact || page === 'all') return [];
  const more = total - limit * (page ?? 1);
  if (more <= 0) return [];
  if (page !== null) return [`... and ${more} crates more (use --page ${page + 1} to see more)`];
  if (limit < MAX_LIMIT) return [`... and ${more} crates more (use --limit N to see more)`];
  const place = isCratesIo
    ? ` (go to https://crates.io/search?${new URLSearchParams({ q: query }).toString()} to see more)`
    : '';
  return [`... and ${more} crates more${place}`];
}
