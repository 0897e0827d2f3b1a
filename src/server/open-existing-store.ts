import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError, withContextAsync } from '../errors/error.ts';
import { openStore, RECORDS_FILE, type StoreEnvironment } from './open-store.ts';
import { describeRecords, requireFolder, type StoreLocation } from './store-location.ts';
import type { Store } from './store.ts';

/** As `openStore`, for what makes no sense without a registry. Throws `not-found` where there is none. */
export async function openExistingStore(location: StoreLocation, env: StoreEnvironment): Promise<Store> {
  if (await isThere(location)) return await openStore(location, env);
  throw new TsregError(
    `there is no registry in \`${describeRecords(location)}\`: name the one that is meant, ` +
      'or make one by `tsreg serve`',
    { code: 'not-found' },
  );
}

async function isThere(location: StoreLocation): Promise<boolean> {
  const { database } = location;
  if (database === null) return existsSync(join(requireFolder(location), RECORDS_FILE));
  const { hasPostgresRecords } = await import('./records/postgres-records.ts');
  return await withContextAsync(`failed to open the registry in \`${describeRecords(location)}\``, () =>
    hasPostgresRecords(database),
  );
}
