import { createHash } from 'node:crypto';
import path from 'node:path';
import postgres from 'postgres';
import { RECORDS_FILE } from '../../src/server/admin/open-store.ts';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';
import { folderLocation, type StoreLocation } from '../../src/server/admin/store-location.ts';
import { removeTestStorage, testStorage } from './test-storage.ts';

/** A database in which tests may create schemas; null for none. */
export const TEST_DATABASE: string | null = process.env['TSREG_TEST_DATABASE'] || null;

/** The reason to skip tests of the records file; null if they run. */
export const RECORDS_ARE_ELSEWHERE = TEST_DATABASE === null ? null : 'the records are in a database';

/** The location of a test registry. */
export interface TestLocation {
  readonly location: StoreLocation;
  /** Variables that pass the location to a program, in addition to the folder. */
  readonly env: Readonly<Record<string, string>>;
}

/** PostgreSQL's error codes if another process creates the same object at the same time. */
const IS_THERE = new Set(['23505', '42P06', '42710']);

/**
 * Returns the location of the test registry of a folder, which is always the same, so that every process finds it. If
 * `TSREG_TEST_DATABASE` and `TSREG_TEST_STORAGE` are set, it uses a private schema of that database and a private
 * prefix of that storage. The schema is created if it does not exist.
 */
export async function testLocation(folder: string): Promise<TestLocation> {
  const { storage, env } = testStorage(folder);
  const database = TEST_DATABASE === null ? null : await makeSchema(TEST_DATABASE, folder);
  return {
    location: { ...folderLocation(folder), database, storage },
    env: {
      ...env,
      ...(database === null ? {} : { TSREG_DATABASE: database }),
      ...(storage === null ? {} : { TSREG_STORAGE: storage }),
    },
  };
}

/** Removes what `testLocation` created outside of the folder. */
export async function removeTestLocation({ location: { database, storage } }: TestLocation): Promise<void> {
  await removeTestStorage(storage);
  if (database === null || TEST_DATABASE === null) return;
  const schema = new URL(database).searchParams.get('search_path') ?? '';
  await administer(TEST_DATABASE, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

/** Runs SQL statements on the records of a registry, bypassing its checks. */
export async function changeRecords(
  { database, dataFolder }: StoreLocation,
  statements: string,
): Promise<void> {
  if (database !== null) return await administer(database, statements);
  const file = await openSqlite(path.join(dataFolder ?? '', RECORDS_FILE), { isShared: true });
  file.exec(statements);
  file.close();
}

async function administer(database: string, statements: string): Promise<void> {
  const sql = postgres(database, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    await sql.unsafe(statements);
  } finally {
    await sql.end();
  }
}

async function makeSchema(database: string, folder: string): Promise<string> {
  const schema = `tsreg_test_${createHash('sha256').update(folder).digest('hex').slice(0, 20)}`;
  const url = new URL(database);
  url.searchParams.set('search_path', schema);
  // The extension is in `public`, because dropping a test schema must not drop it.
  const extension = 'CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public';
  for (const statement of [extension, `CREATE SCHEMA IF NOT EXISTS ${schema}`]) {
    try {
      await administer(database, statement);
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || !IS_THERE.has(error.code)) throw error;
    }
  }
  return url.href;
}
