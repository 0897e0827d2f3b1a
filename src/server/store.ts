/**
 * Where a registry is kept, in two halves: records (names, versions, users, …) and blobs (the `.crate` files). Both
 * are asynchronous and shared by any number of processes; whoever asks keeps nothing that another process may change.
 *
 * Publishing stores the blob first, then all records in one transaction; deleting goes the other way round. So
 * every version that a record tells of has its blob at every moment, and what a crash leaves behind is at most a
 * blob that no record refers to.
 */
import type {
  Actor,
  AuditAction,
  AuditEntry,
  Crate,
  DeleteOutcome,
  Dependent,
  IndexFile,
  IndexState,
  NewAuditEntry,
  OwnersOutcome,
  Page,
  PageRequest,
  Publication,
  Publisher,
  PublishOutcome,
  Session,
  Token,
  TokenScope,
  TrustedOnlyOutcome,
  User,
  Version,
  YankOutcome,
} from './store-values.ts';
import type { Clock } from './clock.ts';
import type { StaticFiles, StaticRecords } from './static-store.ts';
import type { UpstreamRecords } from './upstream-store.ts';

/** Both halves. */
export interface Store {
  readonly records: Records;
  readonly blobs: Blobs;
  readonly close: () => Promise<void>;
}

/**
 * Every method is one transaction. Names of crates are looked up without regard to case and to `-` and `_`, logins
 * without regard to case, unless said otherwise. What is not there is null. Throws only if the store itself fails.
 */
export interface Records extends UpstreamRecords, StaticRecords {
  // The registry.
  /** By the exact name, in lower case: the last part of the path of an index file. */
  findIndexFile(lowerCaseName: string): Promise<IndexFile | null>;
  /** As `findIndexFile`, without reading what the file says. */
  findIndexState(lowerCaseName: string): Promise<IndexState | null>;
  findCrate(name: string): Promise<Crate | null>;
  /** By the exact text of the version. */
  findVersion(crate: string, version: string): Promise<Version | null>;
  /** Highest first; none where there is no such crate. */
  listVersions(crate: string, page: PageRequest): Promise<Page<Version>>;
  findReadme(crate: string, version: string): Promise<string | null>;
  /** Of each crate that depends on this one, its highest version; most downloaded first. Of very many only those. */
  listDependents(crate: string, page: PageRequest): Promise<Page<Dependent>>;
  /**
   * Crates whose name, keywords or description have all words of `query`, best first; all if it is empty. Of very many
   * the first ones: `total` counts no others, and may be an estimate.
   */
  searchCrates(query: string, request: SearchRequest): Promise<Page<Crate>>;
  /** Has searches know which crates are used most by now; to be done every few minutes by somebody. */
  rankCrates(): Promise<void>;
  /** Newest first; the latest publication counts. */
  listRecentCrates(limit: number): Promise<readonly Crate[]>;
  count(): Promise<RegistryCounts>;
  publishVersion(publication: Publication): Promise<PublishOutcome>;
  setYanked(change: YankChange): Promise<YankOutcome>;
  /** Adds to what was counted. Versions that are gone are passed over. */
  addDownloads(counts: readonly DownloadCount[]): Promise<void>;
  /** A crate whose downloads are not those of its versions together; null if there is none. */
  findMiscounted(): Promise<string | null>;
  deleteVersion(deletion: Deletion & { readonly version: string }): Promise<DeleteOutcome>;
  deleteCrate(deletion: Deletion): Promise<DeleteOutcome>;
  /** Every version, in parts, as `verify` and `backup` need them; those of a crate one after the other. */
  eachVersion(): AsyncIterable<StoredVersion>;

  // Owners.
  /** null if there is no such crate; in the order in which they became owners. */
  listOwners(crate: string): Promise<readonly User[] | null>;
  /** Crates that a user owns, by name. */
  listOwnedCrates(userId: number): Promise<readonly Crate[]>;
  changeOwners(change: OwnersChange): Promise<OwnersOutcome>;

