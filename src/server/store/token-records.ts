/** Records of tokens. */
import type { Token, Actor, Page, PageRequest, TokenScope } from './values.ts';

/** The tokens of users. The rules of `Records` apply. */
export interface TokenRecords {
  /** Creates a token. For trusted publishing, also deletes such tokens that expired more than a day ago. */
  createToken(token: NewToken): Promise<Token>;
  /** Finds expired and revoked tokens too; the caller must refuse them. */
  findTokenByHash(hash: string): Promise<OwnedToken | null>;
  /** Lists a user's tokens in the order of their creation, with expired and revoked ones. */
  listTokens(userId: number): Promise<readonly Token[]>;
  /** Lists a part of the same tokens, newest first. */
  listTokenPage(userId: number, page: PageRequest): Promise<Page<Token>>;
  /** Finds expired and revoked tokens too. */
  findToken(tokenId: number): Promise<OwnedToken | null>;
  /** Returns false, and changes nothing, if the user has no such token, or it is already revoked. */
  revokeToken(revocation: TokenRevocation): Promise<boolean>;
  /** Saves the last use of a token, at most once a minute. */
  touchToken(tokenId: number, atMs: number): Promise<void>;
}

/** A token and its user. */
export interface OwnedToken extends Actor {
  readonly token: Token;
}

/** A token to revoke. */
export interface TokenRevocation {
  readonly userId: number;
  readonly tokenId: number;
  readonly atMs: number;
  /** The author of the audit entry, which the same transaction adds. Absent if the caller adds the entry. */
  readonly audit?: {
    /** null for the command line. */
    readonly actor: Actor | null;
  };
}

/** A token to store. */
export interface NewToken {
  readonly userId: number;
  readonly name: string;
  /** The result of `hashToken`. */
  readonly hash: string;
  /** The first characters of the secret, to recognize the token by. */
  readonly prefix: string;
  readonly scopes: readonly TokenScope[];
  /** Crate names, or prefixes followed by `*`; empty for every crate. */
  readonly cratePatterns: readonly string[];
  readonly createdAtMs: number;
  /** null for a token that does not expire. */
  readonly expiresAtMs: number | null;
  /** Present for a token of trusted publishing. */
  readonly issuer?: string;
}
