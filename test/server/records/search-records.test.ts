import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refreshSearch } from '../../../src/server/records/crate-rows.ts';
import { SCHEMA_VERSION } from '../../../src/server/records/schema.ts';
import { openSqlite } from '../../../src/server/records/sqlite-database.ts';
import { openSqliteRecords, type SqliteRecords } from '../../../src/server/records/sqlite-records.ts';
import { doWork } from '../../../src/server/records/sqlite-work.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import type { SearchRequest } from '../../../src/server/store/crate-records.ts';

let temp: TempDir;
let file: string;
const opened: SqliteRecords[] = [];
beforeEach(() => {
  temp = makeTempDir('search');
  file = path.join(temp.path, 'registry.db');
});
afterEach(() => {
  for (const { close } of opened.splice(0)) close();
  temp.remove();
});

async function open(): Promise<SqliteRecords['records']> {
  const made = await openSqliteRecords(file, { isShared: true });
  opened.push(made);
  return made.records;
}

/** Searches, and returns the number at the end of each name and the total. */
async function find(query: string, more: Partial<SearchRequest> = {}): Promise<string> {
  const records = opened[0]?.records;
  if (records === undefined) throw new Error('nothing is open');
  const { items, total } = await records.searchCrates(query, { limit: 3, offset: 0, ...more });
  return `${items.map(({ name }) => name.slice(5)).join(' ')} of ${total}`;
}

const answers = async (): Promise<Record<string, string>> => ({
  name: await find('pack_11111'),
  beginning: await find('PACK-1111'),
  letters: await find('pa', { offset: 999 }),
  part: await find('ack'),
  page: await find('thing', { offset: 3 }),
  rare: await find('needle'),
  rareToo: await find('needle', { order: 'updated', limit: 2 }),
  both: await find('thing tenth'),
  apart: await find('needle tenth', { order: 'downloads' }),
  never: await find('odd tenth'),
  nothing: await find('nothing at all'),
  byName: await find('thing', { order: 'name' }),
  newest: await find('tenth', { order: 'created' }),
  newestBoth: await find('odd fifth', { order: 'created' }),
  end: await find('thing', { offset: 1000 }),
});

const EXPECTED = {
  name: '11111 of 1',
  beginning: '1111 11110 11111 of 11',
  letters: '1000 of 1000',
  part: '1 2 3 of 1000',
  page: '4 5 6 of 1000',
  rare: '5 5000 11111 of 3',
  rareToo: '5 5000 of 3',
  both: '10 20 30 of 1000',
  apart: '5000 of 1',
  never: ' of 0',
  nothing: ' of 0',
  byName: '1 10 100 of 1000',
  newest: '12000 11990 11980 of 1000',
  newestBoth: '11995 11985 11975 of 1000',
  end: ' of 1000',
};

it('finds the same with and without tiers, the most downloaded of many matches first', async () => {
  const records = await open();
  const database = await openSqlite(file, { isShared: true });
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)
    INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
    SELECT 'pack-' || n, 'pack_' || n, '1.0.0', '[]', 12000 - n, n, 20000 - n FROM numbers`);
  database.transaction(() => {
    for (let id = 1; id <= 12_000; id += 1) {
      const words = ['thing', ...(id % 10 === 0 ? ['tenth'] : []), ...(id % 2 === 1 ? ['odd'] : [])];
      if (id % 5 === 0) words.push('fifth');
      if ([5, 5000, 11_111].includes(id)) words.push('needle');
      doWork(database, refreshSearch({ id, name: `pack-${id}`, description: words.join(' '), keywords: [] }));
    }
  });
  const inTiers = (): number => database.all('SELECT rowid FROM crate_search WHERE tier < 2').length;
  expect(await answers()).toEqual(EXPECTED);
  expect(inTiers()).toBe(0);
  await records.rankCrates();
  expect(inTiers()).toBe(10_000);
  expect(await answers()).toEqual(EXPECTED);
  database.exec("UPDATE crates SET downloads = 99999 WHERE name = 'pack-12000'");
  await records.rankCrates();
  expect(await find('tenth')).toBe('12000 10 20 of 1000');
  database.exec('DELETE FROM crates WHERE id > 4000');
  await records.rankCrates();
  expect([inTiers(), database.all('SELECT 1 FROM search_words WHERE tier < 2').length]).toEqual([0, 0]);
  expect(await find('tenth')).toBe('10 20 30 of 400');
  database.close();
});

it('matches a short word at the start of very many names in any order', async () => {
  await open();
  const database = await openSqlite(file, { isShared: true });
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
    INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
    SELECT 'aaaa-' || n, 'aaaa_' || n, '1.0.0', '[]', 0, n, n FROM numbers;
    UPDATE crates SET name = 'zzzz-' || id, canonical_name = 'zzzz_' || id WHERE id > 1100;
    INSERT INTO crate_search (rowid, name, everything) SELECT id, canonical_name, canonical_name FROM crates`);
  database.close();
  expect(await find('aa', { order: 'created' })).toBe('1100 1099 1098 of 1000');
});