  // Users, tokens and sessions.
  findUser(login: string): Promise<User | null>;
  findUserById(id: number): Promise<User | null>;
  listUsers(page: PageRequest): Promise<Page<User>>;
  /** null if the login is taken. */
  createUser(user: NewUser): Promise<User | null>;
  /** Changes what is given. `passwordHash: null` takes the password away; a new one ends all sessions, and so does `isDisabled`. */
  updateUser(id: number, changes: UserChanges): Promise<void>;
  findPasswordHash(userId: number): Promise<string | null>;
  /** Tokens of trusted publishing are forgotten a day after they expired. */
  createToken(token: NewToken): Promise<Token>;
  /** Also finds tokens that are expired or revoked: it is the caller who refuses them. */
  findTokenByHash(hash: string): Promise<(Actor & { readonly token: Token }) | null>;
  listTokens(userId: number): Promise<readonly Token[]>;
  /** False if the user has no such token, or it is revoked already. */
  revokeToken(token: {
    readonly userId: number;
    readonly tokenId: number;
    readonly atMs: number;
  }): Promise<boolean>;
  /** Writes only where the last use is more than a minute older. */
  touchToken(tokenId: number, atMs: number): Promise<void>;
  createSession(idHash: string, session: Session): Promise<void>;
  findSession(idHash: string): Promise<(Session & { readonly user: User }) | null>;
  deleteSession(idHash: string): Promise<void>;
  /**
   * Counts an attempt to sign in for the subjects of all limits, unless one of them has `max` attempts since `sinceMs` already; forgets
   * those that are older. Returns how many each has, this one included; null where nothing was counted.
   */
  takeSignInAttempt(attempt: SignInCount): Promise<ReadonlyMap<string, number> | null>;
  /** Takes the attempt of that moment back from all subjects, and every attempt of `forgotten`. */
  giveBackSignInAttempt(attempt: {
    readonly subjects: readonly string[];
    readonly atMs: number;
    /** null for none. */
    readonly forgotten: string | null;
  }): Promise<void>;

  // Limits of rates, for all processes together.
  /** Counts an event, unless there were too many. Returns 0, or the milliseconds after which it would be allowed. */
  takeTurn(turn: RateTurn): Promise<number>;
  /** As `takeTurn`, without counting anything. */
  findTurnWait(turn: RateTurn): Promise<number>;

  // Trusted publishing.
  createPublisher(publisher: NewPublisher): Promise<Publisher>;
  /** In the order in which they came; those of one issuer, or all. */
  listPublishers(filter?: { readonly issuer?: string }): Promise<readonly Publisher[]>;
  /** Also revokes the tokens that its issuer vouched for to its user. null if there is none. */
  deletePublisher(deletion: PublisherDeletion): Promise<Publisher | null>;
  /** Restricts a crate to tokens of trusted publishing, or allows all others again. */
  setTrustedOnly(change: TrustedOnlyChange): Promise<TrustedOnlyOutcome>;
  /** True the first time for a key, until it expires. */
  useAssertion(use: {
    readonly key: string;
    readonly expiresAtMs: number;
    readonly atMs: number;
  }): Promise<boolean>;

  // The rest.
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /** The secret of that name (to sign cookies, for example), 32 random bytes, the same for all processes. */
  secret(name: string): Promise<Uint8Array>;
  /** Throws unless records can be read and written, for a health check. */
  ping(): Promise<void>;
  /** What is wrong with the records in themselves; null for nothing. */
  findDamage(): Promise<string | null>;
  /** The schema version of the records. */
  schemaVersion(): Promise<number>;
  /**
   * Refuses every change from now on that must not be lost, by whichever process, and waits for those under way. Those
   * who ask for one get a `SealedRecords`. What is read and what is only counted goes on. Fine if it is done already.
   */
  seal(): Promise<void>;
  /** Allows changes again. */
  unseal(): Promise<void>;
  isSealed(): Promise<boolean>;
  /** Driver and version of SQLite, as `SqliteDatabase.description`; not there for another database. */
  readonly sqlite?: string;
  /** How the database is asked; not there for one that is a file. */
  readonly figures?: () => RecordFigures;
  /** Writes all records as they are at one moment to a new file, which `loadSnapshot` reads. */
  saveSnapshot(path: string): Promise<void>;
  /**
   * Returns these records for changes in the name of `actor`. Each change checks in its own transaction, by the clock, that
   * the actor still has the rights that it had when it was read, and else throws `NoLongerAllowed`.
   */
  authorize(actor: Actor, clock: Clock): AuthorizedRecords;
  /**
   * Replaces all records at once by those of a snapshot, which is migrated in place to the newest schema version. Breaks
   * a seal.
   */
  loadSnapshot(path: string): Promise<void>;
}

