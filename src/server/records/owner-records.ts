import type { Records } from '../store.ts';
import type { OwnersChange } from '../store.ts';
import type { Crate, OwnersOutcome, User } from '../store-values.ts';
import { insertAudit } from './audit-records.ts';
import { asCrate, CRATE_COLUMNS, findCrate, mayChange } from './crate-rows.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

/** Owners of crates. */
export function ownerRecords(
  database: SqliteDatabase,
): Pick<Records, 'listOwners' | 'listOwnedCrates' | 'changeOwners'> {
  return {
    async listOwners(name) {
      const crate = findCrate(database, name);
      return crate === null ? null : ownersOf(database, crate);
    },
    async listOwnedCrates(userId) {
      return database
        .all(
          `SELECT ${CRATE_COLUMNS} FROM crates JOIN owners ON owners.crate_id = crates.id
           WHERE owners.user_id = ? ORDER BY canonical_name`,
          userId,
        )
        .map(asCrate);
    },
    async changeOwners(change) {
      return await database.write(() => {
        const crate = findCrate(database, change.crate);
        if (crate === null) return { kind: 'no-crate' };
        if (!mayChange(database, crate, change.actor.user)) return { kind: 'not-owner' };
        return changeOwners(database, change, crate);
      });
    },
  };
}

function ownersOf(database: SqliteDatabase, crate: Crate): readonly User[] {
  return database
    .all(
      `SELECT ${USER_COLUMNS} FROM users JOIN owners ON owners.user_id = users.id
       WHERE owners.crate_id = ? ORDER BY owners.rowid`,
      crate.id,
    )
    .map(asUser);
}

/** Looks at everything before it changes anything. */
function changeOwners(
  database: SqliteDatabase,
  { action, logins, atMs, actor }: OwnersChange,
  crate: Crate,
): OwnersOutcome {
  const owners = new Map(ownersOf(database, crate).map((user) => [user.id, user]));
  const changed = new Map<number, User>();
  for (const login of logins) {
    const row = database.get(`SELECT ${USER_COLUMNS} FROM users WHERE login_key = ?`, login.toLowerCase());
    if (row === null) return { kind: 'no-user', login };
    const user = asUser(row);
    const isOwner = owners.has(user.id);
    if (action === 'remove' && !isOwner) return { kind: 'not-an-owner', login };
    if (action === 'remove' || !isOwner) changed.set(user.id, user);
  }
  if (action === 'remove' && changed.size === owners.size && changed.size > 0) return { kind: 'last-owner' };
  for (const user of changed.values()) {
    if (action === 'add') database.run('INSERT INTO owners VALUES (?, ?, ?)', crate.id, user.id, atMs);
    else database.run('DELETE FROM owners WHERE crate_id = ? AND user_id = ?', crate.id, user.id);
    insertAudit(database, {
      atMs,
      actor: actor.user.login,
      tokenId: actor.token?.id ?? null,
      action: action === 'add' ? 'add-owner' : 'remove-owner',
      crate: crate.name,
      version: null,
      subject: user.login,
      detail: null,
    });
  }
  return { kind: 'changed', crate: crate.name, changed: Array.from(changed.values(), ({ login }) => login) };
}
