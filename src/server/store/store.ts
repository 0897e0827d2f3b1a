/**
 * Storage of a registry, in two parts: records (names, versions, users, …) and blobs (the `.crate` files). Both are
 * asynchronous and shared by any number of processes. Callers must not cache values that another process may change.
 *
 * Publishing stores the blob first, then all records in one transaction. Deleting works in reverse. So every version in
 * the records has its blob at every moment, and a crash leaves at most a blob that no record refers to.
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
import type { Clock } from '../shared/clock.ts';
import type { StaticFiles, StaticRecords } from './static-store.ts';
import type { UpstreamRecords } from './upstream-store.ts';

/** The storage of a registry. */
export interface Store {
  readonly records: Records;
  readonly blobs: Blobs;
  readonly close: () => Promise<void>;
}

/**
 * The records of a registry. Every method is one transaction. Lookups ignore case, and treat `-` and `_` in crate names
 * as equal, unless stated otherwise. Missing values are null. Throws only if the store fails, or as `authorize` and
 * `setReadOnly` state.
 */
export interface Records extends UpstreamRecords, StaticRecords {
  // The registry.
  /** Finds an index file by the exact name in lower case, the last part of its path. */
  findIndexFile(lowerCaseName: string): Promise<IndexFile | null>;
  /** Finds the same as `findIndexFile`, without reading the body. */
  findIndexState(lowerCaseName: string): Promise<IndexState | null>;
  findCrate(name: string): Promise<Crate | null>;
  /** Finds a version by its exact text. */
  findVersion(crate: string, version: string): Promise<Version | null>;
  /** Lists versions, highest first; none if the crate does not exist. */
  listVersions(crate: string, page: PageRequest): Promise<Page<Version>>;
  findReadme(crate: string, version: string): Promise<string | null>;
  /**
   * Lists crates that depend on this one, with their highest version, most downloaded first. Of very many lists only
   * the first and estimates `total`.
   */
  listDependents(crate: string, page: PageRequest): Promise<Page<Dependent>>;
  /**
   * Finds crates that have all words of `query` in name, keywords or description, best first; all if it is empty. Of
   * very many finds and counts only the first; `total` may be an estimate.
   */
  searchCrates(query: string, request: SearchRequest): Promise<Page<Crate>>;
  /** Updates the ranking by use that searches apply. Call it every few minutes, from any process. */
  rankCrates(): Promise<void>;
  /** Lists the most recently changed crates, latest first. */
  listRecentCrates(limit: number): Promise<readonly Crate[]>;
  count(): Promise<RegistryCounts>;
  publishVersion(publication: Publication): Promise<PublishOutcome>;
  setYanked(change: YankChange): Promise<YankOutcome>;
  /** Adds to the download counts. Ignores versions that do not exist. */
  addDownloads(counts: readonly DownloadCount[]): Promise<void>;
  /** Returns a crate whose download count is not the sum of its versions; null if there is none. */
  findMiscounted(): Promise<string | null>;
  deleteVersion(deletion: Deletion & { readonly version: string }): Promise<DeleteOutcome>;
  deleteCrate(deletion: Deletion): Promise<DeleteOutcome>;
  /** Yields every version, read in batches, for `verify` and `backup`. Versions of one crate are consecutive. */
  eachVersion(): AsyncIterable<StoredVersion>;

  // Owners.
  /** Lists owners in the order in which they became owners; null if the crate does not exist. */
  listOwners(crate: string): Promise<readonly User[] | null>;
  /** Lists the crates that a user owns, by name. */
  listOwnedCrates(userId: number): Promise<readonly Crate[]>;
  changeOwners(change: OwnersChange): Promise<OwnersOutcome>;

  // Users, tokens and sessions.
  findUser(login: string): Promise<User | null>;
  findUserById(id: number): Promise<User | null>;
  listUsers(page: PageRequest): Promise<Page<User>>;
  /** Returns null if the login is taken. */
  createUser(user: NewUser): Promise<User | null>;
  /**
   * Changes the given values. `passwordHash: null` removes the password. Any `passwordHash` ends all sessions, and so
   * does `isDisabled: true`.
   */
  updateUser(id: number, changes: UserChanges): Promise<void>;
  findPasswordHash(userId: number): Promise<string | null>;
  /** Creates a token. For trusted publishing, also deletes such tokens that expired more than a day ago. */
  createToken(token: NewToken): Promise<Token>;
  /** Finds expired and revoked tokens too; the caller must refuse them. */
  findTokenByHash(hash: string): Promise<(Actor & { readonly token: Token }) | null>;
  listTokens(userId: number): Promise<readonly Token[]>;
  /** Returns false if the user has no such token, or it is already revoked. */
  revokeToken(token: {
    readonly userId: number;
    readonly tokenId: number;
    readonly atMs: number;
  }): Promise<boolean>;
  /** Saves the last use of a token, at most once a minute. */
  touchToken(tokenId: number, atMs: number): Promise<void>;
  createSession(idHash: string, session: Session): Promise<void>;
  findSession(idHash: string): Promise<(Session & { readonly user: User }) | null>;
  deleteSession(idHash: string): Promise<void>;
  /**
   * Counts a sign-in attempt for the subjects of all limits, unless one of them has already had `max` attempts since
   * `sinceMs`. Deletes older attempts. Returns the count of each subject, including this attempt; null if nothing was
   * counted.
   */
  takeSignInAttempt(attempt: SignInCount): Promise<ReadonlyMap<string, number> | null>;
  /** Removes the attempt at `atMs` from all subjects, and all attempts of `forgotten`. */
  giveBackSignInAttempt(attempt: {
    readonly subjects: readonly string[];
    readonly atMs: number;
    /** null for none. */
    readonly forgotten: string | null;
  }): Promise<void>;

