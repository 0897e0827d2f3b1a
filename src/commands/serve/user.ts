/** `serve user`: creates and changes users of a private registry. A server may be running. */
import { type Command, type Invocation, isGiven, requiredValueOf, valueOf } from '../shared/command.ts';
import { type FlagValues, positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { readSecret } from '../../io/terminal/read-secret.ts';
import { STARTUP_TIMEOUT_MS, STORE_FLAGS, STORE_GLOBAL_FLAGS } from './store-flags.ts';
import { withStore } from './with-store.ts';

/** The flags of `tsreg serve user`, and its run. */
export const SERVE_USER: Command = {
  name: 'user',
  about: 'Create or change a user',
  supportedGlobalFlags: STORE_GLOBAL_FLAGS,
  flags: [
    positionalFlag('login', 'LOGIN', {
      kind: 'value',
      isRequired: true,
      help: 'Login of the user',
      refusesEmpty: true,
    }),
    switchFlag('admin', 'Make the user an admin', { group: 'rights' }),
    switchFlag('no-admin', 'Remove the admin rights', { group: 'rights' }),
    switchFlag('password', 'Set a password: ask for it, or read it from stdin'),
    switchFlag('disable', 'Disable the user: reject tokens, sessions and password', { group: 'state' }),
    switchFlag('enable', 'Enable the user again', { group: 'state' }),
    valueFlag('name', 'NAME', { help: 'Display name' }),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const login = requiredValueOf(values, 'login');
  const { saveUser } = await import('../../server/admin/save-user.ts');
  const password = isGiven(values, 'password') ? await readSecret(`password for \`${login}\``, shell) : null;
  await withStore(
    invocation,
    async ({ records }) => {
      const isNew = await saveUser(
        { records, clock: { now: () => Date.now() } },
        {
          login,
          name: valueOf(values, 'name'),
          isAdmin: choiceOf(values, { yes: 'admin', no: 'no-admin' }),
          isDisabled: choiceOf(values, { yes: 'disable', no: 'enable' }),
          password,
        },
      );
      shell.status(isNew ? 'Created' : 'Changed', `user ${login}`);
    },
    { startupTimeoutMs: STARTUP_TIMEOUT_MS },
  );
}

/** Returns the choice that one of two flags makes; null for no change. */
function choiceOf(
  values: FlagValues,
  { yes, no }: { readonly yes: string; readonly no: string },
): boolean | null {
  if (isGiven(values, yes)) return true;
  return isGiven(values, no) ? false : null;
}
