/**
 * Ranks crates by use, for searches. For PostgreSQL, the function `rank_crates` in `postgres-schema.ts` does the same.
 */
import { integer } from './row.ts';
import { all, change, changeEach, one, type Work } from './sql-work.ts';

/** Ranks the crates in PostgreSQL. */
export const RANK_CRATES = 'SELECT rank_crates()';

/** Number of crates in the first tier. The same in PostgreSQL's function. */
export const FIRST_CRATES = 1000;
/** Number of crates in the first two tiers. The same in PostgreSQL's function. */
export const RANKED_CRATES = 10_000;
/** Up to this number of crates, none is ranked: a search reads few rows anyway. The same in PostgreSQL's function. */
const MIN_CRATES = 5000;
/** The tier of crates that are not ranked, which both schemas have as the default. */
const UNRANKED = 2;

/** Updates the tiers: the 1000 most used crates, the next 9000, and the rest. Up to 5000 crates are not ranked. */
export function* rankCrates(): Work<void> {
  yield* change({ sqlite: null, postgres: RANK_CRATES });
  const isMany = `SELECT count(*) > ${MIN_CRATES} AS is_many FROM crates`;
  const row = yield* one({ sqlite: isMany, postgres: null });
  // Null only in PostgreSQL, whose function does the same as the rest of this one.
  if (row === null) return;
  const mostUsed = `SELECT id FROM crates ORDER BY downloads DESC, id DESC LIMIT ${RANKED_CRATES}`;
  const crates = integer(row, 'is_many') === 0 ? [] : yield* all({ sqlite: mostUsed, postgres: null });
  const newTiers = new Map(crates.map((crate, rank) => [integer(crate, 'id'), rank < FIRST_CRATES ? 0 : 1]));
  const ranked = `SELECT rowid AS id, tier FROM crate_search WHERE tier < ${UNRANKED}`;
  const oldTiers = new Map(
    (yield* all({ sqlite: ranked, postgres: null })).map((crate) => [
      integer(crate, 'id'),
      integer(crate, 'tier'),
    ]),
  );
  const changes: [tier: number, id: number][] = [];
  for (const [id, oldTier] of oldTiers) {
    const tier = newTiers.get(id) ?? UNRANKED;
    if (tier !== oldTier) changes.push([tier, id]);
  }
  for (const [id, tier] of newTiers) if (!oldTiers.has(id)) changes.push([tier, id]);
  yield* changeEach({ sqlite: 'UPDATE crate_search SET tier = ? WHERE rowid = ?', postgres: null }, changes);
  const words = 'UPDATE search_words SET tier = ? WHERE crate_id = ?';
  yield* changeEach({ sqlite: words, postgres: null }, changes);
}
