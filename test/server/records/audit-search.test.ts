import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPart, AuditSearch } from '../../../src/server/store/audit-records.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;

/** The number of entries, of which every third signs in, every fifth is about a crate, and every second is by bob. */
const COUNT = 60;
const HOUR_MS = 60 * 60_000;
const timeOf = (position: number): number => position * 2 * HOUR_MS;

beforeAll(async () => {
  registry = await openTestRegistry();
  for (let position = 1; position <= COUNT; position += 1) {
    await registry.store.records.addAudit({
      // Another server's clock is half an hour late.
      atMs: timeOf(position) - (position % 7 === 0 ? HOUR_MS / 2 : 0),
      actor: position % 2 === 0 ? 'bob' : 'ann',
      action: position % 3 === 0 ? 'sign-in' : 'yank',
      crate: position % 5 === 0 ? 'foo' : null,
      detail: String(position),
    });
  }
});

afterAll(async () => registry[Symbol.asyncDispose]());

async function search(more: Partial<AuditSearch>): Promise<AuditPart> {
  const everything = { filter: {}, period: { fromMs: null, untilMs: null }, start: null };
  return await registry.store.records.searchAudit({ ...everything, limit: 5, maxExamined: 20, ...more });
}

const positions = ({ items }: AuditPart): readonly number[] => items.map(({ detail }) => Number(detail));

/** Follows the links to older entries. Returns the positions of each part. */
async function follow(more: Partial<AuditSearch>): Promise<readonly (readonly number[])[]> {
  const found: (readonly number[])[] = [];
  for (let part = await search(more); ; part = await search({ ...more, start: part.older })) {
    found.push(positions(part));
    if (part.older === null) return found;
  }
}

const all = Array.from({ length: COUNT }, (_, index) => COUNT - index);

describe('a search in the audit trail', () => {
  it.each([
    [{}, () => true],
    [{ actor: 'bob' }, (n: number) => n % 2 === 0],
    [{ crate: 'foo' }, (n: number) => n % 5 === 0],
    [{ action: 'sign-in' }, (n: number) => n % 3 === 0],
    [
      { crate: 'foo', actor: 'ann', action: 'yank' },
      (n: number) => n % 5 === 0 && n % 2 === 1 && n % 3 !== 0,
    ],
    [{ actor: 'eve' }, () => false],
  ] as const)('finds all entries that match %j, newest first', async (filter, matches) => {
    expect((await follow({ filter })).flat()).toEqual(all.filter(matches));
  });

  it('finds the entries of a period, even if the clocks of servers differ a little', async () => {
    for (const [from, until] of [
      [10, 20],
      [14, 15],
      [13.9, 14.1],
      [0, COUNT + 1],
      [COUNT + 1, COUNT + 9],
    ] as const) {
      const period = { fromMs: timeOf(from), untilMs: timeOf(until) };
      const inside = (n: number): boolean => {
        const atMs = timeOf(n) - (n % 7 === 0 ? HOUR_MS / 2 : 0);
        return atMs >= period.fromMs && atMs < period.untilMs;
      };
      expect((await follow({ period })).flat(), `${from} to ${until}`).toEqual(all.filter(inside));
    }
  });

  it('reads few entries outside of the period', async () => {
    const period = { fromMs: timeOf(3), untilMs: timeOf(8) };
    const part = await search({ period, limit: 9, maxExamined: 10 });
    expect([positions(part), part.stoppedAtMs, part.older]).toEqual([[7, 6, 5, 4, 3], null, null]);
  });

  it('stops after examining many entries, and tells where', async () => {
    const part = await search({ filter: { action: 'sign-in', crate: 'foo' }, maxExamined: 6 });
    expect([positions(part), part.stoppedAtMs]).toEqual([[60, 45], timeOf(35) - HOUR_MS / 2]);
    const rest = await search({
      filter: { action: 'sign-in', crate: 'foo' },
      maxExamined: 6,
      start: part.older,
    });
    expect([positions(rest), rest.older]).toEqual([
      [30, 15],
      expect.objectContaining({ direction: 'older' }),
    ]);
    expect(await follow({ filter: { action: 'sign-in', actor: 'eve' }, maxExamined: 6 })).toEqual([[]]);
  });

  it('goes back to newer entries', async () => {
    const first = await search({});
    expect(first.newer).toBeNull();
    const second = await search({ start: first.older });
    const third = await search({ start: second.older });
    expect(positions(third)).toEqual([50, 49, 48, 47, 46]);
    const back = await search({ start: third.newer });
    expect(positions(back)).toEqual(positions(second));
    expect(positions(await search({ start: back.older }))).toEqual(positions(third));
    const top = await search({ start: back.newer });
    expect([positions(top), top.newer]).toEqual([positions(first), null]);
  });

  it('keeps the way back from a place without matches', async () => {
    const nothing = await search({ filter: { action: 'publish' }, start: { direction: 'newer', id: 30 } });
    expect(nothing).toMatchObject({ items: [], older: { direction: 'older', id: 31 } });
    expect(await search({ start: { direction: 'older', id: 1 } })).toMatchObject({
      ...{ items: [], older: null, newer: { direction: 'newer', id: 0 } },
    });
  });
});

it('the trail of a new registry is empty', async () => {
  await using fresh = await openTestRegistry();
  const period = { fromMs: 1, untilMs: 2 };
  expect(
    await fresh.store.records.searchAudit({ filter: {}, period, start: null, limit: 5, maxExamined: 9 }),
  ).toEqual({
    ...{ items: [], newer: null, older: null, stoppedAtMs: null },
  });
});
