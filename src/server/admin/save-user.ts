/** Creates and changes users from the command line. */
import { TsregError } from '../../core/errors/error.ts';
import { findOrCreateUser } from './make-token.ts';
import { findPasswordProblem, hashPassword } from '../auth/passwords.ts';
import type { ChangeContext } from '../server-context.ts';

/** The user to create or change; null leaves a value unchanged. */
export interface UserRequest {
  readonly login: string;
  readonly name: string | null;
  readonly isAdmin: boolean | null;
  readonly isDisabled: boolean | null;
  readonly password: string | null;
}

/**
 * Creates or changes a user. Disabling a user and setting a password end all sessions. Returns true if the user is new.
 * Throws `usage` for an invalid login or password.
 */
export async function saveUser(
  { records, clock }: ChangeContext,
  { login, name, isAdmin, isDisabled, password }: UserRequest,
): Promise<boolean> {
  const problem = password === null ? null : findPasswordProblem(password);
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const isNew = (await records.findUser(login)) === null;
  const user = await findOrCreateUser({ records, clock }, login);
  const changes = {
    ...(name === null ? {} : { name }),
    ...(isAdmin === null ? {} : { isAdmin }),
    ...(isDisabled === null ? {} : { isDisabled }),
    ...(password === null ? {} : { passwordHash: await hashPassword(password) }),
  };
  if (Object.keys(changes).length === 0) return isNew;
  await records.updateUser(user.id, changes);
  const audited = { isAdmin, isDisabled, name, password: password === null ? null : 'set' };
  const detail = Object.entries(audited)
    .filter(([, value]) => value !== null)
    .map(([property, value]) => `${property}: ${value}`)
    .join(', ');
  await records.addAudit({
    atMs: clock.now(),
    actor: null,
    action: 'change-user',
    subject: user.login,
    detail,
  });
  return isNew;
}
