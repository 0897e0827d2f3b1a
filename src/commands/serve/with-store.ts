/** Opens the registry that a subcommand of `serve` works on. */
import type { ExistingStoreOptions, openExistingStore } from '../../server/admin/open-existing-store.ts';
import type { Invocation } from '../shared/command.ts';
import { storeLocation } from './store-flags.ts';

type Store = Awaited<ReturnType<typeof openExistingStore>>;

/**
 * Opens the registry that the flags name, passes it to `use`, and closes it. Throws `not-found` if there is no registry,
 * also after waiting for `startupTimeoutMs`.
 */
export async function withStore(
  invocation: Invocation,
  use: (store: Store) => Promise<void>,
  options: ExistingStoreOptions = {},
): Promise<void> {
  const { openExistingStore: open } = await import('../../server/admin/open-existing-store.ts');
  const store = await open(storeLocation(invocation), invocation.config.env, options);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
