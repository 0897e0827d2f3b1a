import { present } from '../../core/errors/assert.ts';
import { TOKEN_SCOPES } from '../auth/tokens.ts';
import type { OwnedToken, TokenRecords, TokenRevocation } from '../store/token-records.ts';
import type { Token } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { integer, optionalInteger, optionalText, text, textList, total } from './row.ts';
import { all, change, insert, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';

/** The columns of a token that `asToken` reads. Their names differ from those in `USER_COLUMNS`, for joins. */
export const TOKEN_COLUMNS = `tokens.id AS token_id, tokens.user_id, tokens.name AS token_name, tokens.prefix, tokens.scopes,
  tokens.crate_patterns, tokens.created_at AS token_created_at, tokens.expires_at, tokens.revoked_at,
  tokens.last_used_at, tokens.issuer`;

/** Minimum time between two writes of a token's last use. */
const TOUCH_INTERVAL_MS = 60_000;
/** Time after which an expired token of trusted publishing is deleted. */
const KEEP_EXPIRED_MS = 24 * 60 * 60_000;

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

const SELECT_OWNED = `SELECT ${TOKEN_COLUMNS}, ${USER_COLUMNS} FROM tokens JOIN users ON users.id = tokens.user_id`;

function asOwnedToken(row: SqlRow): OwnedToken {
  return { user: asUser(row), token: asToken(row) };
}

function* findToken(tokenId: number): Work<OwnedToken | null> {
  const row = yield* one(`${SELECT_OWNED} WHERE tokens.id = ?`, tokenId);
  return row === null ? null : asOwnedToken(row);
}

function* revokeToken({ userId, tokenId, atMs, audit }: TokenRevocation): Work<boolean> {
  const sql = 'UPDATE tokens SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL';
  if ((yield* change(sql, atMs, tokenId, userId)) === 0) return false;
  if (audit === undefined) return true;
  const { user, token } = present(yield* findToken(tokenId), 'a revoked token');
  yield* insertAudit({
    atMs,
    actor: audit.actor?.user.login ?? null,
    action: 'revoke-token',
    tokenId,
    subject: user.login,
    detail: token.name,
  });
  return true;
}

/** Implements the record methods for tokens. */
export function tokenRecords(database: SqlDatabase): TokenRecords {
  return {
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
        return asToken(present(row, 'a new token'));
      });
    },
    async findTokenByHash(hash) {
      const row = await database.read(() => one(`${SELECT_OWNED} WHERE hash = ?`, hash));
      return row === null ? null : asOwnedToken(row);
    },
    async listTokens(userId) {
      const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE user_id = ? ORDER BY id`;
      return (await database.read(() => all(sql, userId))).map(asToken);
    },
    async listTokenPage(userId, { limit, offset }) {
      const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`;
      return await database.readMoment(function* () {
        const rows = yield* all(sql, userId, limit, offset);
        const count = yield* one('SELECT count(*) AS total FROM tokens WHERE user_id = ?', userId);
        return { items: rows.map(asToken), total: total(count) };
      });
    },
    async findToken(tokenId) {
      return await database.read(() => findToken(tokenId));
    },
    async revokeToken(revocation) {
      return await database.write(() => revokeToken(revocation));
    },
    async touchToken(tokenId, atMs) {
      const lastUsed = 'SELECT last_used_at FROM tokens WHERE id = ?';
      const row = await database.read(() => one(lastUsed, tokenId));
      if (row === null || (optionalInteger(row, 'last_used_at') ?? 0) > atMs - TOUCH_INTERVAL_MS) return;
      const sql = 'UPDATE tokens SET last_used_at = ? WHERE id = ?';
      await database.writeUnsynced(() => change(sql, atMs, tokenId));
    },
  };
}
