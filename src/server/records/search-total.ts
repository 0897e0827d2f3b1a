/** Total numbers of search results: exact ones, and estimates from the counts of a few results. */
import type { PageRequest } from '../store/values.ts';
import { FIRST_CRATES, RANKED_CRATES } from './rank-crates.ts';
import { integer, optionalInteger } from './row.ts';
import { ENOUGH_TO_ESTIMATE, FIRST_TIER, LAST_TIER, MAX_FOUND, NO_TIER } from './search-statement.ts';
import type { SqlRow } from './sql-work.ts';

/** Returns the total if a page with `length` results is the last one; otherwise null. */
export function totalAtEnd(length: number, { limit, offset }: PageRequest): number | null {
  return length < limit && (length > 0 || offset === 0) ? offset + length : null;
}

/** Returns the estimate, but at least the number of results up to the end of a page with `length` results. */
export function noFewerThanListed(
  estimate: number,
  { length, offset }: { readonly length: number; readonly offset: number },
): number {
  return length === 0 ? estimate : Math.max(estimate, offset + length);
}

/** The number of results found so far, and how far the search went. */
export interface ResultCount {
  /** All results by name. */
  readonly named: number;
  /** Results by words, in the tiers up to `tier`. */
  readonly found: number;
  /** The last tier that was searched. */
  readonly tier: number;
}

/**
 * Counts the results by means of the first page of `bestFirst`, which has all results before the tier in which it ends.
 * Returns null if the page does not suffice.
 */
export function countOfPage(rows: readonly SqlRow[]): ResultCount | null {
  const tiers = rows.map((row) => integer(row, 'tier'));
  const tier = Math.max(NO_TIER, ...tiers);
  const rowOfTier = rows[tiers.indexOf(tier)];
  if (rowOfTier === undefined || tier === NO_TIER) return null;
  const named = tiers.filter((rowTier) => rowTier === NO_TIER).length;
  const inEarlierTiers = tiers.filter((rowTier) => rowTier < tier).length - named;
  const found = inEarlierTiers + integer(rowOfTier, 'hits');
  return found < ENOUGH_TO_ESTIMATE && tier !== LAST_TIER ? null : { named, found, tier };
}

/** Returns the counts in a row of `countFound`, whose tiers are null after the last one that was counted. */
export function countOfRow(row: SqlRow): ResultCount {
  const counts = ['tier0', 'tier1', 'tier2']
    .map((column) => optionalInteger(row, column))
    .filter((count) => count !== null);
  const found = counts.reduce((sum, count) => sum + count, 0);
  return { named: 0, found, tier: counts.length - 1 };
}

/** Returns the total number of results, extrapolated from the counted tiers to all `crates`. */
export function estimateTotal({ named, found, tier }: ResultCount, crates: number): number {
  const searched = tier === FIRST_TIER ? FIRST_CRATES : RANKED_CRATES;
  const byWords = tier === LAST_TIER ? found : Math.max(found, Math.round((found / searched) * crates));
  return Math.min(MAX_FOUND, named + byWords);
}
