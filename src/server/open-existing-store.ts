import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { openStore, RECORDS_FILE } from './open-store.ts';
import type { Store } from './store.ts';

/** As `openStore`, for what makes no sense without a registry. Throws `not-found` where there is none. */
export async function openExistingStore(dataFolder: string): Promise<Store> {
  if (existsSync(join(dataFolder, RECORDS_FILE))) return await openStore(dataFolder);
  throw new TsregError(`there is no registry in \`${dataFolder}\``, { code: 'not-found' });
}