  // Rate limits, for all processes together.
  /** Counts an event if the limit allows it. Returns 0, or the milliseconds until it is allowed. */
  consumeRateLimit(turn: RateLimitUse): Promise<number>;
  /** Returns the same as `consumeRateLimit`, without counting an event. */
  peekRateLimit(turn: RateLimitUse): Promise<number>;

  // Trusted publishing.
  createPublisher(publisher: NewPublisher): Promise<Publisher>;
  /** Lists publishers in the order of their creation: those of one issuer, or all. */
  listPublishers(filter?: { readonly issuer?: string }): Promise<readonly Publisher[]>;
  /** Deletes a publisher and revokes its issuer's tokens for its user. Returns null if it does not exist. */
  deletePublisher(deletion: PublisherDeletion): Promise<Publisher | null>;
  /** Restricts a crate to tokens of trusted publishing, or removes the restriction. */
  setTrustedOnly(change: TrustedOnlyChange): Promise<TrustedOnlyOutcome>;
  /** Returns true if the key is new. Stores it until it expires. */
  useAssertion(use: {
    readonly key: string;
    readonly expiresAtMs: number;
    readonly atMs: number;
  }): Promise<boolean>;

  // The rest.
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Lists entries, newest first. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /** Returns the secret with this name (to sign cookies, for example): 32 random bytes, the same for all processes. */
  secret(name: string): Promise<Uint8Array>;
  /** Throws if records cannot be read and written, for a health check. */
  ping(): Promise<void>;
  /** Returns a description of damaged records; null if there are none. */
  findDamage(): Promise<string | null>;
  schemaVersion(): Promise<number>;
  /**
   * Makes the records read-only for all processes, and waits for changes in progress. Later changes throw
   * `ReadOnlyRecords`. Reads and mere counts still work. Does nothing if the records are already read-only.
   */
  setReadOnly(): Promise<void>;
  /** Allows changes again. */
  setWritable(): Promise<void>;
  isReadOnly(): Promise<boolean>;
  /** Driver and version of SQLite, as `SqliteDatabase.description`; absent for other databases. */
  readonly sqlite?: string;
  /** Returns figures about the connections; absent for a database in a file. */
  readonly figures?: () => RecordFigures;
  /** Writes all records as they are at one moment to a new file for `loadSnapshot`. */
  saveSnapshot(path: string): Promise<void>;
  /**
   * Returns these records for changes in the name of `actor`. In its own transaction, each change checks by `clock`
   * that the actor still has the rights that it had when it was read. Otherwise it throws `NoLongerAllowed`.
   */
  authorize(actor: Actor, clock: Clock): AuthorizedRecords;
  /**
   * Replaces all records at once with a snapshot, which it migrates in place to the newest schema version. The records
   * then accept changes again.
   */
  loadSnapshot(path: string): Promise<void>;
}

/** Methods that change the registry and therefore need an authorized actor. */
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

/** Records for requests: only `authorize` gives access to changes. */
export type ServedRecords = Omit<Records, Change>;

/** Records for changes in the name of an actor. */
export type AuthorizedRecords = Omit<Records, RecordsOfDatabase | 'authorize'>;

/** Methods that each kind of database implements in its own way. */
export type RecordsOfDatabase =
  | 'saveSnapshot'
  | 'loadSnapshot'
  | 'findDamage'
  | 'schemaVersion'
  | 'ping'
  | 'setReadOnly'
  | 'setWritable'
  | 'isReadOnly';

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

/** The requested part of the results and their order; best first if `order` is absent. */
export interface SearchRequest extends PageRequest {
  readonly order?: CrateOrder;
}

/** Orders of crates: by name, or with the most downloads, the latest change or the latest creation first. */
export type CrateOrder = 'name' | 'downloads' | 'updated' | 'created';

/** Totals of a registry. */
export interface RegistryCounts {
  readonly crates: number;
  readonly versions: number;
  readonly downloads: number;
  readonly users: number;
}

/** A yank or unyank. */
export interface YankChange {
  readonly crate: string;
  readonly version: string;
  readonly isYanked: boolean;
  readonly reason: string | null;
  readonly atMs: number;
  readonly actor: Actor;
}

/** Downloads of one version since they were last added. */
export interface DownloadCount {
  readonly crate: string;
  readonly version: string;
  readonly count: number;
}

