import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';
import {
  type DriverConnection,
  loadSqliteDriver,
  type SqliteDriver,
} from '../../src/server/records/sqlite-driver.ts';
import { openSqliteRecords } from '../../src/server/records/sqlite-records.ts';
import { randomSearches } from '../helpers/random-searches.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const SEARCHES = 500;
const MAX_STATEMENTS = 200;

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('search-memory');
});
afterEach(() => temp.remove());

/** Returns the available driver, which adds every statement that it prepares to `prepared`. */
async function notingDriver(prepared: string[]): Promise<SqliteDriver> {
  const driver = await loadSqliteDriver();
  const open = (file: string): DriverConnection => {
    const connection = driver.open(file);
    return {
      exec: (sql) => connection.exec(sql),
      prepare: (sql) => {
        prepared.push(sql);
        return connection.prepare(sql);
      },
      close: () => connection.close(),
    };
  };
  return { ...driver, open };
}

it('prepares few statements for many different searches', async () => {
  const prepared: string[] = [];
  const driver = await notingDriver(prepared);
  const { records, close } = await openSqliteRecords(path.join(temp.path, 'registry.db'), {
    isShared: true,
    driver,
  });
  prepared.length = 0;
  let searches = 0;
  for (const { query, request } of randomSearches(1)) {
    if (prepared.length > MAX_STATEMENTS) break;
    await records.searchCrates(query, request);
    if ((searches += 1) === SEARCHES) break;
  }
  expect({ searches, prepared: prepared.length < MAX_STATEMENTS }).toEqual({
    searches: SEARCHES,
    prepared: true,
  });
  close();
});

it('caches a bounded number of statements: those that were used last', async () => {
  const prepared: string[] = [];
  const driver = await notingDriver(prepared);
  const database = await openSqlite(path.join(temp.path, 'test.db'), { isShared: true, driver });
  const ask = (number: number): unknown => database.get(`SELECT ${number} AS number`)?.['number'];
  for (let number = 0; number < 2 * MAX_STATEMENTS; number += 1)
    expect([ask(number), ask(-1)]).toEqual([number, -1]);
  prepared.length = 0;
  ask(2 * MAX_STATEMENTS - 1);
  ask(-1);
  expect(prepared).toEqual([]);
  ask(0);
  expect(prepared).toEqual(['SELECT 0 AS number']);
  database.close();
});
