import { createHash } from 'node:crypto';
import path from 'node:path';
import postgres from 'postgres';
import { RECORDS_FILE } from '../../src/server/open-store.ts';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';
import { folderLocation, type StoreLocation } from '../../src/server/store-location.ts';
import { removeTestStorage, testStorage } from './test-storage.ts';

/** A database in which tests may make schemas; null for none. */
export const TEST_DATABASE: string | null = process.env['TSREG_TEST_DATABASE'] || null;

/** Why what is about the file of the records is not tested; null where it is. */
export const RECORDS_ARE_ELSEWHERE = TEST_DATABASE === null ? null : 'the records are in a database';

/** Where the registry of tests is. */
export interface TestLocation {
  readonly location: StoreLocation;
  /** What tells a program so, beside the folder. */
  readonly env: Readonly<Record<string, string>>;
}

/** Somebody else makes the same at the same time. */
const IS_THERE = new Set(['23505', '42P06', '42710']);

/**
 * Where the registry of tests in a folder is: there, or in a schema of its own in the database that
 * `TSREG_TEST_DATABASE` names, and in a part of its own of `TSREG_TEST_STORAGE`. Always the same for a folder, so that
 * every process finds it; what is not there is made.
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

/** Removes what `testLocation` made outside of the folder. */
export async function removeTestLocation({ location: { database, storage } }: TestLocation): Promise<void> {
  await removeTestStorage(storage);
  if (database === null || TEST_DATABASE === null) return;
  const schema = new URL(database).searchParams.get('search_path') ?? '';
  await administer(TEST_DATABASE, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

/** Runs statements on the records of a registry, whatever the registry would say to that. */
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
  // What a schema of tests must not take along when it goes.
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
