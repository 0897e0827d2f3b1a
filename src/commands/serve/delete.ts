/** `serve delete`: permanently deletes a crate, or a version of one, from a private registry. */
import { TsregError } from '../../core/errors/error.ts';
import { type Command, type Invocation, isGiven, requiredValueOf, valueOf } from '../shared/command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { withStore } from './with-store.ts';

/** The flags of `tsreg serve delete`, and its run. */
export const SERVE_DELETE: Command = {
  name: 'delete',
  about: 'Delete a crate or a version permanently',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('crate', 'CRATE[@VERSION]', {
      kind: 'value',
      isRequired: true,
      refusesEmpty: true,
      help: 'Crate or version to delete',
    }),
    switchFlag('yes', 'Confirm the deletion; it cannot be undone'),
    valueFlag('reason', 'TEXT', { help: 'Reason to record in the audit trail' }),
    switchFlag('allow-reuse', 'Allow the deleted versions to be published again'),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const spec = requiredValueOf(values, 'crate');
  const separator = spec.indexOf('@');
  const [crate, version] =
    separator === -1 ? [spec, null] : [spec.slice(0, separator), spec.slice(separator + 1)];
  const subject = version === null ? `crate \`${crate}\`` : `version ${version} of crate \`${crate}\``;
  if (!isGiven(values, 'yes')) {
    throw new TsregError(`${subject} would be deleted permanently: pass \`--yes\` to confirm`, {
      code: 'usage',
    });
  }
  const { deletePermanently } = await import('../../server/admin/delete-permanently.ts');
  await withStore(invocation, async ({ records, blobs }) => {
    const outcome = await deletePermanently(
      { records, blobs, clock: { now: () => Date.now() } },
      {
        crate,
        version,
        actor: null,
        reason: valueOf(values, 'reason') ?? '',
        mayReuseVersions: isGiven(values, 'allow-reuse'),
      },
    );
    if (outcome.kind !== 'deleted') throw new TsregError(`there is no ${subject}`, { code: 'not-found' });
    shell.status('Deleted', subject);
  });
}
