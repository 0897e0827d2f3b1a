/** Values in the store. Times are milliseconds since 1970. */
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';

/** A user. Owner objects of the web API consist of `id`, `login` and `name`. */
export interface User {
  /** Unsigned 32 bits; never reused. */
  readonly id: number;
  /** Unique without regard to case. */
  readonly login: string;
  /** Display name. */
  readonly name: string | null;
  readonly isAdmin: boolean;
  /** Whether the user's tokens, sessions and password are refused. */
  readonly isDisabled: boolean;
  readonly hasPassword: boolean;
  readonly createdAtMs: number;
}

/** A permission of a token. `read` covers index, downloads and search. */
export type TokenScope = 'read' | 'publish-new' | 'publish-update' | 'yank' | 'owners';

/** A group of users that can own crates. `teamLogin` returns its login in lists of owners. */
export interface Team {
  /** Unsigned 32 bits; never reused. */
  readonly id: number;
  /** Unique without regard to case. */
  readonly name: string;
  readonly createdAtMs: number;
}

/**
 * The rights of a user to a crate: owners and admins everything, members of teams that own it publish and yank
 * versions.
 */
export type CrateRights = 'all' | 'versions' | 'none';

/** A token without its secret. */
export interface Token {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** The first characters of the secret, to recognize the token by. */
  readonly prefix: string;
  readonly scopes: readonly TokenScope[];
  /** Crate names, or prefixes followed by `*`; empty for every crate. */
  readonly cratePatterns: readonly string[];
  readonly createdAtMs: number;
  /** null for a token that does not expire. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Accurate to about a minute. */
  readonly lastUsedAtMs: number | null;
  /** The issuer that identified the CI job, for a token of trusted publishing; otherwise null. */
  readonly issuer: string | null;
}

/** A trusted publisher: a CI job that gets tokens without a stored secret. Its JWT must contain all claims. */
export interface Publisher {
  readonly id: number;
  /** The exact `iss` of its JWTs. */
  readonly issuer: string;
  readonly claims: readonly Claim[];
  /** Patterns as in `Token`. */
  readonly cratePatterns: readonly string[];
  /** The user that the job publishes as. */
  readonly user: User;
  readonly createdAtMs: number;
}

/**
 * A required claim of a JWT: its name, and its value or a prefix followed by `*`. A list is a JSON array and must match
 * as a whole.
 */
export interface Claim {
  readonly name: string;
  readonly value: string;
}

