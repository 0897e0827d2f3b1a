/** `serve user`: makes and changes users of a registry of one's own, also while it is served. */
import { type Command, isGiven, type Invocation, valueOf } from '../command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../flag.ts';
import { readSecret } from '../read-secret.ts';
import { START_PATIENCE_MS, STORE_FLAGS, STORE_HEEDS, storeLocation } from '../serve-flags.ts';

/** The command. */
export const SERVE_USER: Command = {
  name: 'user',
  about: 'Make a user, or change one',
  heeds: STORE_HEEDS,
  flags: [
    positionalFlag('login', 'LOGIN', { kind: 'value', isRequired: true, help: 'Who', refusesEmpty: true }),
    switchFlag('admin', 'Give all rights', { group: 'rights' }),
    switchFlag('no-admin', 'Take them back', { group: 'rights' }),
    switchFlag('password', 'Ask for a new password; read from stdin if that is no terminal'),
    switchFlag('disable', 'Refuse tokens, sessions and password of the user', { group: 'state' }),
    switchFlag('enable', 'Accept them again', { group: 'state' }),
    valueFlag('name', 'N', { help: 'What the user wants to be called' }),
    ...STORE_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const either = (yes: string, no: string): boolean | null =>
    isGiven(values, yes) ? true : isGiven(values, no) ? false : null;
  const login = valueOf(values, 'login') ?? '';
  const [{ openExistingStore }, { saveUser }] = await Promise.all([
    import('../../server/open-existing-store.ts'),
    import('../../server/save-user.ts'),
  ]);
  const password = isGiven(values, 'password') ? await readSecret(`password for \`${login}\``, shell) : null;
  const { records, close } = await openExistingStore(storeLocation(invocation), invocation.config.env, {
    patienceMs: START_PATIENCE_MS,
  });
  try {
    const isNew = await saveUser(
      { records, clock: { now: () => Date.now() } },
      {
        login,
        name: valueOf(values, 'name'),
        isAdmin: either('admin', 'no-admin'),
        isDisabled: either('disable', 'enable'),
        password,
      },
    );
    shell.status(isNew ? 'Made' : 'Changed', `user ${login}`);
  } finally {
    await close();
  }
}