/** A crate or version to delete permanently. The caller checks the rights. */
export interface Deletion {
  readonly crate: string;
  /** null for the command line. */
  readonly actor: Actor | null;
  readonly reason: string | null;
  readonly atMs: number;
  /** Whether the same versions may be published again. */
  readonly mayReuseVersions: boolean;
  /** Until then, only former owners and admins may use the name of a deleted crate. */
  readonly nameReservedUntilMs: number;
}

/** The part of a version that is needed to check its blob. */
export interface StoredVersion {
  readonly crate: string;
  readonly version: string;
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
}

/** Owners to add or remove. */
export interface OwnersChange {
  readonly crate: string;
  readonly action: 'add' | 'remove';
  readonly logins: readonly string[];
  readonly atMs: number;
  readonly actor: Actor;
}

/** A user to create. */
export interface NewUser {
  readonly login: string;
  readonly name: string | null;
  readonly isAdmin: boolean;
  readonly atMs: number;
}

/** Changes of a user; absent values stay unchanged. */
export interface UserChanges {
  readonly name?: string | null;
  readonly isAdmin?: boolean;
  readonly isDisabled?: boolean;
  readonly passwordHash?: string | null;
}

/** A token to store. */
export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
  readonly scopes: readonly TokenScope[];
  readonly cratePatterns: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  /** Present for a token of trusted publishing. */
  readonly issuer?: string;
}

/** A sign-in attempt to count. */
export interface SignInCount {
  readonly limits: readonly SignInLimit[];
  readonly atMs: number;
  readonly sinceMs: number;
}

/** A limit for the sign-in attempts of a login, an address or a device. */
export interface SignInLimit {
  readonly subject: string;
  /** null for no limit. */
  readonly max: number | null;
}

/** An event with a limit per minute, which is also the maximum burst. */
export interface RateLimitUse {
  /** The action and the client. */
  readonly subject: string;
  /** Greater than 0. */
  readonly perMinute: number;
  readonly atMs: number;
}

/** A publisher to store. */
export interface NewPublisher extends Pick<Publisher, 'issuer' | 'claims' | 'cratePatterns'> {
  readonly userId: number;
  readonly atMs: number;
  /** null for the command line. */
  readonly actor: Actor | null;
}

/** A publisher to delete. */
export interface PublisherDeletion {
  readonly id: number;
  readonly atMs: number;
  readonly actor: Actor | null;
}

/** A change of who may add versions to a crate. */
export interface TrustedOnlyChange {
  readonly crate: string;
  readonly isTrustedOnly: boolean;
  readonly atMs: number;
  /** null for the command line. */
  readonly actor: Actor | null;
}

/** A filter for the audit trail; absent fields match every entry. */
export interface AuditFilter {
  readonly crate?: string;
  readonly actor?: string;
  readonly action?: AuditAction;
}

/** The `.crate` files. Each blob gets a new key, which never refers to other bytes. */
export interface Blobs {
  /** Begins a blob, which is invisible before `finish`. */
  begin(): Promise<BlobWriter>;
  /** Returns null if there is no such blob. `range` is in bytes, includes both ends and lies within the blob. */
  open(key: string, range?: ByteRange): Promise<BlobContent | null>;
  stat(key: string): Promise<BlobInfo | null>;
  /** Deletes a blob if it exists. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<BlobInfo>;
  /** Stores a blob of another store under its key, in place of an existing one. Throws `checksum` for other bytes. */
  restore(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws if blobs cannot be written, for a health check. */
  ping(): Promise<void>;
  /** Returns a URL of the store at which anyone can read a blob for a while; absent if the store has none. */
  readonly signedUrl?: (key: string, options: SignedUrlOptions) => string;
  /** Returns counts of requests to the store; absent if it needs no requests. */
  readonly figures?: () => BlobFigures;
  /** Static files next to the blobs; absent if the store has none. */
  readonly staticFiles?: StaticFiles;
}

/** Properties of a signed URL. */
export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  /** File name for the reader, without quotes and slashes. */
  readonly fileName: string;
}

/** Counts of requests since the start. */
export interface BlobFigures {
  readonly requests: number;
  /** Requests that repeated a failed one. */
  readonly repeats: number;
  /** Requests that failed permanently. */
  readonly failures: number;
}

/** A range of bytes, including both ends. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Properties of a blob that are known without reading it. */
export interface BlobInfo {
  readonly key: string;
  readonly size: number;
  readonly changedAtMs: number;
}

/** A blob to read. */
export interface BlobContent {
  /** Size of the whole blob. */
  readonly size: number;
  /** Must be read to its end or cancelled. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A blob that is being written. It ends with exactly one of `finish` and `discard`. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Returns the bytes written so far, in memory that nothing else uses. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Stores the blob. Returns when it will survive a power failure. */
  finish(): Promise<FinishedBlob>;
  /** Removes the written bytes. Allowed after a failure of the other methods. */
  discard(): Promise<void>;
}

/** A stored blob. */
export interface FinishedBlob {
  readonly key: string;
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
}