/** What changes the registry, and so needs somebody with the right to do so. */
type Change =
  | 'publishVersion'
  | 'setYanked'
  | 'deleteVersion'
  | 'deleteCrate'
  | 'changeOwners'
  | 'createUser'
  | 'updateUser'
  | 'createToken'
  | 'revokeToken'
  | 'createSession'
  | 'createPublisher'
  | 'deletePublisher'
  | 'setTrustedOnly';

/** Records as requests see them: only `authorize` leads to changes. */
export type ServedRecords = Omit<Records, Change>;

/** Records that are changed in the name of an actor. */
export type AuthorizedRecords = Omit<Records, RecordsOfDatabase | 'authorize'>;

/** What each kind of database has in a way of its own. */
export type RecordsOfDatabase =
  | 'saveSnapshot'
  | 'loadSnapshot'
  | 'findDamage'
  | 'schemaVersion'
  | 'ping'
  | 'seal'
  | 'unseal'
  | 'isSealed';

/** Connections right now, and counts since the start. */
export interface RecordFigures {
  readonly maxConnections: number;
  readonly inUse: number;
  /** How many wait for a connection. */
  readonly waiting: number;
  /** Transactions that were begun again after a failure. */
  readonly repeats: number;
  /** Transactions that were given up. */
  readonly failures: number;
}

/** Which part of what was found is asked for, and in which order; the best first unless another is named. */
export interface SearchRequest extends PageRequest {
  readonly order?: CrateOrder;
}

/** Orders of crates: by name, the most downloads, the latest publication or the latest crate first. */
export type CrateOrder = 'name' | 'downloads' | 'updated' | 'created';

/** How much there is. */
export interface RegistryCounts {
  readonly crates: number;
  readonly versions: number;
  readonly downloads: number;
  readonly users: number;
}

/** A version to be yanked, or no longer. */
export interface YankChange {
  readonly crate: string;
  readonly version: string;
  readonly isYanked: boolean;
  readonly reason: string | null;
  readonly atMs: number;
  readonly actor: Actor;
}

/** Downloads of one version since the last time that they were added. */
export interface DownloadCount {
  readonly crate: string;
  readonly version: string;
  readonly count: number;
}

/** A crate, or a version of it, to be deleted for good. Rights are the caller's business. */
export interface Deletion {
  readonly crate: string;
  /** null for whoever works on the machine itself. */
  readonly actor: Actor | null;
  readonly reason: string | null;
  readonly atMs: number;
  /** True if the same version may be published again. */
  readonly mayReuseVersions: boolean;
  /** Of a crate that is gone: until then only its former owners and admins may use the name. */
  readonly nameReservedUntilMs: number;
}

/** Enough of a version to check its blob. */
export interface StoredVersion {
  readonly crate: string;
  readonly version: string;
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
}

/** Owners to be added or removed. */
export interface OwnersChange {
  readonly crate: string;
  readonly action: 'add' | 'remove';
  readonly logins: readonly string[];
  readonly atMs: number;
  readonly actor: Actor;
}

/** A user to be made. */
export interface NewUser {
  readonly login: string;
  readonly name: string | null;
  readonly isAdmin: boolean;
  readonly atMs: number;
}

