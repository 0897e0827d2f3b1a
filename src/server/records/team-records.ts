import { teamLogin } from '../store/team-login.ts';
import type {
  MembersChange,
  MembersOutcome,
  NewTeam,
  NewTeamOutcome,
  TeamDeletion,
  TeamDeletionOutcome,
  TeamRecords,
} from '../store/team-records.ts';
import type { NewAuditEntry, Team, User } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { integer, text, total } from './row.ts';
import { all, change, insertIfAbsent, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

/** Maximum number of teams, and of members of one. */
const MAX_TEAMS = 1000;
const MAX_MEMBERS = 500;

/** The columns of a team that `asTeam` reads. */
export const TEAM_COLUMNS = 'teams.id, teams.name, teams.created_at';

const SELECT_TEAM = `SELECT ${TEAM_COLUMNS} FROM teams WHERE name_key = ?`;
const CRATE_COUNT = '(SELECT count(*) FROM team_owners WHERE team_id = teams.id)';
const MEMBER_COUNT = '(SELECT count(*) FROM team_members WHERE team_id = teams.id)';

/** Returns the team in a row with `TEAM_COLUMNS`. */
export function asTeam(row: SqlRow): Team {
  return { id: integer(row, 'id'), name: text(row, 'name'), createdAtMs: integer(row, 'created_at') };
}

/** Returns the team with this name, or null. It cannot be deleted before the end of the transaction. */
export function* shareTeam(name: string): Work<Team | null> {
  return yield* findTeam(name, 'FOR SHARE');
}

/** Returns the team with this name, or null. `lock` makes other transactions of PostgreSQL wait. */
function* findTeam(name: string, lock: 'FOR SHARE' | 'FOR UPDATE'): Work<Team | null> {
  const sql = { sqlite: SELECT_TEAM, postgres: `${SELECT_TEAM} ${lock}` };
  const row = yield* one(sql, name.toLowerCase());
  return row === null ? null : asTeam(row);
}

/** Implements the record methods for teams. */
export function teamRecords(database: SqlDatabase): TeamRecords {
  return {
    async listTeams({ limit, offset }) {
      const sql = `SELECT ${TEAM_COLUMNS}, ${MEMBER_COUNT} AS members, ${CRATE_COUNT} AS crates
        FROM teams ORDER BY name_key LIMIT ? OFFSET ?`;
      return await database.readMoment(function* () {
        const rows = yield* all(sql, limit, offset);
        const items = rows.map((row) => ({
          ...asTeam(row),
          memberCount: integer(row, 'members'),
          crateCount: integer(row, 'crates'),
        }));
        return { items, total: yield* countTeams() };
      });
    },
    async findTeam(name) {
      const sql = `SELECT ${TEAM_COLUMNS}, ${CRATE_COUNT} AS crates FROM teams WHERE name_key = ?`;
      return await database.readMoment(function* () {
        const row = yield* one(sql, name.toLowerCase());
        if (row === null) return null;
        const team = asTeam(row);
        return { ...team, members: yield* membersOf(team), crateCount: integer(row, 'crates') };
      });
    },
    async listTeamsOf(userId) {
      const sql = `SELECT ${TEAM_COLUMNS} FROM teams JOIN team_members ON team_members.team_id = teams.id
        WHERE team_members.user_id = ? ORDER BY teams.name_key`;
      return (await database.read(() => all(sql, userId))).map(asTeam);
    },
    async createTeam(team) {
      return await database.write(() => createTeam(team));
    },
    async changeMembers(membersChange) {
      return await database.write(function* (): Work<MembersOutcome> {
        const team = yield* findTeam(membersChange.team, 'FOR UPDATE');
        return team === null ? { kind: 'no-team' } : yield* changeMembers(membersChange, team);
      });
    },
    async deleteTeam(deletion) {
      return await database.write(() => deleteTeam(deletion));
    },
  };
}

function* countTeams(): Work<number> {
  return total(yield* one('SELECT count(*) AS total FROM teams'));
}

/** Returns the members of a team by login. */
function* membersOf(team: Team): Work<readonly User[]> {
  const rows = yield* all(
    `SELECT ${USER_COLUMNS} FROM users JOIN team_members ON team_members.user_id = users.id
     WHERE team_members.team_id = ? ORDER BY users.login_key`,
    team.id,
  );
  return rows.map(asUser);
}

function* createTeam({ name, atMs, actor }: NewTeam): Work<NewTeamOutcome> {
  if ((yield* countTeams()) >= MAX_TEAMS) return { kind: 'too-many', max: MAX_TEAMS };
  const id = yield* insertIfAbsent(
    'INSERT INTO teams (name, name_key, created_at) VALUES (?, ?, ?) ON CONFLICT (name_key) DO NOTHING',
    name,
    name.toLowerCase(),
    atMs,
  );
  if (id === null) return { kind: 'taken' };
  yield* audit({ atMs, actor }, { action: 'make-team', subject: teamLogin(name) });
  return { kind: 'created', team: { id, name, createdAtMs: atMs } };
}

/** Adds or removes members. Validates all logins before it changes anything. */
function* changeMembers(membersChange: MembersChange, team: Team): Work<MembersOutcome> {
  const { action, logins, atMs } = membersChange;
  const members = new Set((yield* membersOf(team)).map(({ id }) => id));
  const changed = new Map<number, User>();
  for (const login of logins) {
    const row = yield* one(`SELECT ${USER_COLUMNS} FROM users WHERE login_key = ?`, login.toLowerCase());
    if (row === null) return { kind: 'no-user', login };
    const user = asUser(row);
    const isMember = members.has(user.id);
    if (action === 'remove' && !isMember) return { kind: 'not-a-member', login };
    if (action === 'remove' || !isMember) changed.set(user.id, user);
  }
  if (action === 'add' && members.size + changed.size > MAX_MEMBERS)
    return { kind: 'too-many', max: MAX_MEMBERS };
  for (const { id, login } of changed.values()) {
    if (action === 'add') yield* change('INSERT INTO team_members VALUES (?, ?, ?)', team.id, id, atMs);
    else yield* change('DELETE FROM team_members WHERE team_id = ? AND user_id = ?', team.id, id);
    const detail = teamLogin(team.name);
    yield* audit(membersChange, { action: `${action}-member`, subject: login, detail });
  }
  return { kind: 'changed', team: team.name, changed: Array.from(changed.values(), ({ login }) => login) };
}

/** Deletes a team with its memberships and ownerships. Refuses if it owns crates, unless `mayOwnCrates`. */
function* deleteTeam(deletion: TeamDeletion): Work<TeamDeletionOutcome> {
  const team = yield* findTeam(deletion.name, 'FOR UPDATE');
  if (team === null) return { kind: 'no-team' };
  const crates = yield* all(
    `SELECT crates.name FROM crates JOIN team_owners ON team_owners.crate_id = crates.id
     WHERE team_owners.team_id = ? ORDER BY crates.canonical_name`,
    team.id,
  );
  if (crates.length > 0 && !deletion.mayOwnCrates) return { kind: 'owns-crates' };
  const subject = teamLogin(team.name);
  for (const row of crates) {
    yield* audit(deletion, { action: 'remove-owner', subject, crate: text(row, 'name') });
  }
  for (const table of ['team_owners', 'team_members']) {
    yield* change(`DELETE FROM ${table} WHERE team_id = ?`, team.id);
  }
  yield* change('DELETE FROM teams WHERE id = ?', team.id);
  yield* audit(deletion, { action: 'delete-team', subject });
  return { kind: 'deleted' };
}

/** Adds the audit entry of a change. */
function* audit(
  { atMs, actor }: Pick<NewTeam, 'atMs' | 'actor'>,
  entry: Pick<NewAuditEntry, 'action' | 'subject' | 'crate' | 'detail'>,
): Work<void> {
  const tokenId = actor?.token?.id ?? null;
  yield* insertAudit({ ...entry, atMs, actor: actor?.user.login ?? null, tokenId });
}
