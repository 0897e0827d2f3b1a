import type { OwnersChange, OwnerRecords } from '../store/owner-records.ts';
import { teamLogin, teamNameOf } from '../store/team-login.ts';
import type { Crate, OwnersOutcome, Team, User } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { asCrate, CRATE_COLUMNS, findCrate, lockCrate, mayChange, rightsTo } from './crate-rows.ts';
import { total } from './row.ts';
import { all, change, one, type SqlDatabase, type Work } from './sql-work.ts';
import { asTeam, shareTeam, TEAM_COLUMNS } from './team-records.ts';
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
    async listOwnerTeams(name) {
      return await database.readMoment(function* () {
        const crate = yield* findCrate(name);
        return crate === null ? null : yield* ownerTeamsOf(crate);
      });
    },
    async findCrateRights(name, user) {
      return await database.readMoment(function* () {
        const crate = yield* findCrate(name);
        return crate === null ? 'none' : yield* rightsTo(crate, user);
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

/** Returns the owners that are users in the order in which they were added. */
export function* ownersOf(crate: Crate): Work<readonly User[]> {
  const rows = yield* all(
    `SELECT ${USER_COLUMNS} FROM users JOIN owners ON owners.user_id = users.id
     WHERE owners.crate_id = ? ORDER BY owners.rowid`,
    crate.id,
  );
  return rows.map(asUser);
}

/** Returns the teams that own a crate, by name. */
function* ownerTeamsOf(crate: Crate): Work<readonly Team[]> {
  const rows = yield* all(
    `SELECT ${TEAM_COLUMNS} FROM teams JOIN team_owners ON team_owners.team_id = teams.id
     WHERE team_owners.crate_id = ? ORDER BY teams.name_key`,
    crate.id,
  );
  return rows.map(asTeam);
}

/** A user or team that is an owner of a crate, or may become one. */
interface Owner {
  readonly kind: 'user' | 'team';
  readonly id: number;
  readonly login: string;
}

/** Returns the identity of an owner. A login is not enough: a new team can get the name of a deleted one. */
function keyOf({ kind, id }: Pick<Owner, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

const CHANGES: Readonly<Record<Owner['kind'], { readonly add: string; readonly remove: string }>> = {
  user: {
    add: 'INSERT INTO owners (crate_id, user_id, added_at) VALUES (?, ?, ?)',
    remove: 'DELETE FROM owners WHERE crate_id = ? AND user_id = ?',
  },
  team: {
    add: 'INSERT INTO team_owners (crate_id, team_id, added_at) VALUES (?, ?, ?)',
    remove: 'DELETE FROM team_owners WHERE crate_id = ? AND team_id = ?',
  },
};

/** Adds or removes owners. Validates all logins before it changes anything. */
function* changeOwners({ action, logins, atMs, actor }: OwnersChange, crate: Crate): Work<OwnersOutcome> {
  const users = yield* ownersOf(crate);
  const teams = yield* ownerTeamsOf(crate);
  const owners = new Set([
    ...users.map(({ id }) => keyOf({ kind: 'user', id })),
    ...teams.map(({ id }) => keyOf({ kind: 'team', id })),
  ]);
  const changed = new Map<string, Owner>();
  for (const login of logins) {
    const owner = yield* findOwner(login);
    if (owner === null) return { kind: teamNameOf(login) === null ? 'no-user' : 'no-team', login };
    const isOwner = owners.has(keyOf(owner));
    if (action === 'remove' && !isOwner) return { kind: 'not-an-owner', login };
    if (action === 'remove' || !isOwner) changed.set(owner.login, owner);
  }
  const changedUsers = [...changed.values()].filter(({ kind }) => kind === 'user').length;
  if (action === 'remove' && changedUsers === users.length) return { kind: 'last-owner' };
  for (const { kind, id, login } of changed.values()) {
    if (action === 'add') yield* change(CHANGES[kind].add, crate.id, id, atMs);
    else yield* change(CHANGES[kind].remove, crate.id, id);
    yield* insertAudit({
      atMs,
      actor: actor.user.login,
      tokenId: actor.token?.id ?? null,
      action: action === 'add' ? 'add-owner' : 'remove-owner',
      crate: crate.name,
      subject: login,
    });
  }
  return { kind: 'changed', crate: crate.name, changed: [...changed.keys()] };
}

/** Returns the user or team with this login, or null. A team cannot be deleted before the end of the transaction. */
function* findOwner(login: string): Work<Owner | null> {
  const teamName = teamNameOf(login);
  if (teamName !== null) {
    const team = yield* shareTeam(teamName);
    return team === null ? null : { kind: 'team', id: team.id, login: teamLogin(team.name) };
  }
  const row = yield* one(`SELECT ${USER_COLUMNS} FROM users WHERE login_key = ?`, login.toLowerCase());
  if (row === null) return null;
  const user = asUser(row);
  return { kind: 'user', id: user.id, login: user.login };
}
