import { present } from '../../core/errors/assert.ts';
import type { Actor, AuditAction, Claim, Publisher, TrustedOnlyOutcome } from '../store/values.ts';
import { describeClaims, isSamePublisher } from '../trusted/publishers.ts';
import { insertAudit } from './audit-records.ts';
import { lockCrate, mayChange } from './crate-rows.ts';
import { integer, text, textList, total } from './row.ts';
import { all, change, insert, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';
import { asUser, USER_COLUMNS } from './user-records.ts';
import type {
  NewPublisher,
  PublisherDeletion,
  PublisherRecords,
  TrustedOnlyChange,
} from '../store/publisher-records.ts';

/** Selects publishers for `asPublisher`. The caller appends a condition. */
export const SELECT_PUBLISHERS = `SELECT publishers.id AS publisher_id, publishers.issuer, publishers.claims,
  publishers.crate_patterns, publishers.created_at AS added_at, ${USER_COLUMNS}
  FROM publishers JOIN users ON users.id = publishers.user_id`;

/** Implements the record methods for trusted publishing. */
export function publisherRecords(database: SqlDatabase): PublisherRecords {
  return {
    async createPublisher(publisher) {
      return await database.write(function* () {
        yield* lockPublishers();
        return yield* insertPublisher(publisher);
      });
    },
    async listPublishers({ issuer } = {}) {
      const rows = await database.read(() =>
        issuer === undefined
          ? all(`${SELECT_PUBLISHERS} ORDER BY publishers.id`)
          : all(`${SELECT_PUBLISHERS} WHERE publishers.issuer = ? ORDER BY publishers.id`, issuer),
      );
      return rows.map(asPublisher);
    },
    async listPublisherPage({ limit, offset }) {
      return await database.readMoment(function* () {
        const rows = yield* all(
          `${SELECT_PUBLISHERS} ORDER BY publishers.id LIMIT ? OFFSET ?`,
          limit,
          offset,
        );
        const count = yield* one('SELECT count(*) AS total FROM publishers');
        return { items: rows.map(asPublisher), total: total(count) };
      });
    },
    async deletePublisher(deletion) {
      return await database.write(() => removePublisher(deletion));
    },
    async setTrustedOnly(trustedChange) {
      return await database.write(() => setTrustedOnly(trustedChange));
    },
    async useAssertion({ key, expiresAtMs, atMs }) {
      return await database.write(function* () {
        yield* change('DELETE FROM used_assertions WHERE expires_at < ?', atMs);
        const changes = yield* change(
          'INSERT INTO used_assertions VALUES (?, ?) ON CONFLICT DO NOTHING',
          key,
          expiresAtMs,
        );
        return changes > 0;
      });
    },
  };
}

/** Makes concurrent transactions wait, because each must see the publishers of the others. SQLite has one writer. */
export function* lockPublishers(): Work<void> {
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.publishers', 0))";
  yield* all({ sqlite: null, postgres: lock });
}

/**
 * Inserts a publisher, with an audit entry. Returns null if its user has the same one already. The caller must have
 * called `lockPublishers`.
 */
export function* insertPublisher(publisher: NewPublisher): Work<Publisher | null> {
  const { issuer, claims, cratePatterns, userId, atMs, actor } = publisher;
  const others = yield* all(
    `${SELECT_PUBLISHERS} WHERE publishers.issuer = ? AND publishers.user_id = ?`,
    issuer,
    userId,
  );
  if (others.some((other) => isSamePublisher(asPublisher(other), publisher))) return null;
  const id = yield* insert(
    'INSERT INTO publishers (issuer, claims, crate_patterns, user_id, created_at) VALUES (?, ?, ?, ?, ?)',
    issuer,
    JSON.stringify(claims.flatMap(({ name, value }) => [name, value])),
    JSON.stringify(cratePatterns),
    userId,
    atMs,
  );
  const inserted = present(yield* findPublisher(id), 'a new publisher');
  yield* audit({ action: 'add-publisher', publisher: inserted, atMs, actor });
  return inserted;
}

/** Deletes a publisher and revokes its tokens, with an audit entry. Returns null if it does not exist. */
export function* removePublisher({ id, atMs, actor }: PublisherDeletion): Work<Publisher | null> {
  const publisher = yield* findPublisher(id);
  if (publisher === null) return null;
  yield* change('DELETE FROM publishers WHERE id = ?', id);
  // A token may combine the rights of several publishers. Deleting any of them revokes it.
  yield* change(
    'UPDATE tokens SET revoked_at = ? WHERE issuer = ? AND user_id = ? AND revoked_at IS NULL AND expires_at > ?',
    atMs,
    publisher.issuer,
    publisher.user.id,
    atMs,
  );
  yield* audit({ action: 'remove-publisher', publisher, atMs, actor });
  return publisher;
}

/** Returns the publisher with this ID, or null. */
export function* findPublisher(id: number): Work<Publisher | null> {
  const row = yield* one(`${SELECT_PUBLISHERS} WHERE publishers.id = ?`, id);
  return row === null ? null : asPublisher(row);
}

/** Locks the crate. Without an actor, on the command line, checks no rights. */
function* setTrustedOnly({
  crate: name,
  isTrustedOnly,
  atMs,
  actor,
}: TrustedOnlyChange): Work<TrustedOnlyOutcome> {
  const crate = yield* lockCrate(name);
  if (crate === null) return { kind: 'no-crate' };
  if (actor !== null && !(yield* mayChange(crate, actor.user))) return { kind: 'not-owner' };
  if (crate.isTrustedOnly === isTrustedOnly) return { kind: 'unchanged', crate };
  yield* change('UPDATE crates SET is_trusted_only = ? WHERE id = ?', Number(isTrustedOnly), crate.id);
  yield* insertAudit({
    atMs,
    actor: actor?.user.login ?? null,
    tokenId: actor?.token?.id ?? null,
    action: 'change-crate',
    crate: crate.name,
    detail: isTrustedOnly ? 'trusted publishing only' : 'trusted publishing or tokens',
  });
  return { kind: 'changed', crate: { ...crate, isTrustedOnly } };
}

/** Adds the audit entry of a new or deleted publisher. */
function* audit({
  action,
  publisher,
  atMs,
  actor,
}: {
  readonly action: AuditAction;
  readonly publisher: Publisher;
  readonly atMs: number;
  readonly actor: Actor | null;
}): Work<void> {
  const { id, issuer, claims, cratePatterns, user } = publisher;
  yield* insertAudit({
    atMs,
    actor: actor?.user.login ?? null,
    tokenId: actor?.token?.id ?? null,
    action,
    subject: user.login,
    detail: `number ${id}: ${issuer} with ${describeClaims(claims)} for ${cratePatterns.join(' ')}`,
  });
}

/** Returns the publisher in a row of `SELECT_PUBLISHERS`. */
export function asPublisher(row: SqlRow): Publisher {
  return {
    id: integer(row, 'publisher_id'),
    issuer: text(row, 'issuer'),
    claims: asClaims(textList(row, 'claims')),
    cratePatterns: textList(row, 'crate_patterns'),
    user: asUser(row),
    createdAtMs: integer(row, 'added_at'),
  };
}

/** Decodes a list in which names and values alternate. */
function asClaims(texts: readonly string[]): readonly Claim[] {
  return texts.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: present(texts[index + 1], 'the value of a claim') }] : [],
  );
}
