/** Records of owners. */
import type { User, Crate, CrateRights, OwnersOutcome, Actor, Page, PageRequest, Team } from './values.ts';

/** The owners of crates. The rules of `Records` apply. */
export interface OwnerRecords {
  /** Lists owners that are users in the order in which they became owners; null if the crate does not exist. */
  listOwners(crate: string): Promise<readonly User[] | null>;
  /** Lists the teams that own a crate, by name; null if the crate does not exist. */
  listOwnerTeams(crate: string): Promise<readonly Team[] | null>;
  /** Returns what a user may do with a crate; `none` if it does not exist. */
  findCrateRights(crate: string, user: Pick<User, 'id' | 'isAdmin'>): Promise<CrateRights>;
  /** Lists the crates that a user owns, by name, without those of teams. */
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
  /** Logins of users, and of teams as `teamLogin` returns them. */
  readonly logins: readonly string[];
  readonly atMs: number;
  readonly actor: Actor;
}
