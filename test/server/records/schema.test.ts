import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/server/records/schema.ts';
import { openSqliteRecords } from '../../../src/server/records/sqlite-records.ts';
import { openSqlite } from '../../../src/server/records/sqlite-database.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import type { NewToken } from '../../../src/server/store/token-records.ts';

const temp = makeTempDir('schema');
afterAll(() => temp.remove());

/** The tables of the versions after 8, each before those to which it refers. */
const TABLES_AFTER_8 = [
  ...['team_owners', 'team_members', 'teams'],
  'documentation',
  ...['daily_downloads', 'daily_downloads_start', 'settings'],
];

const TOKEN: NewToken = {
  ...{ userId: 1, name: 'ci', hash: 'h', prefix: 'tsreg_', scopes: ['yank'], cratePatterns: [] },
  ...{ createdAtMs: 1, expiresAtMs: null },
};

it('migrates an old schema to the current version and keeps the data', async () => {
  const file = path.join(temp.path, 'old.db');
  const made = await openSqliteRecords(file, { isShared: true });
  await made.records.createUser({ login: 'alice', name: null, isAdmin: false, atMs: 1 });
  await made.records.createToken(TOKEN);
  made.close();
  const old = await openSqlite(file, { isShared: true });
  old.exec('DROP INDEX tokens_by_issuer; ALTER TABLE tokens DROP COLUMN issuer');
  old.exec("INSERT INTO deleted_names VALUES ('gone_crate', 5)");
  for (const event of ['inserted', 'updated', 'deleted']) old.exec(`DROP TRIGGER index_file_${event}`);
  const later = [
    'search_words',
    'own_names',
    'pulled_index_files',
    'pulled_archives',
    'static_changes',
    'rate_limits',
    ...TABLES_AFTER_8,
  ];
  for (const table of later) old.exec(`DROP TABLE ${table}`);
  old.exec('ALTER TABLE crates DROP COLUMN is_trusted_only');
  old.exec('DROP TABLE publishers; DROP TABLE used_assertions; PRAGMA user_version = 1');
  old.close();

  const { records, close } = await openSqliteRecords(file, { isShared: true });
  expect(await records.schemaVersion()).toBe(SCHEMA_VERSION);
  expect(await records.listTokens(1)).toMatchObject([{ name: 'ci', issuer: null }]);
  expect(await records.listPublishers()).toEqual([]);
  expect([await records.isLocalName('Gone-Crate'), await records.isLocalName('other')]).toEqual([
    true,
    false,
  ]);
  close();
});

it('adds empty daily downloads and settings to version 8, and counts by day since then', async () => {
  const file = path.join(temp.path, 'eight.db');
  const made = await openSqliteRecords(file, { isShared: true });
  await made.records.createUser({ login: 'alice', name: null, isAdmin: false, atMs: 1 });
  made.close();
  const old = await openSqlite(file, { isShared: true });
  for (const table of TABLES_AFTER_8) old.exec(`DROP TABLE ${table}`);
  old.exec('PRAGMA user_version = 8');
  old.close();

  const { records, close } = await openSqliteRecords(file, { isShared: true });
  const today = Math.floor(Date.now() / 86_400_000);
  const { sinceDay, counts } = await records.listDailyDownloads('foo', { versionIds: [], fromDay: 0 });
  expect([today - 1, today]).toContain(sinceDay);
  expect(counts).toEqual([]);
  expect((await records.listSettings()).size).toBe(0);
  expect((await records.findUser('alice'))?.login).toBe('alice');
  close();
});

it('adds empty teams to version 10', async () => {
  const file = path.join(temp.path, 'ten.db');
  (await openSqliteRecords(file, { isShared: true })).close();
  const old = await openSqlite(file, { isShared: true });
  for (const table of ['team_owners', 'team_members', 'teams']) old.exec(`DROP TABLE ${table}`);
  old.exec('PRAGMA user_version = 10');
  old.close();

  const { records, close } = await openSqliteRecords(file, { isShared: true });
  expect(await records.listTeams({ limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
  expect((await records.createTeam({ name: 'infra', atMs: 1, actor: null })).kind).toBe('created');
  close();
});

it('refuses a newer schema version', async () => {
  const file = path.join(temp.path, 'new.db');
  const database = await openSqlite(file, { isShared: true });
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  database.close();
  await expect(openSqliteRecords(file, { isShared: true })).rejects.toThrow(
    'this release supports versions up to',
  );
});

it('fails without changes if a newer program migrates the open records', async () => {
  const file = path.join(temp.path, 'shared.db');
  const { records, close } = await openSqliteRecords(file, { isShared: true });
  await records.createUser({ login: 'first', name: null, isAdmin: false, atMs: 1 });
  await records.ping();
  const database = await openSqlite(file, { isShared: true });
  database.exec(`DROP TABLE search_words; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  const words = { message: expect.stringContaining(`schema version ${SCHEMA_VERSION + 1}`), code: 'config' };
  await expect(records.ping()).rejects.toMatchObject(words);
  await expect(
    records.createUser({ login: 'second', name: null, isAdmin: false, atMs: 1 }),
  ).rejects.toMatchObject(words);
  await expect(records.searchCrates('word', { limit: 1, offset: 0 })).rejects.toMatchObject(words);
  // Tables that are the same in both versions can still be read.
  expect((await records.findUser('first'))?.login).toBe('first');
  expect(await records.findUser('second')).toBeNull();
  close();
  database.close();
});
