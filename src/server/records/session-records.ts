import { randomBytes } from 'node:crypto';
import { present } from '../../core/errors/assert.ts';
import type { SessionRecords } from '../store/session-records.ts';
import type { Session } from '../store/values.ts';
import { bytes, integer } from './row.ts';
import { change, one, type SqlDatabase } from './sql-work.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

const SECRET_BYTES = 32;

/** Implements the record methods for sessions, and for the secrets that sign them. */
export function sessionRecords(database: SqlDatabase): SessionRecords {
  return {
    async createSession(idHash, { userId, createdAtMs, expiresAtMs }) {
      await database.write(function* () {
        yield* change('DELETE FROM sessions WHERE expires_at < ?', createdAtMs);
        yield* change('INSERT INTO sessions VALUES (?, ?, ?, ?)', idHash, userId, createdAtMs, expiresAtMs);
      });
    },
    async findSession(idHash) {
      const sql = `SELECT sessions.created_at AS began_at, sessions.expires_at, ${USER_COLUMNS}
        FROM sessions JOIN users ON users.id = sessions.user_id WHERE id_hash = ?`;
      const row = await database.read(() => one(sql, idHash));
      if (row === null) return null;
      const user = asUser(row);
      const session: Session = {
        userId: user.id,
        createdAtMs: integer(row, 'began_at'),
        expiresAtMs: integer(row, 'expires_at'),
      };
      return { ...session, user };
    },
    async deleteSession(idHash) {
      await database.write(() => change('DELETE FROM sessions WHERE id_hash = ?', idHash));
    },
    async secret(name) {
      const sql = 'SELECT value FROM secrets WHERE name = ?';
      let row = await database.read(() => one(sql, name));
      if (row === null) {
        // If two processes create the secret at once, both use the first one.
        const value = randomBytes(SECRET_BYTES);
        await database.write(() =>
          change('INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING', name, value),
        );
        row = await database.read(() => one(sql, name));
      }
      return bytes(present(row, 'a new secret'), 'value');
    },
  };
}
