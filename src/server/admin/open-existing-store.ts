import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { openStore, RECORDS_FILE, type StoreEnvironment } from './open-store.ts';
import { describeRecords, requireFolder, type StoreLocation } from './store-location.ts';
import type { Store } from '../store/store.ts';

/** Interval between checks for a registry that does not exist yet. */
const POLL_INTERVAL_MS = 50;

/** Options for waiting for a registry. */
export interface ExistingStoreOptions {
  /** How long to wait for a newly started server to create the registry; 0 if omitted. */
  readonly startupTimeoutMs?: number;
}

/** Opens a store as `openStore` does, but throws `not-found` if there is no registry. */
export async function openExistingStore(
  location: StoreLocation,
  env: StoreEnvironment,
  { startupTimeoutMs = 0 }: ExistingStoreOptions = {},
): Promise<Store> {
  const deadline = performance.now() + startupTimeoutMs;
  while (!(await hasRegistry(location))) {
    if (performance.now() >= deadline) throw noRegistry(location);
    await sleep(POLL_INTERVAL_MS);
  }
  return await openStore(location, env);
}

function noRegistry(location: StoreLocation): TsregError {
  const isInFolder = location.database === null;
  const reason = isInFolder ? `it has no \`${RECORDS_FILE}\`` : 'the database has none of its tables';
  const flag = isInFolder ? '--data DIR' : '--database URL';
  return new TsregError(`there is no registry in \`${describeRecords(location)}\`: ${reason}`, {
    code: 'not-found',
    hint: `check the ${isInFolder ? 'folder' : 'URL'}, or create and run a registry with \`tsreg serve ${flag}\``,
  });
}

async function hasRegistry(location: StoreLocation): Promise<boolean> {
  const { database } = location;
  if (database === null) return existsSync(join(requireFolder(location), RECORDS_FILE));
  const { hasPostgresRecords } = await import('../records/postgres-records.ts');
  return await withContextAsync(`failed to open the registry in \`${describeRecords(location)}\``, () =>
    hasPostgresRecords(database),
  );
}
