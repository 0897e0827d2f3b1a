/**
 * Checks rights again in the transaction that uses them. A request may run for minutes after its token or session was
 * checked, and rights that were revoked meanwhile must not count.
 */
import { TsregError } from '../../core/errors/error.ts';
import type { Clock } from '../shared/clock.ts';
import type { Actor, Credential, Token } from '../store/values.ts';
import { one, type SqlDatabase, type SqlRow, type SqlValue, type Work } from './sql-work.ts';
import { asToken, TOKEN_COLUMNS } from './token-records.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

/** The error of a change whose actor lost a right during the request. Nothing was changed. */
export class NoLongerAllowed extends TsregError {
  constructor() {
    super(
      'no longer allowed: the token was revoked or expired, or the user was disabled or lost rights, during the request',
      { code: 'auth' },
    );
  }
}

/**
 * Returns a database for changes by `actor`. `write` throws `NoLongerAllowed` if the actor has lost a right.
 * `writeUnsynced` does not check, so changes that need a right must use `write`.
 */
export function authorizedDatabase(database: SqlDatabase, actor: Actor, clock: Clock): SqlDatabase {
  return {
    ...database,
    write: (work) =>
      database.write(function* () {
        if (!(yield* hasKeptRights(actor, clock.now()))) throw new NoLongerAllowed();
        return yield* work();
      }),
  };
}

/** Returns true if the actor still has all rights that it had when it was read. */
function* hasKeptRights({ user, token, credential }: Actor, nowMs: number): Work<boolean> {
  const row = yield* findAndLock(
    `SELECT ${USER_COLUMNS}, users.password_hash FROM users WHERE id = ?`,
    user.id,
  );
  if (row === null) return false;
  const { isAdmin, isDisabled } = asUser(row);
  if (isDisabled || (user.isAdmin && !isAdmin)) return false;
  if (token !== null && !(yield* hasKeptToken(token, nowMs))) return false;
  return credential === undefined || (yield* hasKeptCredential(credential, { userRow: row, nowMs }));
}

/** Returns true if the token is valid, has all scopes that it had, and has the same patterns. */
function* hasKeptToken(token: Token, nowMs: number): Work<boolean> {
  const row = yield* findAndLock(`SELECT ${TOKEN_COLUMNS} FROM tokens WHERE id = ?`, token.id);
  if (row === null) return false;
  const { revokedAtMs, expiresAtMs, scopes, cratePatterns } = asToken(row);
  return (
    revokedAtMs === null &&
    (expiresAtMs === null || nowMs < expiresAtMs) &&
    token.scopes.every((scope) => scopes.includes(scope)) &&
    cratePatterns.join(' ') === token.cratePatterns.join(' ')
  );
}

/** Returns true if the session, the password or all publishers still exist. */
function* hasKeptCredential(
  credential: Credential,
  { userRow, nowMs }: { readonly userRow: SqlRow; readonly nowMs: number },
): Work<boolean> {
  switch (credential.kind) {
    case 'password':
      return userRow['password_hash'] === credential.hash;
    case 'session': {
      const sql = 'SELECT 1 AS found FROM sessions WHERE id_hash = ? AND expires_at > ?';
      return (yield* findAndLock(sql, credential.idHash, nowMs)) !== null;
    }
    case 'publishers':
      for (const id of credential.ids) {
        if ((yield* findAndLock('SELECT 1 AS found FROM publishers WHERE id = ?', id)) === null) return false;
      }
      return true;
  }
}

/** Returns the first row and locks it until the end of the transaction, so that a revocation waits. */
function* findAndLock(sql: string, ...values: readonly SqlValue[]): Work<SqlRow | null> {
  return yield* one({ sqlite: sql, postgres: `${sql} FOR SHARE` }, ...values);
}
