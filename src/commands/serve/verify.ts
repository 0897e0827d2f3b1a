/** `serve verify`: checks that a private registry is complete. A server may be running. */
import { TsregError } from '../../core/errors/error.ts';
import type { StaticVerifyResult } from '../../server/admin/verify-static.ts';
import type { MirrorResult } from '../../server/admin/verify-store.ts';
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { switchFlag } from '../shared/flag.ts';
import { problemLine } from './problem-line.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { withStore } from './with-store.ts';

/** The flags of `tsreg serve verify`, and its run. */
export const SERVE_VERIFY: Command = {
  name: 'verify',
  about: 'Check every version against its `.crate` file and index line',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    switchFlag(
      'clean',
      'Delete unused `.crate` files and documentation that are older than a day, and damaged files in the cache of the upstream',
    ),
    switchFlag('repair', 'Rewrite the files of `serve --static-url` that differ from the database'),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const [{ verifyStore }, { verifyStatic }] = await Promise.all([
    import('../../server/admin/verify-store.ts'),
    import('../../server/admin/verify-static.ts'),
  ]);
  await withStore(invocation, async (store) => {
    const removeUnreferenced = isGiven(values, 'clean');
    const { versions, bytes, problems, mirrored, unreferenced } = await verifyStore(store, {
      nowMs: Date.now(),
      removeUnreferenced,
      forgetDamaged: removeUnreferenced,
      checksCounts: true,
    });
    for (const problem of problems) shell.writeOut(problemLine(problem));
    if (store.records.sqlite !== undefined) shell.status('Checked', `sqlite: ${store.records.sqlite}`);
    shell.status('Verified', `${versions} versions, ${bytes} bytes`);
    reportMirrored(mirrored, { shell, areForgotten: removeUnreferenced });
    if (unreferenced.length > 0) {
      shell.status(
        removeUnreferenced ? 'Deleted' : 'Found',
        `${unreferenced.length} .crate files without a version`,
      );
    }
    const files = store.blobs.staticFiles;
    const isRepairing = isGiven(values, 'repair');
    const verified = files === undefined ? null : await verifyStatic({ ...store, files }, { isRepairing });
    const staticCount = verified === null ? 0 : reportStatic(verified, shell);
    const count = problems.length + staticCount + (removeUnreferenced ? 0 : mirrored.damaged.length);
    if (count > 0) throw new TsregError(`the registry is damaged: ${count} problems`, { code: 'source' });
  });
}

/** Reports the problems of static files. Returns how many remain. */
function reportStatic(
  { crates, problems, repaired }: StaticVerifyResult,
  shell: Invocation['shell'],
): number {
  for (const problem of problems) shell.writeOut(problemLine(problem));
  shell.status('Verified', `static files of ${crates} crates`);
  if (repaired > 0) shell.status('Repaired', `${repaired} of them`);
  return problems.length - repaired;
}

/** Reports the cached archives of the upstream. Prints nothing if there are none. */
function reportMirrored(
  { archives, bytes, missing, damaged }: MirrorResult,
  { shell, areForgotten }: { readonly shell: Invocation['shell']; readonly areForgotten: boolean },
): void {
  if (archives === 0) return;
  for (const checksum of damaged) {
    shell.writeOut(
      areForgotten
        ? `${checksum} of the upstream: it was damaged, and will be downloaded again\n`
        : `${checksum} of the upstream: its .crate is damaged; \`--clean\` removes it, so that it is downloaded again\n`,
    );
  }
  const remark = missing === 0 ? '' : `; ${missing} are missing and will be downloaded again`;
  shell.status('Verified', `${archives} .crate files of the upstream, ${bytes} bytes${remark}`);
}