/** A session of a browser. */
export interface Session {
  readonly userId: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** The user who makes a change, for authorization and the audit trail. */
export interface Actor {
  readonly user: User;
  /** null if the actor has another credential or uses the command line. */
  readonly token: Token | null;
  /** The credential of an actor without a token; absent for the command line. */
  readonly credential?: Credential;
}

/**
 * A credential other than a token: a session, the password that was just checked, or the publishers that a JWT matches.
 */
export type Credential =
  | { readonly kind: 'session'; readonly idHash: string }
  | { readonly kind: 'password'; readonly hash: string }
  | { readonly kind: 'publishers'; readonly ids: readonly number[] };

/** A crate with its data for lists. Its metadata is that of the version `maxVersion`. */
export interface Crate {
  readonly id: number;
  /** The name as first published. */
  readonly name: string;
  /** The highest version that is not yanked; the highest of all if all are yanked. */
  readonly maxVersion: string;
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly downloads: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Whether only tokens of trusted publishing may add versions. */
  readonly isTrustedOnly: boolean;
}

/** A version whose `.crate` clients can download. */
export interface DownloadableVersion {
  readonly crate: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
  /** Bytes of the `.crate`. */
  readonly size: number;
  /** The key of the `.crate` in `Blobs`. */
  readonly blobKey: string;
  /** For a cached `.crate` of the upstream, the time when it was cached. */
  readonly publishedAtMs: number;
  /** True for a cached `.crate` of the upstream, which the cache can evict at any time. False by default. */
  readonly isEvictable?: boolean;
}

/** A published version. */
export interface Version extends DownloadableVersion {
  /** Never reused. */
  readonly id: number;
  readonly isYanked: boolean;
  /** null if there is no reason, or the version is not yanked. */
  readonly yankReason: string | null;
  readonly downloads: number;
  /** Login of the publisher. */
  readonly publishedBy: string;
  readonly publisherId: number;
  /** Display name of the publisher. */
  readonly publisherName: string | null;
  /** The checked metadata. `readme` is null; `findReadme` returns it. */
  readonly metadata: PublishMetadata;
}

/** A crate's index file. */
export interface IndexFile {
  /** Lines, oldest version first, each with its line end. */
  readonly body: string;
  /** Value of the `ETag` header, with its quotes. Changes with `body`. */
  readonly etag: string;
  readonly changedAtMs: number;
}

/** A crate's index file, with its size instead of its content. */
export interface IndexState extends Omit<IndexFile, 'body'> {
  /** Bytes of the body. */
  readonly size: number;
}

/** A version of another crate that depends on a crate. */
export interface Dependent {
  readonly crate: string;
  readonly version: string;
  readonly versionReq: string;
  readonly kind: 'normal' | 'dev' | 'build';
  readonly isOptional: boolean;
}

/** Actions that the audit trail contains. The database stores these texts, so a release never renames one. */
export const AUDIT_ACTIONS = [
  'publish',
  'yank',
  'unyank',
  'add-owner',
  'remove-owner',
  'delete-version',
  'delete-crate',
  'make-user',
  'change-user',
  'make-team',
  'delete-team',
  'add-member',
  'remove-member',
  'make-token',
  'revoke-token',
  'add-publisher',
  'remove-publisher',
  'add-own-name',
  'remove-own-name',
  'change-crate',
  'add-documentation',
  'remove-documentation',
  'change-settings',
  'block-upstream',
  'unblock-upstream',
  'allow-upstream',
  'disallow-upstream',
  'sign-in',
  'sign-out',
] as const;

/** One of `AUDIT_ACTIONS`. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A new entry for the audit trail. Absent values are stored as null. */
export interface NewAuditEntry {
  readonly atMs: number;
  /** Login of the actor; null for the command line. */
  readonly actor: string | null;
  /** The token that was used, created or revoked. */
  readonly tokenId?: number | null;
  readonly action: AuditAction;
  readonly crate?: string | null;
  readonly version?: string | null;
  /** Login of the affected user or team. */
  readonly subject?: string | null;
  /** Other details in plain English; no secrets. */
  readonly detail?: string | null;
}

/** An entry of the audit trail. */
export interface AuditEntry extends Required<NewAuditEntry> {
  readonly id: number;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Number of items in the whole list. */
  readonly total: number;
}

/** The requested part of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** A checked version to publish. Its blob is stored, unless `isStored` is false. */
export interface Publication {
  /** Includes the readme. */
  readonly metadata: PublishMetadata;
  /** The line for the index, not yanked, without its line end. */
  readonly indexLine: string;
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
  readonly atMs: number;
  readonly actor: Actor;
  /** False for a dry run, which changes nothing. */
  readonly isStored: boolean;
}

/** The result of publishing a version. */
export type PublishOutcome =
  | { readonly kind: 'published'; readonly isNewCrate: boolean }
  /** A crate with another spelling of the name exists. */
  | { readonly kind: 'other-spelling'; readonly existing: string }
  /** The version exists, possibly with other build metadata. */
  | { readonly kind: 'duplicate'; readonly existing: string }
  | { readonly kind: 'not-owner' }
  /** The token's scopes or patterns do not allow this. */
  | { readonly kind: 'out-of-scope'; readonly scope: TokenScope }
  /** A crate of this name was deleted. Until `untilMs`, only its former owners and admins may use the name. */
  | { readonly kind: 'name-reserved'; readonly untilMs: number }
  /** The version was deleted and must not be reused. */
  | { readonly kind: 'version-deleted' }
  /** The crate's index file, which has `bytes` bytes, would become too large. */
  | { readonly kind: 'index-full'; readonly bytes: number }
  /** Only tokens of trusted publishing may add versions. */
  | { readonly kind: 'trusted-only' };

/** The result of changing a crate's restriction to trusted publishing, with the crate after the change. */
export type TrustedOnlyOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly crate: Crate }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'not-owner' };

/** The result of a yank or unyank. */
export type YankOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly crate: string }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'no-version'; readonly crate: string }
  | { readonly kind: 'not-owner' };

/** The result of a change of owners, which happens completely or not at all. */
export type OwnersOutcome =
  /** `changed` are the logins that were added or removed. */
  | { readonly kind: 'changed'; readonly crate: string; readonly changed: readonly string[] }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'not-owner' }
  | { readonly kind: 'no-user'; readonly login: string }
  | { readonly kind: 'no-team'; readonly login: string }
  | { readonly kind: 'not-an-owner'; readonly login: string }
  /** No user would own the crate. Members of teams cannot change owners. */
  | { readonly kind: 'last-owner' };

/** The result of a deletion. No record refers to the blobs `blobKeys`, which the caller deletes. */
export type DeleteOutcome =
  | { readonly kind: 'deleted'; readonly crate: string; readonly blobKeys: readonly string[] }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'no-version' };
