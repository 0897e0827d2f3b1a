/** What the store holds, as values. Times are milliseconds since 1970. */
import type { PublishMetadata } from '../protocol/publish-metadata.ts';

/** A user. Owner objects of the web API are made of `id`, `login` and `name`. */
export interface User {
  /** Unsigned 32 bits; never used again. */
  readonly id: number;
  /** Unique, whatever its case. */
  readonly login: string;
  /** What the user wants to be called. */
  readonly name: string | null;
  readonly isAdmin: boolean;
  /** A disabled user's tokens, sessions and password are refused. */
  readonly isDisabled: boolean;
  readonly hasPassword: boolean;
  readonly createdAtMs: number;
}

/** What a token may be used for; reading (index, downloads, search) included. */
export type TokenScope = 'read' | 'publish-new' | 'publish-update' | 'yank' | 'owners';

/** A token without its secret. */
export interface Token {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** The first characters of the secret, to recognise it by. */
  readonly prefix: string;
  readonly scopes: readonly TokenScope[];
  /** Names of crates, or beginnings of names followed by `*`; empty for every crate. */
  readonly cratePatterns: readonly string[];
  readonly createdAtMs: number;
  /** null for a token that does not expire. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Exact to a minute or so. */
  readonly lastUsedAtMs: number | null;
  /** Of a token that a CI job got by trusted publishing: who vouched for the job. */
  readonly issuer: string | null;
}

/** A CI job that gets tokens without having one: the issuer must vouch for all of the claims. */
export interface Publisher {
  readonly id: number;
  /** The `iss` of its JWTs, to the letter. */
  readonly issuer: string;
  readonly claims: readonly Claim[];
  /** As those of a token. */
  readonly cratePatterns: readonly string[];
  /** In whose name it publishes. */
  readonly user: User;
  readonly createdAtMs: number;
}

/** What a JWT must say: a claim and its value, or the beginning of that followed by `*`; a list as JSON, all of it. */
export interface Claim {
  readonly name: string;
  readonly value: string;
}

/** A sign-in of a browser. */
export interface Session {
  readonly userId: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Who does something: for rights, and for the audit trail. */
export interface Actor {
  readonly user: User;
  /** null where the actor has signed in with a password, or works on the machine itself. */
  readonly token: Token | null;
  /** What let the actor in where that is no token; left out for whoever works on the machine itself. */
  readonly credential?: Credential;
}

/** What lets in who has no token: a session, the password that was just checked, or publishers whose claims a JWT has. */
export type Credential =
  | { readonly kind: 'session'; readonly idHash: string }
  | { readonly kind: 'password'; readonly hash: string }
  | { readonly kind: 'publishers'; readonly ids: readonly number[] };

/** A crate and what is shown of it in lists. What a version says comes from the one that `maxVersion` names. */
export interface Crate {
  readonly id: number;
  /** As it was first published. */
  readonly name: string;
  /** The highest version that is not yanked, or of all if all are. */
  readonly maxVersion: string;
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly downloads: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** True where only tokens of trusted publishing may add versions. */
  readonly isTrustedOnly: boolean;
}

/** A published version. */
export interface Version {
  readonly crate: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
  /** Bytes of the `.crate`. */
  readonly size: number;
  /** Where the `.crate` is, for `Blobs`. */
  readonly blobKey: string;
  readonly isYanked: boolean;
  /** What was given with the last yank. */
  readonly yankReason: string | null;
  readonly downloads: number;
  readonly publishedAtMs: number;
  /** Login of the publisher. */
  readonly publishedBy: string;
  /** As checked; `readme` is left out (null) and asked for by `findReadme`. */
  readonly metadata: PublishMetadata;
}

/** A crate's index file. */
export interface IndexFile {
  /** Lines, oldest version first, each with its line end. */
  readonly body: string;
  /** For the `ETag` header, with its quotes. Changes with `body`. */
  readonly etag: string;
  readonly changedAtMs: number;
}

/** A crate's index file, by its size instead of what it says. */
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

/** What the audit trail tells of. */
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
  'make-token',
  'revoke-token',
  'add-publisher',
  'remove-publisher',
  'add-own-name',
  'remove-own-name',
  'change-crate',
  'sign-in',
  'sign-out',
] as const;

/** One of them. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An entry of the audit trail, as it is made. */
export interface NewAuditEntry {
  readonly atMs: number;
  /** Login of who did it; null for whoever works on the machine itself. */
  readonly actor: string | null;
  /** The token that was used. */
  readonly tokenId: number | null;
  readonly action: AuditAction;
  readonly crate: string | null;
  readonly version: string | null;
  /** Login of the user that it was done to. */
  readonly subject: string | null;
  /** Whatever else is worth keeping, in plain words; no secrets. */
  readonly detail: string | null;
}

/** An entry of the audit trail. */
export interface AuditEntry extends NewAuditEntry {
  readonly id: number;
}

/** A part of a longer list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** How many there are in all. */
  readonly total: number;
}

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** A version that has been checked and whose blob is stored. */
export interface Publication {
  /** With the readme. */
  readonly metadata: PublishMetadata;
  /** As in the index, not yanked, without its end. */
  readonly indexLine: string;
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
  readonly atMs: number;
  readonly actor: Actor;
  /** False to find out what would happen, and change nothing. */
  readonly isStored: boolean;
}

/** Why a version was not published, or that it was. */
export type PublishOutcome =
  | { readonly kind: 'published'; readonly isNewCrate: boolean }
  /** The crate's name is another spelling of one that there is. */
  | { readonly kind: 'other-spelling'; readonly existing: string }
  /** The version is there, maybe with other build metadata. */
  | { readonly kind: 'duplicate'; readonly existing: string }
  | { readonly kind: 'not-owner' }
  /** The token's scopes or patterns do not allow this. */
  | { readonly kind: 'out-of-scope'; readonly scope: TokenScope }
  /** A crate of the name was deleted, and only its former owners and admins may use the name, until then. */
  | { readonly kind: 'name-reserved'; readonly untilMs: number }
  /** The version was deleted, and may not be used again. */
  | { readonly kind: 'version-deleted' }
  /** The crate's index file, of so many bytes, would become too large. */
  | { readonly kind: 'index-full'; readonly bytes: number }
  /** Only tokens of trusted publishing may add versions. */
  | { readonly kind: 'trusted-only' };

/** What became of a crate's restriction to trusted publishing; the crate as it is afterwards. */
export type TrustedOnlyOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly crate: Crate }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'not-owner' };

/** What became of a yank or its undoing. */
export type YankOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly crate: string }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'no-version'; readonly crate: string }
  | { readonly kind: 'not-owner' };

/** What became of a change of owners; all of it happens, or nothing. */
export type OwnersOutcome =
  /** `changed` are the logins that were not owners before, or are no longer. */
  | { readonly kind: 'changed'; readonly crate: string; readonly changed: readonly string[] }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'not-owner' }
  | { readonly kind: 'no-user'; readonly login: string }
  | { readonly kind: 'not-an-owner'; readonly login: string }
  | { readonly kind: 'last-owner' };

/** What became of a deletion. `blobKeys` are no longer referred to. */
export type DeleteOutcome =
  | { readonly kind: 'deleted'; readonly crate: string; readonly blobKeys: readonly string[] }
  | { readonly kind: 'no-crate' }
  | { readonly kind: 'no-version' };
