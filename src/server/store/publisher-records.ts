/** Records of trusted publishing. */
import type { Publisher, TrustedOnlyOutcome, Actor, Page, PageRequest } from './values.ts';

/** The identities of trusted publishing. The rules of `Records` apply. */
export interface PublisherRecords {
  /** Creates a publisher, with an audit entry. Returns null if its user has the same one already. */
  createPublisher(publisher: NewPublisher): Promise<Publisher | null>;
  /** Lists publishers in the order of their creation: those of one issuer, or all. */
  listPublishers(filter?: { readonly issuer?: string }): Promise<readonly Publisher[]>;
  /** Lists a part of all publishers, in the order of `listPublishers`. */
  listPublisherPage(page: PageRequest): Promise<Page<Publisher>>;
  /** Deletes a publisher and revokes its issuer's tokens for its user. Returns null if it does not exist. */
  deletePublisher(deletion: PublisherDeletion): Promise<Publisher | null>;
  /** Restricts a crate to tokens of trusted publishing, or removes the restriction. */
  setTrustedOnly(change: TrustedOnlyChange): Promise<TrustedOnlyOutcome>;
  /**
   * Stores the key of a JWT until it expires, so that each JWT works only once. Returns false if the key was already
   * there.
   */
  useAssertion(use: {
    readonly key: string;
    readonly expiresAtMs: number;
    readonly atMs: number;
  }): Promise<boolean>;
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
  /** null for the command line. */
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
