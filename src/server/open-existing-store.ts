import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { openStore, RECORDS_FILE, type StoreEnvironment } from './open-store.ts';
import { describeRecords, requireFolder, type StoreLocation } from './store-location.ts';
import type { Store } from './store.ts';

/** As `openStore`, for what makes no sense without a registry. Throws `not-found` where there is none. */
export async function openExistingStore(location: StoreLocation, env: StoreEnvironment): Promise<Store> {
  if (isThere(location)) return await openStore(location, env);
  throw new TsregError(`there is no registry in \`${describeRecords(location)}\``, { code: 'not-found' });
}

function isThere(location: StoreLocation): boolean {
  return existsSync(join(requireFolder(location), RECORDS_FILE));
}
