import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../../../src/server/records/sqlite-database.ts';
import { loadSqliteDriver } from '../../../src/server/records/sqlite-driver.ts';
import { WalSync } from '../../../src/server/records/wal-sync.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('wal-sync');
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

describe('a write', () => {
  it('waits for the disk only if it changed something', async () => {
    const driver = { ...(await loadSqliteDriver()), canUseWal: true };
    const database = await openSqlite(path.join(temp.path, 'test.db'), { isShared: true, driver });
    const sync = vi.spyOn(WalSync.prototype, 'sync');
    await database.write(() => database.exec('CREATE TABLE names (name TEXT PRIMARY KEY)'));
    expect(sync).toHaveBeenCalledTimes(1);
    const insert = 'INSERT INTO names VALUES (?) ON CONFLICT DO NOTHING';
    for (const _ of [1, 2]) await database.write(() => database.run(insert, 'one'));
    expect(sync).toHaveBeenCalledTimes(2);
    sync.mockRejectedValueOnce(new Error('the disk is gone'));
    await expect(database.write(() => database.run(insert, 'two'))).rejects.toThrow('the disk is gone');
    database.close();
  });

  it('works without a log if the database is not shared', async () => {
    const database = await openSqlite(path.join(temp.path, 'copy.db'), { isShared: false });
    await database.write(() => database.exec('CREATE TABLE names (name TEXT)'));
    database.close();
  });
});

it('fails concurrent syncs together, and a later one succeeds', async () => {
  const file = path.join(temp.path, 'late');
  const wal = new WalSync(file);
  const both = await Promise.allSettled([wal.sync(), wal.sync()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  writeFileSync(file, '');
  await wal.sync();
  wal.close();
});
