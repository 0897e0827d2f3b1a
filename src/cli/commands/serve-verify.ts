/** `serve verify`: whether a registry of one's own is whole, also while it is served. */
import { TsregError } from '../../errors/error.ts';
import { type Command, isGiven, type Invocation } from '../command.ts';
import { switchFlag } from '../flag.ts';
import { STORE_FLAGS, storeLocation } from '../serve-flags.ts';

/** The command. */
export const SERVE_VERIFY: Command = {
  name: 'verify',
  about: 'Check every record against every .crate',
  flags: [
    switchFlag('clean', 'Delete .crate files that publishes left behind which did not come to their end'),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const [{ openExistingStore }, { verifyStore }] = await Promise.all([
    import('../../server/open-existing-store.ts'),
    import('../../server/verify-store.ts'),
  ]);
  const store = await openExistingStore(storeLocation(invocation), invocation.config.env);
  try {
    const removeUnreferenced = isGiven(values, 'clean');
    const { versions, bytes, problems, unreferenced } = await verifyStore(store, {
      nowMs: Date.now(),
      removeUnreferenced,
    });
    for (const { crate, version, message } of problems) {
      shell.writeOut(`${crate === null ? '' : `${crate} ${version ?? ''}: `}${message}\n`);
    }
    shell.status('Verified', `${versions} versions, ${bytes} bytes`);
    if (unreferenced.length > 0) {
      shell.status(
        removeUnreferenced ? 'Deleted' : 'Found',
        `${unreferenced.length} .crate files of no version`,
      );
    }
    if (problems.length > 0) {
      throw new TsregError(`the registry is not whole: ${problems.length} problems`, { code: 'source' });
    }
  } finally {
    await store.close();
  }
}
