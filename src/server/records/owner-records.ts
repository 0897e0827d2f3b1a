import type { OwnersChange, OwnerRecords } from '../store/owner-records.ts';
import type { Crate, OwnersOutcome, User } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { asCrate, CRATE_COLUMNS, findCrate, lockCrate, mayChange } from './crate-rows.ts';
import { total } from './row.ts';
import { all, change, one, type SqlDatabase, type Work } from './sql-work.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

const SELECT_OWNED = `SELECT ${CRATE_COLUMNS} FROM crates JOIN owners ON owners.crate_id = crates.id
  WHERE owners.user_id = ? ORDER BY canonical_name`;

/** Implements the record methods for owners of crates. */
export function ownerRecords(database: SqlDatabase): OwnerRecords {
  return {
    async listOwners(name) {
      return await database.readMoment(function* () {
        const crate = yield* findCrate(name);
        return crate === null ? null : yield* ownersOf(crate);
      });
    },
    async listOwnedCrates(userId) {
      return (await database.read(() => all(SELECT_OWNED, userId))).map(asCrate);
    },
    async listOwnedCratePage(userId, { limit, offset }) {
      return await database.readMoment(function* () {
        const rows = yield* all(`${SELECT_OWNED} LIMIT ? OFFSET ?`, userId, limit, offset);
        const count = yield* one('SELECT count(*) AS total FROM owners WHERE user_id = ?', userId);
        return { items: rows.map(asCrate), total: total(count) };
      });
    },
    async changeOwners(ownersChange) {
      return await database.write(function* (): Work<OwnersOutcome> {
        const crate = yield* lockCrate(ownersChange.crate);
        if (crate === null) return { kind: 'no-crate' };
        if (!(yield* mayChange(crate, ownersChange.actor.user))) return { kind: 'not-owner' };
        return yield* changeOwners(ownersChange, crate);
      });
    },
  };
}

/** Returns the owners in the order in which they were added. */
export function* ownersOf(crate: Crate): Work<readonly User[]> {
  const rows = yield* all(
    `SELECT ${USER_COLUMNS} FROM users JOIN owners ON owners.user_id = users.id
     WHERE owners.crate_id = ? ORDER BY owners.rowid`,
    crate.id,
  );
  return rows.map(asUser);
}

/** Adds or removes owners. Validates all logins before it changes anything. */
function* changeOwners({ action, logins, atMs, actor }: OwnersChange, crate: Crate): Work<OwnersOutcome> {
  const owners = new Map((yield* ownersOf(crate)).map((user) => [user.id, user]));
  const changed = new Map<number, User>();
  for (const login of logins) {
    const row = yield* one(`SELECT ${USER_COLUMNS} FROM users WHERE login_key = ?`, login.toLowerCase());
    if (row === null) return { kind: 'no-user', login };
    const user = asUser(row);
    const isOwner = owners.has(user.id);
    if (action === 'remove' && !isOwner) return { kind: 'not-an-owner', login };
    if (action === 'remove' || !isOwner) changed.set(user.id, user);
  }
  if (action === 'remove' && changed.size === owners.size && changed.size > 0) return { kind: 'last-owner' };
  for (const user of changed.values()) {
    if (action === 'add') yield* change('INSERT INTO owners VALUES (?, ?, ?)', crate.id, user.id, atMs);
    else yield* change('DELETE FROM owners WHERE crate_id = ? AND user_id = ?', crate.id, user.id);
    yield* insertAudit({
      atMs,
      actor: actor.user.login,
      tokenId: actor.token?.id ?? null,
      action: action === 'add' ? 'add-owner' : 'remove-owner',
      crate: crate.name,
      subject: user.login,
    });
  }
  return { kind: 'changed', crate: crate.name, changed: Array.from(changed.values(), ({ login }) => login) };
}
