import path from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/server/records/sqlite-database.ts';
import { one, type Work } from '../../../src/server/records/sql-work.ts';
import { sqliteWork } from '../../../src/server/records/sqlite-work.ts';
import { total } from '../../../src/server/records/row.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

it('reads one moment, even if another process writes meanwhile', async () => {
  const temp = makeTempDir('sqlite-work');
  const open = () => openSqlite(path.join(temp.path, 'test.db'), { isShared: true });
  const [database, other] = [await open(), await open()];
  database.exec('CREATE TABLE names (name TEXT)');
  other.exec('PRAGMA busy_timeout = 0');
  const count = function* (): Work<number> {
    return total(yield* one('SELECT count(*) AS total FROM names'));
  };
  const counts = await sqliteWork(database, () => undefined).readMoment(function* () {
    const before = yield* count();
    // Without a write-ahead log, the reader blocks the writer.
    expect(() => other.run("INSERT INTO names VALUES ('x')")).not.toThrow(/^(?!database is locked)/);
    return [before, yield* count()];
  });
  expect(counts).toEqual([0, 0]);
  database.close();
  other.close();
  temp.remove();
});
