/** `serve token revoke`: revokes tokens of any user. A server may be running. */
import { type Command, type Invocation, valuesOf } from '../shared/command.ts';
import { positionalFlag } from '../shared/flag.ts';
import { STARTUP_TIMEOUT_MS, STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { withStore } from './with-store.ts';

/** The flags of `tsreg serve token revoke`, and its run. */
export const TOKEN_REVOKE: Command = {
  name: 'revoke',
  about: 'Revoke tokens of any user',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('id', 'ID', {
      kind: 'list',
      isRequired: true,
      refusesEmpty: true,
      help: 'ID of a token in the list',
    }),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { revokeTokens } = await import('../../server/admin/revoke-tokens.ts');
  await withStore(
    invocation,
    async ({ records }) => {
      const context = { records, clock: { now: () => Date.now() } };
      for await (const { user, token, isNew } of revokeTokens(context, valuesOf(values, 'id'))) {
        shell.status(
          isNew ? 'Revoked' : 'Unchanged',
          `token ${token.id} \`${token.name}\` of user ${user.login}`,
        );
      }
    },
    { startupTimeoutMs: STARTUP_TIMEOUT_MS },
  );
}
