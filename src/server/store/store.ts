/**
 * Storage of a registry, in two parts: records (names, versions, users, …) and blobs (the `.crate` files). Both are
 * asynchronous and shared by any number of processes. Callers must not cache values that another process may change,
 * except for lists that only people read: see `withRecentLists`.
 *
 * Publishing stores the blob first, then all records in one transaction. Deleting works in reverse. So every version in
 * the records has its blob at every moment, and a crash leaves at most a blob that no record refers to.
 */
import type { Blobs } from './blobs.ts';
import type { BrowseRecords } from './browse-records.ts';
import type { CratePublisherRecords } from './crate-publisher-records.ts';
import type { CrateRecords } from './crate-records.ts';
import type { DailyDownloadRecords } from './daily-download-records.ts';
import type { DocumentationRecords } from './documentation-records.ts';
import type { PublishRecords } from './publish-records.ts';
import type { OwnerRecords } from './owner-records.ts';
import type { UserRecords } from './user-records.ts';
import type { TeamRecords } from './team-records.ts';
import type { TokenRecords } from './token-records.ts';
import type { SessionRecords, SignInAttemptRecords } from './session-records.ts';
import type { RateLimitRecords } from './rate-limit-records.ts';
import type { PublisherRecords } from './publisher-records.ts';
import type { AuditRecords } from './audit-records.ts';
import type { ReservedNameRecords } from './reserved-name-records.ts';
import type { UpstreamRecords } from './upstream-records.ts';
import type { UpstreamRuleRecords } from './upstream-rule-records.ts';
import type { StaticRecords } from './static-records.ts';
import type { SettingRecords } from './setting-records.ts';
import type { UsageRecords } from './usage-records.ts';
import type { DatabaseRecords } from './database-records.ts';
import type { Actor } from './values.ts';
import type { Clock } from '../shared/clock.ts';

/** Both parts of a registry's storage. */
export interface StoreParts {
  readonly records: Records;
  readonly blobs: Blobs;
}

/** The open storage of a registry. */
export interface Store extends StoreParts {
  readonly close: () => Promise<void>;
}

/**
 * The records of a registry. Every method is one transaction. Lookups ignore case, and treat `-` and `_` in crate names
 * as equal, unless stated otherwise. Missing values are null. Throws only if the store fails, or as `authorize` and
 * `setReadOnly` state.
 */
export interface Records
  extends CrateRecords,
    BrowseRecords,
    DailyDownloadRecords,
    DocumentationRecords,
    PublishRecords,
    OwnerRecords,
    UserRecords,
    TeamRecords,
    TokenRecords,
    SessionRecords,
    SignInAttemptRecords,
    RateLimitRecords,
    PublisherRecords,
    CratePublisherRecords,
    AuditRecords,
    UpstreamRecords,
    UpstreamRuleRecords,
    ReservedNameRecords,
    StaticRecords,
    SettingRecords,
    UsageRecords,
    DatabaseRecords {
  /** Driver and version of SQLite, as `SqliteDatabase.description`; absent for other databases. */
  readonly sqlite?: string;
  /** Returns figures about the connections; absent for a database in a file. */
  readonly figures?: () => RecordFigures;
  /**
   * Returns these records for changes in the name of `actor`. In its own transaction, each change checks by `clock`
   * that the actor still has the rights that it had when it was read. Otherwise it throws `NoLongerAllowed`.
   */
  authorize(actor: Actor, clock: Clock): AuthorizedRecords;
}

/**
 * Methods that change the registry and therefore need an authorized actor. Add each new one here: requests could call
 * it without `authorize` otherwise.
 */
type Change =
  | keyof PublishRecords
  | 'changeOwners'
  | 'createUser'
  | 'updateUser'
  | 'createTeam'
  | 'changeMembers'
  | 'deleteTeam'
  | 'createToken'
  | 'revokeToken'
  | 'createSession'
  | 'createPublisher'
  | 'deletePublisher'
  | 'createCratePublisher'
  | 'deleteCratePublisher'
  | 'setTrustedOnly'
  | 'setDocumentation'
  | 'deleteDocumentation'
  | 'changeSettings'
  | 'addUpstreamRule'
  | 'removeUpstreamRule'
  | 'addReservedName'
  | 'removeReservedName';

/** Records for requests: only `authorize` gives access to changes. */
export type ServedRecords = Omit<Records, Change>;

/** Records for changes in the name of an actor. */
export type AuthorizedRecords = Omit<Records, keyof DatabaseRecords | 'authorize'>;

/** Current connections, and counts since the start. */
export interface RecordFigures {
  readonly maxConnections: number;
  readonly inUse: number;
  /** How many callers wait for a connection. */
  readonly waiting: number;
  /** Transactions that were repeated after a failure. */
  readonly repeats: number;
  /** Transactions that failed permanently. */
  readonly failures: number;
}
