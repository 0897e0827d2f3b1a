import { randomBytes } from 'node:crypto';
import { TsregError } from '../../core/errors/error.ts';
import type { Actor, Session, Token, User } from '../store/values.ts';
import { TOKEN_SCOPES } from '../auth/tokens.ts';
import { bytes, flag, integer, optionalInteger, optionalText, text, textList, total } from './row.ts';
import {
  all,
  change,
  insert,
  insertIfAbsent,
  one,
  type SqlDatabase,
  type SqlRow,
  type SqlValue,
  type Work,
} from './sql-work.ts';
import type { UserRecords } from '../store/user-records.ts';
import type { TokenRecords } from '../store/token-records.ts';
import type { SessionRecords } from '../store/session-records.ts';

/** The columns of a user that `asUser` reads. */
export const USER_COLUMNS = `users.id, users.login, users.name, users.is_admin, users.is_disabled,
  CASE WHEN users.password_hash IS NULL THEN 0 ELSE 1 END AS has_password, users.created_at`;

/** The columns of a token that `asToken` reads. */
export const TOKEN_COLUMNS = `tokens.id AS token_id, tokens.user_id, tokens.name AS token_name, tokens.prefix, tokens.scopes,
  tokens.crate_patterns, tokens.created_at AS token_created_at, tokens.expires_at, tokens.revoked_at,
  tokens.last_used_at, tokens.issuer`;

const TOUCH_INTERVAL_MS = 60_000;
const SECRET_BYTES = 32;
/** How long an expired token of trusted publishing is kept. */
const KEEP_EXPIRED_MS = 24 * 60 * 60_000;

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

/** Returns the token in a row with `TOKEN_COLUMNS`. */
export function asToken(row: SqlRow): Token {
  const scopes = textList(row, 'scopes');
  return {
    id: integer(row, 'token_id'),
    userId: integer(row, 'user_id'),
    name: text(row, 'token_name'),
    prefix: text(row, 'prefix'),
    scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
    cratePatterns: textList(row, 'crate_patterns'),
    createdAtMs: integer(row, 'token_created_at'),
    expiresAtMs: optionalInteger(row, 'expires_at'),
    revokedAtMs: optionalInteger(row, 'revoked_at'),
    lastUsedAtMs: optionalInteger(row, 'last_used_at'),
    issuer: optionalText(row, 'issuer'),
  };
}

function* findUserById(id: number): Work<User | null> {
  const row = yield* one(`SELECT ${USER_COLUMNS} FROM users WHERE id = ?`, id);
  return row === null ? null : asUser(row);
}

type UserMethods = UserRecords &
  TokenRecords &
  Omit<SessionRecords, 'takeSignInAttempt' | 'giveBackSignInAttempt'>;

/** Implements the record methods for users, tokens, sessions and secrets. */
export function userRecords(database: SqlDatabase): UserMethods {
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
    async createToken(token) {
      return await database.write(function* () {
        if (token.issuer !== undefined) {
          const sql = 'DELETE FROM tokens WHERE issuer IS NOT NULL AND expires_at < ?';
          yield* change(sql, token.createdAtMs - KEEP_EXPIRED_MS);
        }
        const id = yield* insert(
          `INSERT INTO tokens (user_id, name, hash, prefix, scopes, crate_patterns, created_at, expires_at, issuer)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          token.userId,
          token.name,
          token.hash,
          token.prefix,
          JSON.stringify(token.scopes),
          JSON.stringify(token.cratePatterns),
          token.createdAtMs,
          token.expiresAtMs,
          token.issuer ?? null,
        );
        const row = yield* one(`SELECT ${TOKEN_COLUMNS} FROM tokens WHERE id = ?`, id);
        if (row === null) throw new TsregError('a new token is not there', { code: 'bug' });
        return asToken(row);
      });
    },
    async findTokenByHash(hash) {
      const sql = `SELECT ${TOKEN_COLUMNS}, ${USER_COLUMNS} FROM tokens
        JOIN users ON users.id = tokens.user_id WHERE hash = ?`;
      const row = await database.read(() => one(sql, hash));
      return row === null ? null : ({ user: asUser(row), token: asToken(row) } satisfies Actor);
    },
    async listTokens(userId) {
      const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE user_id = ? ORDER BY id`;
      return (await database.read(() => all(sql, userId))).map(asToken);
    },
    async revokeToken({ userId, tokenId, atMs }) {
      const sql = 'UPDATE tokens SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL';
      return (await database.write(() => change(sql, atMs, tokenId, userId))) > 0;
    },
    async touchToken(tokenId, atMs) {
      const lastUsed = 'SELECT last_used_at FROM tokens WHERE id = ?';
      const row = await database.read(() => one(lastUsed, tokenId));
      if (row === null || (optionalInteger(row, 'last_used_at') ?? 0) > atMs - TOUCH_INTERVAL_MS) return;
      const sql = 'UPDATE tokens SET last_used_at = ? WHERE id = ?';
      await database.note(() => change(sql, atMs, tokenId));
    },
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
      if (row === null) throw new TsregError('a new secret is not there', { code: 'bug' });
      return bytes(row, 'value');
    },
  };
}
