/** Ranks crates by use, for searches. */
import { integer } from './row.ts';
import { all, change, changeEach, one, type Work } from './sql-work.ts';

/** Ranks the crates in PostgreSQL. */
export const RANK_CRATES = 'SELECT rank_crates()';

/** Number of crates in the first tier. PostgreSQL's function has the same number. */
export const FIRST_CRATES = 1000;
/** Number of crates in the first two tiers. PostgreSQL's function has the same number. */
export const RANKED_CRATES = 10_000;
const MIN_CRATES = 5000;
const UNRANKED = 2;

/** Updates the tiers: the 1000 most used crates, the next 9000, and the rest. Up to 5000 crates are not ranked. */
export function* rankCrates(): Work<void> {
  yield* change({ sqlite: null, postgres: RANK_CRATES });
  const many = `SELECT count(*) > ${MIN_CRATES} AS is_many FROM crates`;
  const row = yield* one({ sqlite: many, postgres: null });
  if (row === null) return;
  const used = `SELECT id FROM crates ORDER BY downloads DESC, id DESC LIMIT ${RANKED_CRATES}`;
  const ids = integer(row, 'is_many') === 0 ? [] : yield* all({ sqlite: used, postgres: null });
  const wanted = new Map(ids.map((each, at) => [integer(each, 'id'), at < FIRST_CRATES ? 0 : 1]));
  const ranked = `SELECT rowid AS id, tier FROM crate_search WHERE tier < ${UNRANKED}`;
  const changes: [tier: number, id: number][] = [];
  const known = new Set<number>();
  for (const each of yield* all({ sqlite: ranked, postgres: null })) {
    const [id, tier] = [integer(each, 'id'), integer(each, 'tier')];
    known.add(id);
    const next = wanted.get(id) ?? UNRANKED;
    if (next !== tier) changes.push([next, id]);
  }
  for (const [id, tier] of wanted) if (!known.has(id)) changes.push([tier, id]);
  yield* changeEach({ sqlite: 'UPDATE crate_search SET tier = ? WHERE rowid = ?', postgres: null }, changes);
  const words = 'UPDATE search_words SET tier = ? WHERE crate_id = ?';
  yield* changeEach({ sqlite: words, postgres: null }, changes);
}
