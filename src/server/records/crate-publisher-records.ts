import { present } from '../../core/errors/assert.ts';
import { isForCrate } from '../auth/tokens.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { Crate } from '../store/values.ts';
import type {
  CratePublisherDeletion,
  CratePublisherDeletionOutcome,
  CratePublisherRecords,
  NewCratePublisher,
  NewCratePublisherOutcome,
} from '../store/crate-publisher-records.ts';
import { isOnlyFor, mayMatchSameJob } from '../trusted/publishers.ts';
import { findCrate, lockCrate, mayChange } from './crate-rows.ts';
import { ownersOf } from './owner-records.ts';
import {
  asPublisher,
  findPublisher,
  insertPublisher,
  lockPublishers,
  removePublisher,
  SELECT_PUBLISHERS,
} from './publisher-records.ts';
import { integer, text } from './row.ts';
import { all, type SqlDatabase, type Work } from './sql-work.ts';

/** Maximum number of publishers that are only for one crate. */
const MAX_PUBLISHERS = 20;
/** Maximum number of publishers that are read to find those of a crate. */
const MAX_READ = 1000;
/** Maximum number of issuers in a list. */
const MAX_ISSUERS = 50;

/**
 * Selects publishers with a pattern that is the name of a crate, and all with a prefix as their pattern. The value is
 * `%"NAME"%`; the `_` of the canonical name also matches the `-` of a pattern.
 */
const SELECT_CANDIDATES = `${SELECT_PUBLISHERS} WHERE lower(publishers.crate_patterns) LIKE ?
  OR publishers.crate_patterns LIKE '%*"%' ORDER BY publishers.id LIMIT ${MAX_READ}`;

/** Implements the record methods for the trusted publishers of single crates. */
export function cratePublisherRecords(database: SqlDatabase): CratePublisherRecords {
  return {
    async listCratePublishers(name) {
      return await database.readMoment(function* () {
        const crate = yield* findCrate(name);
        if (crate === null) return [];
        const userIds = yield* publishingUsers(crate);
        const rows = yield* all(SELECT_CANDIDATES, `%"${canonicalName(name)}"%`);
        return rows
          .map(asPublisher)
          .filter(
            (publisher) =>
              isForCrate(publisher, name) &&
              (isOnlyFor(publisher, name) || publisher.user.isAdmin || userIds.has(publisher.user.id)),
          );
      });
    },
    async listIssuers() {
      const sql = `SELECT DISTINCT issuer FROM publishers ORDER BY issuer LIMIT ${MAX_ISSUERS}`;
      return (await database.read(() => all(sql))).map((row) => text(row, 'issuer'));
    },
    async createCratePublisher(publisher) {
      return await database.write(() => createPublisher(publisher));
    },
    async deleteCratePublisher(deletion) {
      return await database.write(() => deletePublisher(deletion));
    },
  };
}

/** Returns the IDs of the users who own a crate or belong to a team that does. */
function* publishingUsers(crate: Crate): Work<ReadonlySet<number>> {
  const rows = yield* all(
    `SELECT user_id FROM owners WHERE crate_id = ?1 UNION SELECT user_id FROM team_members
     JOIN team_owners ON team_owners.team_id = team_members.team_id WHERE team_owners.crate_id = ?1`,
    crate.id,
  );
  return new Set(rows.map((row) => integer(row, 'user_id')));
}

/** Creates a publisher for one crate. Locks the crate, then the publishers, to see those of other transactions. */
function* createPublisher({
  issuer,
  claims,
  crate: name,
  atMs,
  actor,
}: NewCratePublisher): Work<NewCratePublisherOutcome> {
  const crate = yield* lockCrate(name);
  if (crate === null) return { kind: 'no-crate' };
  if (!(yield* mayChange(crate, actor.user))) return { kind: 'not-owner' };
  const candidates = yield* all(SELECT_CANDIDATES, `%"${canonicalName(name)}"%`);
  const own = candidates.map(asPublisher).filter((publisher) => isOnlyFor(publisher, crate.name));
  if (own.length >= MAX_PUBLISHERS) return { kind: 'too-many', max: MAX_PUBLISHERS };
  // Always after the lock of a crate, so that transactions cannot deadlock.
  yield* lockPublishers();
  const owners = yield* ownersOf(crate);
  const user = owners.find(({ id }) => id === actor.user.id) ?? present(owners[0], 'an owner of a crate');
  const ofIssuer = yield* all(`${SELECT_PUBLISHERS} WHERE publishers.issuer = ?`, issuer);
  const isAmbiguous = ofIssuer
    .map(asPublisher)
    .some((other) => other.user.id !== user.id && mayMatchSameJob(other.claims, claims));
  if (isAmbiguous) return { kind: 'ambiguous' };
  const publisher = { issuer, claims, cratePatterns: [crate.name], userId: user.id, atMs, actor };
  const added = yield* insertPublisher(publisher);
  return added === null ? { kind: 'duplicate' } : { kind: 'added', crate: crate.name };
}

function* deletePublisher({
  id,
  crate: name,
  atMs,
  actor,
}: CratePublisherDeletion): Work<CratePublisherDeletionOutcome> {
  const crate = yield* lockCrate(name);
  if (crate === null) return { kind: 'no-crate' };
  if (!(yield* mayChange(crate, actor.user))) return { kind: 'not-owner' };
  const publisher = yield* findPublisher(id);
  if (publisher === null || !isOnlyFor(publisher, crate.name)) return { kind: 'no-publisher' };
  yield* removePublisher({ id, atMs, actor });
  return { kind: 'removed', crate: crate.name };
}
