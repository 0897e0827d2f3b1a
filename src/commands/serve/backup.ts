/** `serve backup` and `serve restore`: back up and restore a private registry. A server may be running. */
import { resolve } from 'node:path';
import { type Command, type Invocation, isGiven, requiredValueOf } from '../shared/command.ts';
import { type Flag, positionalFlag, switchFlag } from '../shared/flag.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS, storeLocation } from './store-flags.ts';
import { withStore } from './with-store.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';

/** The command that creates a backup. */
export const SERVE_BACKUP: Command = {
  name: 'backup',
  about: 'Back up the registry to a folder',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [folderFlag('Folder for the backup: new, empty, or an earlier backup to update'), ...STORE_FLAGS],
  run: backUp,
};

/** The command that restores one. */
export const SERVE_RESTORE: Command = {
  name: 'restore',
  about: 'Replace the registry with a backup',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    folderFlag('Folder of the backup'),
    switchFlag('yes', 'Replace an existing registry; changes since the backup are lost'),
    ...STORE_FLAGS,
  ],
  run: restore,
};

async function backUp(invocation: Invocation): Promise<void> {
  const { backupStore } = await import('../../server/admin/backup-store.ts');
  const folder = folderOf(invocation);
  await withStore(invocation, async (store) => {
    const { versions, bytes } = await withContextAsync(`failed to save the registry to \`${folder}\``, () =>
      backupStore(store, folder),
    );
    invocation.shell.status('Saved', `${versions} versions, ${bytes} bytes, to ${folder}`);
  });
}

async function restore(invocation: Invocation): Promise<void> {
  const [{ openStore }, { describeLocation }, { restoreStore }] = await Promise.all([
    import('../../server/admin/open-store.ts'),
    import('../../server/admin/store-location.ts'),
    import('../../server/admin/backup-store.ts'),
  ]);
  const folder = folderOf(invocation);
  const location = storeLocation(invocation);
  const store = await openStore(location, invocation.config.env);
  try {
    const { crates, users } = await store.records.count();
    if (crates + users > 0 && !isGiven(invocation.values, 'yes')) {
      const message = `a registry is already in ${describeLocation(location)}: pass \`--yes\` to replace it`;
      throw new TsregError(message, { code: 'usage' });
    }
    const failure = `failed to restore the registry from \`${folder}\``;
    const { versions, bytes } = await withContextAsync(failure, () => restoreStore(store, folder));
    invocation.shell.status('Restored', `${versions} versions, ${bytes} bytes, from ${folder}`);
  } finally {
    await store.close();
  }
}

function folderFlag(help: string): Flag {
  return positionalFlag('folder', 'FOLDER', { kind: 'value', isRequired: true, refusesEmpty: true, help });
}

function folderOf({ values }: Invocation): string {
  return resolve(requiredValueOf(values, 'folder'));
}
