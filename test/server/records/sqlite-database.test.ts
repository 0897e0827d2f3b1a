import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../../src/server/records/sqlite-database.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
let database: SqliteDatabase;
const open = (): Promise<SqliteDatabase> => openSqlite(path.join(temp.path, 'test.db'), { isShared: true });
const names = (from: SqliteDatabase): readonly unknown[] =>
  from.all('SELECT name FROM parents').map((row) => row['name']);

beforeEach(async () => {
  temp = makeTempDir('sqlite');
  database = await open();
  database.exec(`CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE children (parent TEXT REFERENCES parents (name) DEFERRABLE INITIALLY DEFERRED)`);
});
afterEach(() => {
  database.close();
  temp.remove();
});

describe('a transaction', () => {
  it('changes nothing if it cannot be committed, and later writes succeed', async () => {
    const broken = (): void =>
      database.transaction(() => {
        database.run('INSERT INTO parents VALUES (?)', 'lost');
        // The foreign key is checked only at the commit.
        database.run('INSERT INTO children VALUES (?)', 'nobody');
      });
    expect(broken).toThrow(/FOREIGN KEY/);
    expect(names(database)).toEqual([]);
    database.run('INSERT INTO parents VALUES (?)', 'kept');
    database.transaction(() => database.run('INSERT INTO parents VALUES (?)', 'kept as well'));
    const another = await open();
    expect(names(another)).toEqual(['kept', 'kept as well']);
    another.close();
  });

  it('fails with the original error if SQLite has rolled it back already', () => {
    const broken = (): void =>
      database.transaction(() => {
        database.exec('ROLLBACK');
        throw new Error('the disk is full');
      });
    expect(broken).toThrow('the disk is full');
  });
});

it('names a file that is not a database', async () => {
  const file = path.join(temp.path, 'text.db');
  writeFileSync(file, 'This is a text. '.repeat(100));
  await expect(openSqlite(file, { isShared: true })).rejects.toMatchObject({
    code: 'io',
    message: `\`${file}\` cannot be used: file is not a database`,
  });
});
