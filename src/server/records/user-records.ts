import type { UserRecords } from '../store/user-records.ts';
import type { User } from '../store/values.ts';
import { flag, integer, optionalText, text, total } from './row.ts';
import {
  all,
  change,
  insertIfAbsent,
  one,
  type SqlDatabase,
  type SqlRow,
  type SqlValue,
  type Work,
} from './sql-work.ts';

/** The columns of a user that `asUser` reads. */
export const USER_COLUMNS = `users.id, users.login, users.name, users.is_admin, users.is_disabled,
  CASE WHEN users.password_hash IS NULL THEN 0 ELSE 1 END AS has_password, users.created_at`;

/** Returns the user in a row with `USER_COLUMNS`. */
export function asUser(row: SqlRow): User {
  return {
    id: integer(row, 'id'),
    login: text(row, 'login'),
    name: optionalText(row, 'name'),
    isAdmin: flag(row, 'is_admin'),
    isDisabled: flag(row, 'is_disabled'),
    hasPassword: flag(row, 'has_password'),
    createdAtMs: integer(row, 'created_at'),
  };
}

function* findUserById(id: number): Work<User | null> {
  const row = yield* one(`SELECT ${USER_COLUMNS} FROM users WHERE id = ?`, id);
  return row === null ? null : asUser(row);
}

/** Implements the record methods for users. */
export function userRecords(database: SqlDatabase): UserRecords {
  return {
    async findUser(login) {
      const sql = `SELECT ${USER_COLUMNS} FROM users WHERE login_key = ?`;
      const row = await database.read(() => one(sql, login.toLowerCase()));
      return row === null ? null : asUser(row);
    },
    async findUserById(id) {
      return await database.read(() => findUserById(id));
    },
    async listUsers({ limit, offset }) {
      const sql = `SELECT ${USER_COLUMNS} FROM users ORDER BY login_key LIMIT ? OFFSET ?`;
      return await database.readMoment(function* () {
        const rows = yield* all(sql, limit, offset);
        return { items: rows.map(asUser), total: total(yield* one('SELECT count(*) AS total FROM users')) };
      });
    },
    async createUser({ login, name, isAdmin, atMs }) {
      return await database.write(function* () {
        const id = yield* insertIfAbsent(
          `INSERT INTO users (login, login_key, name, is_admin, is_disabled, created_at) VALUES (?, ?, ?, ?, 0, ?)
           ON CONFLICT (login_key) DO NOTHING`,
          login,
          login.toLowerCase(),
          name,
          Number(isAdmin),
          atMs,
        );
        return id === null ? null : yield* findUserById(id);
      });
    },
    async updateUser(id, changes) {
      const columns: readonly (readonly [string, SqlValue | undefined])[] = [
        ['name', changes.name],
        ['is_admin', changes.isAdmin === undefined ? undefined : Number(changes.isAdmin)],
        ['is_disabled', changes.isDisabled === undefined ? undefined : Number(changes.isDisabled)],
        ['password_hash', changes.passwordHash],
      ];
      await database.write(function* () {
        for (const [column, value] of columns) {
          if (value !== undefined) yield* change(`UPDATE users SET ${column} = ? WHERE id = ?`, value, id);
        }
        // A user who is enabled again must sign in again.
        if (changes.passwordHash !== undefined || changes.isDisabled === true) {
          yield* change('DELETE FROM sessions WHERE user_id = ?', id);
        }
      });
    },
    async findPasswordHash(userId) {
      const sql = 'SELECT password_hash FROM users WHERE id = ?';
      const row = await database.read(() => one(sql, userId));
      return row === null ? null : optionalText(row, 'password_hash');
    },
  };
}
