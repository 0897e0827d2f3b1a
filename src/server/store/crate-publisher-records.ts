/** Records of the trusted publishers that the owners of a crate manage. */
import type { Actor, Claim, Publisher } from './values.ts';

/** The trusted publishers of single crates. The rules of `Records` apply. */
export interface CratePublisherRecords {
  /**
   * Lists publishers that are only for a crate, and others that can publish it: their patterns match it, and their user
   * is an owner, a member of a team that owns it, or an admin. Those of former owners are listed so that the present
   * ones can delete them.
   */
  listCratePublishers(crate: string): Promise<readonly Publisher[]>;
  /** Lists the issuers of all publishers, in alphabetical order. Of very many only the first. */
  listIssuers(): Promise<readonly string[]>;
  /**
   * Creates a publisher for one crate, with an audit entry. It publishes as the actor, or as the first owner if the
   * actor is an admin who does not own the crate.
   */
  createCratePublisher(publisher: NewCratePublisher): Promise<NewCratePublisherOutcome>;
  /** Deletes a publisher that is only for this crate, as `deletePublisher` does. */
  deleteCratePublisher(deletion: CratePublisherDeletion): Promise<CratePublisherDeletionOutcome>;
}

/** A checked publisher for one crate. */
export interface NewCratePublisher {
  readonly issuer: string;
  readonly claims: readonly Claim[];
  readonly crate: string;
  readonly atMs: number;
  readonly actor: Actor;
}

/** A publisher of a crate to delete. */
export interface CratePublisherDeletion {
  readonly id: number;
  readonly crate: string;
  readonly atMs: number;
  readonly actor: Actor;
}

/** The result for a crate that does not exist, or that the actor may not change. */
export type RefusedCrate = { readonly kind: 'no-crate' } | { readonly kind: 'not-owner' };

/** The result of adding a publisher to a crate. */
export type NewCratePublisherOutcome =
  | { readonly kind: 'added'; readonly crate: string }
  /** The crate has as many publishers as it may have. */
  | { readonly kind: 'too-many'; readonly max: number }
  /** A publisher of another user might match the same jobs, which the server would then refuse. */
  | { readonly kind: 'ambiguous' }
  /** The user has the same publisher already. */
  | { readonly kind: 'duplicate' }
  | RefusedCrate;

/** The result of deleting a publisher of a crate. */
export type CratePublisherDeletionOutcome =
  | { readonly kind: 'removed'; readonly crate: string }
  | { readonly kind: 'no-publisher' }
  | RefusedCrate;
