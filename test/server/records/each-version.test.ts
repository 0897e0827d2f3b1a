import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqlite } from '../../../src/server/records/sqlite-database.ts';
import { openSqliteRecords } from '../../../src/server/records/sqlite-records.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('each-version');
afterAll(() => temp.remove());

it('yields every version once, grouped by crate', async () => {
  const file = path.join(temp.path, 'registry.db');
  const { records, close } = await openSqliteRecords(file, { isShared: true });
  await records.createUser({ login: 'alice', name: null, isAdmin: false, atMs: 1 });
  const database = await openSqlite(file, { isShared: true });
  const crates = ['a', 'b', 'c'];
  database.transaction(() => {
    for (const name of crates) {
      const sql = "INSERT INTO crates VALUES (NULL, ?, ?, '1.0.0', NULL, '[]', 0, 1, 1, 0)";
      database.run(sql, name, name);
    }
    for (let number = 0; number < 2700; number += 1) {
      const version = `1.0.${number}`;
      database.run(
        `INSERT INTO versions VALUES (NULL, ?, ?, ?, 'c', 1, 'k', '{}', 0, NULL, 0, 1, 1, '{}')`,
        (number % crates.length) + 1,
        version,
        version,
      );
    }
  });
  database.close();
  const named: string[] = [];
  const order: string[] = [];
  for await (const { crate, version } of records.eachVersion()) {
    named.push(`${crate} ${version}`);
    if (order.at(-1) !== crate) order.push(crate);
  }
  expect([named.length, new Set(named).size, order]).toEqual([2700, 2700, crates]);
  close();
});