it('checks only a limited number of less downloaded crates for the other words', async () => {
  const records = await open();
  const database = await openSqlite(file, { isShared: true });
  const word = (
    text: string,
    condition: string,
  ): string => `INSERT INTO search_words (crate_id, word, is_in_name, tier)
    SELECT id, '${text}', 0, 2 FROM crates WHERE ${condition};`;
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 18000)
    INSERT INTO crates (id, name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
    SELECT n, 'pack-' || n, 'pack_' || n, '1.0.0', '[]', 30000 - n, n, 1 FROM numbers;
    INSERT INTO crate_search (rowid, name, everything) SELECT id, canonical_name, '' FROM crates;
    ${word('wide', 'id = 1 OR id > 10000')} ${word('spread', 'id < 4 OR id > 10000')}
    ${word('near', 'id < 41 OR id = 15000')}
    ${word('early', 'id = 1 OR id BETWEEN 10001 AND 11200')} ${word('late', 'id < 9 OR id > 16500')}`);
  // Without tiers, all crates are checked.
  expect(await find('wide late')).toBe('1 16501 16502 of 1000');
  await records.rankCrates();
  expect(await find('wide spread')).toBe('1 10001 10002 of 1000');
  expect(await find('early wide')).toBe('1 10001 10002 of 1000');
  expect(await find('early late')).toBe('1 of 1');
  // `wide` is in fewer of the most downloaded crates, so it counts as the rarer word.
  expect(await find('late wide')).toBe('1 of 1');
  expect(await find('late wide', { order: 'name' })).toBe('1 of 1');
  // The total is exact once a search reaches the end.
  expect(await find('near')).toBe('1 2 3 of 720');
  expect(await find('near', { offset: 39 })).toBe('40 15000 of 41');
  expect(await find('near', { offset: 39, order: 'name' })).toBe('8 9 of 41');
  database.close();
});

it('finds crates of an old schema without a word index', async () => {
  await open();
  opened.splice(0).map(({ close }) => close());
  const old = await openSqlite(file, { isShared: true });
  old.exec(`DROP TABLE search_words; DROP TABLE crate_search;
    CREATE VIRTUAL TABLE crate_search USING fts5 (name, keywords, description, tokenize = 'trigram');
    INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at, description)
    VALUES ('pack-1', 'pack_1', '1.0.0', '["green"]', 0, 1, 1, 'A thing');
    INSERT INTO crate_search (rowid, name, keywords, description) VALUES (1, 'pack_1', '["green"]', 'A thing');
    ALTER TABLE crates DROP COLUMN is_trusted_only;
    DROP INDEX pulled_archives_by_use;
    DROP INDEX pulled_index_files_by_use;
    ALTER TABLE pulled_archives DROP COLUMN used_at;
    ALTER TABLE pulled_index_files DROP COLUMN size;
    DROP TABLE daily_downloads;
    DROP TABLE daily_downloads_start;
    DROP TABLE settings;
    DROP TABLE documentation;
    DROP TABLE team_owners;
    DROP TABLE team_members;
    DROP TABLE teams;
    PRAGMA user_version = 6`);
  old.close();
  const records = await open();
  expect(await records.schemaVersion()).toBe(SCHEMA_VERSION);
  for (const query of ['pack-1', 'ack', 'green', 'thing']) expect(await find(query), query).toBe('1 of 1');
});
