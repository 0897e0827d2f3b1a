import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../../src/server/records/sqlite-database.ts';
import {
  canUseWal,
  loadSqliteDriver,
  nodeDriver,
  type SqliteDriver,
} from '../../../src/server/records/sqlite-driver.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const found = await loadSqliteDriver();
/** The same driver twice: as if its SQLite had the WAL-reset bug, and as if it had not. */
const buggy: SqliteDriver = { ...found, name: 'libsql', version: '3.45.1', canUseWal: false };
const fixed: SqliteDriver = { ...found, name: 'node:sqlite', version: '3.51.3', canUseWal: true };

let temp: TempDir;
let file: string;
const opened: SqliteDatabase[] = [];
beforeEach(() => {
  temp = makeTempDir('journal');
  file = path.join(temp.path, 'test.db');
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  temp.remove();
});

async function open(driver: SqliteDriver): Promise<SqliteDatabase> {
  const database = await openSqlite(file, { isShared: true, driver });
  opened.push(database);
  return database;
}

function insert(database: SqliteDatabase, text: string): void {
  database.transaction(() => {
    database.run('CREATE TABLE IF NOT EXISTS texts (text TEXT) STRICT');
    database.run('INSERT INTO texts VALUES (?)', text);
  });
}

/** Starts a process that has a row in a write-ahead log. Returns a function that ends the process. */
async function holdLog(): Promise<(signal?: 'SIGKILL') => Promise<void>> {
  const args = ['scripts/run-ts.mjs', 'test/helpers/sqlite-process.ts', 'hold', file, found.name];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  return async (signal) => {
    if (signal === undefined) child.stdin.end();
    else child.kill(signal);
    await closed;
  };
}

it('does not use the driver of Node if it cannot search', () => {
  class WithoutSearch {
    prepare(): { get(): undefined } {
      return { get: () => undefined };
    }
    close(): void {}
  }
  const modules = vi
    .spyOn(process, 'getBuiltinModule')
    .mockReturnValue({ DatabaseSync: WithoutSearch } as never);
  expect(nodeDriver()).toBeNull();
  modules.mockRestore();
});

const texts = (database: SqliteDatabase): readonly unknown[] =>
  database.all('SELECT text FROM texts').map((row) => row['text']);

it('knows which versions of SQLite have the WAL-reset bug', () => {
  const hasBug = ['3.7.0', '3.44.5', '3.45.1', '3.50.6', '3.51.2', ''];
  const hasNone = ['3.44.6', '3.50.7', '3.51.3', '3.52.0', '3.53.4', '4.0.0'];
  expect(hasBug.filter(canUseWal)).toEqual([]);
  expect(hasNone.filter((version) => !canUseWal(version))).toEqual([]);
});

it('suppresses the SQLite warning of Node and no others', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  nodeDriver();
  expect(warn.mock.calls.filter(([text]) => String(text).startsWith('SQLite '))).toEqual([]);
  process.emitWarning('another', 'ExperimentalWarning');
  expect(warn).toHaveBeenCalledWith('another', 'ExperimentalWarning');
  warn.mockRestore();
});

it('uses a write-ahead log only if SQLite does not have the bug', async () => {
  const log = await open(fixed);
  insert(log, 'one');
  expect([log.description, existsSync(`${file}-wal`)]).toEqual(['node:sqlite 3.51.3', true]);
  file = path.join(temp.path, 'another.db');
  const rollback = await open(buggy);
  insert(rollback, 'two');
  expect(rollback.description).toBe('libsql 3.45.1, journal truncate');
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it('removes the journal only when the last connection closes', async () => {
  const rollback = await open(buggy);
  insert(rollback, 'one');
  expect(existsSync(`${file}-journal`)).toBe(true);
  const other = await open(buggy);
  other.exec('BEGIN IMMEDIATE');
  other.run('INSERT INTO texts VALUES (?)', 'two');
  rollback.close();
  expect(readdirSync(temp.path)).toContain('test.db-journal');
  other.exec('COMMIT');
  other.close();
  opened.length = 0;
  expect(readdirSync(temp.path).toSorted()).toEqual(['test.db', 'test.db-no-wal']);
  expect(texts(await open(fixed))).toEqual(['one', 'two']);
});

it('takes over the log of a killed process with all committed rows', async () => {
  const end = await holdLog();
  await end('SIGKILL');
  expect(existsSync(`${file}-wal`)).toBe(true);
  const database = await open(buggy);
  expect([texts(database), existsSync(`${file}-wal`)]).toEqual([['one'], false]);
});

it('fails if another connection uses a write-ahead log and SQLite has the bug', async () => {
  const log = await open(fixed);
  insert(log, 'one');
  await expect(open(buggy)).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining(`\`${file}\` is in use with a write-ahead log`),
    hint: expect.stringContaining('the latest release of Node 22, 24 or newer'),
  });
  insert(log, 'two');
  expect([texts(log), log.description]).toEqual([['one', 'two'], 'node:sqlite 3.51.3']);
});

it('starts a write-ahead log only after connections that must not use one have closed', async () => {
  const rollback = await open(buggy);
  insert(rollback, 'one');
  const beside = await open(fixed);
  expect(beside.description).toBe('node:sqlite 3.51.3, journal truncate');
  insert(beside, 'two');
  insert(rollback, 'three');
  expect(texts(beside)).toEqual(['one', 'two', 'three']);
  for (const each of opened.splice(0)) each.close();
  expect((await open(fixed)).description).toBe('node:sqlite 3.51.3');
});

it('waits a moment for another process to close its log, even in several connections', async () => {
  const end = await holdLog();
  const all = Promise.all([open(buggy), open(buggy), open(buggy)]);
  await Promise.all([sleep(300).then(() => end()), all]);
  for (const each of await all) {
    insert(each, 'more');
    expect(each.description).toBe('libsql 3.45.1, journal truncate');
  }
});

it('refuses to write once an older program has started a write-ahead log', async () => {
  const rollback = await open(buggy);
  insert(rollback, 'one');
  const older = found.open(file);
  older.exec('PRAGMA journal_mode = WAL');
  expect(() => insert(rollback, 'two')).toThrow('another program has begun a write-ahead log');
  expect(texts(rollback)).toEqual(['one']);
  older.close();
});

it('reports a file that is not a database with every driver', async () => {
  writeFileSync(file, 'This is a text. '.repeat(100));
  for (const driver of [buggy, fixed]) {
    await expect(openSqlite(file, { isShared: true, driver })).rejects.toThrow('file is not a database');
  }
});