/** What can be changed of a user. */
export interface UserChanges {
  readonly name?: string | null;
  readonly isAdmin?: boolean;
  readonly isDisabled?: boolean;
  readonly passwordHash?: string | null;
}

/** A token to be kept. */
export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
  readonly scopes: readonly TokenScope[];
  readonly cratePatterns: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  /** Given for a token of trusted publishing. */
  readonly issuer?: string;
}

/** An attempt to sign in, to be counted. */
export interface SignInCount {
  readonly limits: readonly SignInLimit[];
  readonly atMs: number;
  readonly sinceMs: number;
}

/** Something that attempts to sign in are counted for: a login, an address, a device. */
export interface SignInLimit {
  readonly subject: string;
  /** null for any number. */
  readonly max: number | null;
}

/** Something that is done, of which only so many are allowed a minute; as many may come at once. */
export interface RateTurn {
  /** Who does what. */
  readonly subject: string;
  /** More than 0. */
  readonly perMinute: number;
  readonly atMs: number;
}

/** A publisher to be kept. */
export interface NewPublisher extends Pick<Publisher, 'issuer' | 'claims' | 'cratePatterns'> {
  readonly userId: number;
  readonly atMs: number;
  /** null for whoever works on the machine itself. */
  readonly actor: Actor | null;
}

/** A publisher to be forgotten. */
export interface PublisherDeletion {
  readonly id: number;
  readonly atMs: number;
  readonly actor: Actor | null;
}

/** Who alone may add versions to a crate. */
export interface TrustedOnlyChange {
  readonly crate: string;
  readonly isTrustedOnly: boolean;
  readonly atMs: number;
  /** null for whoever works on the machine itself. */
  readonly actor: Actor | null;
}

/** Which entries of the audit trail; what is left out does not matter. */
export interface AuditFilter {
  readonly crate?: string;
  readonly actor?: string;
  readonly action?: AuditAction;
}

/** The `.crate` files. A key is made by `begin` and never used for other bytes. */
export interface Blobs {
  /** Begins a blob. Nothing is seen of it before `finish`. */
  begin(): Promise<BlobWriter>;
  /** null if there is no such blob. `range` is in bytes, both ends included and within the blob. */
  open(key: string, range?: ByteRange): Promise<BlobContent | null>;
  stat(key: string): Promise<BlobInfo | null>;
  /** Fine if it is not there. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<BlobInfo>;
  /** Stores a blob under the key that it has elsewhere, if it is not there. Throws `checksum` for other bytes. */
  restore(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws unless blobs can be written, for a health check. */
  ping(): Promise<void>;
  /** An address elsewhere that anybody can read a blob at for a while; not there for stores that have none. */
  readonly signedUrl?: (key: string, options: SignedUrlOptions) => string;
  /** How the store was asked; not there for stores that are asked nothing. */
  readonly figures?: () => BlobFigures;
  /** Files beside the blobs, for static servers; not there for stores that have none. */
  readonly staticFiles?: StaticFiles;
}

/** What an address of a blob is good for. */
export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  /** What the reader is to call the file: without quotes and slashes. */
  readonly fileName: string;
}

/** Counts since the start. */
export interface BlobFigures {
  readonly requests: number;
  /** Of them, those that repeated one that had failed. */
  readonly repeats: number;
  /** What was given up after all. */
  readonly failures: number;
}

/** First and last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What is known of a blob without reading it. */
export interface BlobInfo {
  readonly key: string;
  readonly size: number;
  readonly changedAtMs: number;
}

/** A blob that is read. */
export interface BlobContent {
  /** Of the whole blob. */
  readonly size: number;
  /** Must be read to its end or cancelled. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A blob that is being written. Ends with exactly one of `finish` and `discard`. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** What was written so far, in memory that is nobody else's. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns when the blob will survive a power failure. */
  finish(): Promise<FinishedBlob>;
  /** Removes what was written; fine after a failure of the others. */
  discard(): Promise<void>;
}

/** A blob that was written. */
export interface FinishedBlob {
  readonly key: string;
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
}
