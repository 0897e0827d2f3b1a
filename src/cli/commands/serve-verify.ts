/** `serve verify`: whether a registry of one's own is whole, also while it is served. */
import { TsregError } from '../../errors/error.ts';
import type { PulledResult } from '../../server/verify-store.ts';
import { type Command, isGiven, type Invocation } from '../command.ts';
import { switchFlag } from '../flag.ts';
import { STORE_FLAGS, storeLocation } from '../serve-flags.ts';

/** The command. */
export const SERVE_VERIFY: Command = {
  name: 'verify',
  about: 'Check every record against every .crate',
  flags: [
    switchFlag('clean', 'Delete .crate files that publishes left behind, and damaged ones of the upstream'),
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
    const { versions, bytes, problems, pulled, unreferenced } = await verifyStore(store, {
      nowMs: Date.now(),
      removeUnreferenced,
      forgetDamaged: removeUnreferenced,
    });
    for (const { crate, version, message } of problems) {
      shell.writeOut(`${crate === null ? '' : `${crate} ${version ?? ''}: `}${message}\n`);
    }
    shell.status('Verified', `${versions} versions, ${bytes} bytes`);
    reportPulled(pulled, { shell, areForgotten: removeUnreferenced });
    if (unreferenced.length > 0) {
      shell.status(
        removeUnreferenced ? 'Deleted' : 'Found',
        `${unreferenced.length} .crate files of no version`,
      );
    }
    const count = problems.length + (removeUnreferenced ? 0 : pulled.damaged.length);
    if (count > 0) throw new TsregError(`the registry is not whole: ${count} problems`, { code: 'source' });
  } finally {
    await store.close();
  }
}

function reportPulled(
  { archives, bytes, missing, damaged }: PulledResult,
  { shell, areForgotten }: { readonly shell: Invocation['shell']; readonly areForgotten: boolean },
): void {
  if (archives === 0) return;
  for (const checksum of damaged) {
    shell.writeOut(
      areForgotten
        ? `${checksum} of the upstream: it was damaged, and will be taken from there again\n`
        : `${checksum} of the upstream: its .crate is damaged; \`--clean\` forgets it, so that it is taken from there again\n`,
    );
  }
  const rest = missing === 0 ? '' : `; ${missing} are gone and will be taken from there again`;
  shell.status('Verified', `${archives} .crate files of the upstream, ${bytes} bytes${rest}`);
}
