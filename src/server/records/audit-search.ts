/** Searches the audit trail. It has indexes for crates and actors only, so each search examines a limited part. */
import { present } from '../../core/errors/assert.ts';
import type { AuditPart, AuditSearch, AuditStart } from '../store/audit-records.ts';
import { asAuditEntry } from './audit-rows.ts';
import { integer } from './row.ts';
import { all, one, type SqlRow, type SqlValue, type Work } from './sql-work.ts';

/** Entries may be this far from the order of their times, because servers have different clocks. */
const CLOCK_SKEW_MS = 60 * 60_000;

/** A condition of a statement, and its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Runs a search in one moment of the records. `examined` are the entries that meet the conditions with an index. */
export function* searchAudit(search: AuditSearch): Work<AuditPart> {
  const { start, limit } = search;
  const order = start?.direction === 'newer' ? 'ASC' : 'DESC';
  const { indexed, others } = conditionsOf(search);
  const indexedWhere = whereClauseOf([...indexed, ...(yield* rangeOf(search))]);
  const otherWhere = whereClauseOf(others);
  // One more than the limit tells whether there are more. Without other conditions, no entry is examined in vain.
  const maxExamined = others.length === 0 ? limit + 1 : search.maxExamined;
  const rows = yield* all(
    `SELECT * FROM (SELECT * FROM audit ${indexedWhere.sql} ORDER BY id ${order} LIMIT ${maxExamined}) AS examined
     ${otherWhere.sql} ORDER BY id ${order} LIMIT ${limit + 1}`,
    ...indexedWhere.values,
    ...otherWhere.values,
  );
  const foundRows = rows.slice(0, limit);
  if (rows.length > limit)
    return partOf(search, { foundRows, last: present(foundRows.at(-1), 'the last entry') });
  const last = yield* one(
    `SELECT id, at FROM audit ${indexedWhere.sql} ORDER BY id ${order} LIMIT 1 OFFSET ${maxExamined - 1}`,
    ...indexedWhere.values,
  );
  return { ...partOf(search, { foundRows, last }), stoppedAtMs: last === null ? null : integer(last, 'at') };
}

/**
 * Returns the result, with the places before and after it. `foundRows` are in the order of the search. The search
 * continues after the entry `last`; null if nothing follows in its direction.
 */
function partOf(
  { start }: AuditSearch,
  { foundRows, last }: { readonly foundRows: readonly SqlRow[]; readonly last: SqlRow | null },
): AuditPart {
  const direction = start?.direction ?? 'older';
  const next: AuditStart | null = last === null ? null : { direction, id: integer(last, 'id') };
  const items = foundRows.map(asAuditEntry);
  if (direction === 'newer') {
    // Without entries, the way back begins with the entry of `start`, so the bound, which is exclusive, is one further.
    const oldest = items[0]?.id ?? present(start, 'the start').id + 1;
    return {
      items: items.reverse(),
      newer: next,
      older: { direction: 'older', id: oldest },
      stoppedAtMs: null,
    };
  }
  const newest = items[0]?.id ?? (start === null ? null : start.id - 1);
  const newer: AuditStart | null =
    start === null || newest === null ? null : { direction: 'newer', id: newest };
  return { items, newer, older: next, stoppedAtMs: null };
}

/**
 * Splits the conditions: at most one uses an index with the order of IDs. `crate` and `actor` have one, so they come
 * before `action`.
 */
function conditionsOf({ filter, period }: AuditSearch): {
  readonly indexed: readonly Condition[];
  readonly others: readonly Condition[];
} {
  const { crate, actor, action } = filter;
  const filterConditions = Object.entries({ crate, actor, action }).flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }],
  );
  const count = crate === undefined && actor === undefined ? 0 : 1;
  const { fromMs, untilMs } = period;
  return {
    indexed: filterConditions.slice(0, count),
    others: [
      ...filterConditions.slice(count),
      ...(fromMs === null ? [] : [{ sql: 'at >= ?', values: [fromMs] }]),
      ...(untilMs === null ? [] : [{ sql: 'at < ?', values: [untilMs] }]),
    ],
  };
}

/** Returns the conditions for the IDs: those of the start, and of the period as far as the times are in order. */
function* rangeOf({ start, period: { fromMs, untilMs } }: AuditSearch): Work<readonly Condition[]> {
  const from = fromMs === null ? null : yield* firstIdAt(fromMs - CLOCK_SKEW_MS);
  const until = untilMs === null ? null : yield* firstIdAt(untilMs + CLOCK_SKEW_MS);
  return [
    ...(start === null
      ? []
      : [{ sql: start.direction === 'newer' ? 'id > ?' : 'id < ?', values: [start.id] }]),
    ...(from === null ? [] : [{ sql: 'id >= ?', values: [from] }]),
    ...(until === null ? [] : [{ sql: 'id < ?', values: [until] }]),
  ];
}

/** Returns the lowest ID whose entry, and all later ones, are not before a time. Reads one row for each step. */
function* firstIdAt(timeMs: number): Work<number> {
  const newest = yield* one('SELECT id FROM audit ORDER BY id DESC LIMIT 1');
  let low = 0;
  let high = newest === null ? 0 : integer(newest, 'id') + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const sql = 'SELECT id, at FROM audit WHERE id >= ? ORDER BY id LIMIT 1';
    const row = present(yield* one(sql, middle), 'an entry up to the newest one');
    if (integer(row, 'at') >= timeMs) high = middle;
    else low = integer(row, 'id') + 1;
  }
  return low;
}

/** Returns the `WHERE` clause that requires all conditions; an empty one without any. */
function whereClauseOf(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((condition) => condition.sql).join(' AND ');
  return { sql: sql === '' ? '' : `WHERE ${sql}`, values: conditions.flatMap(({ values }) => values) };
}
