/** Records of owners. */
import type { User, Crate, OwnersOutcome, Actor, Page, PageRequest } from './values.ts';

/** The owners of crates. The rules of `Records` apply. */
export interface OwnerRecords {
  /** Lists owners in the order in which they became owners; null if the crate does not exist. */
  listOwners(crate: string): Promise<readonly User[] | null>;
  /** Lists the crates that a user owns, by name. */
  listOwnedCrates(userId: number): Promise<readonly Crate[]>;
  /** Lists a part of the same crates. */
  listOwnedCratePage(userId: number, page: PageRequest): Promise<Page<Crate>>;
  /** Adds or removes all `logins`, with audit entries, or changes nothing. */
  changeOwners(change: OwnersChange): Promise<OwnersOutcome>;
}

/** Owners to add or remove. */
export interface OwnersChange {
  readonly crate: string;
  readonly action: 'add' | 'remove';
  readonly logins: readonly string[];
  readonly atMs: number;
  readonly actor: Actor;
}
