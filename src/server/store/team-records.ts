/** Records of teams. */
import type { Actor, Page, PageRequest, Team, User } from './values.ts';

/** The teams of a registry. The rules of `Records` apply. The caller checks the rights to change them. */
export interface TeamRecords {
  /** Lists teams by name. */
  listTeams(page: PageRequest): Promise<Page<CountedTeam>>;
  findTeam(name: string): Promise<TeamDetails | null>;
  /** Lists the teams of a user by name. */
  listTeamsOf(userId: number): Promise<readonly Team[]>;
  /** Creates a team without members, with an audit entry. */
  createTeam(team: NewTeam): Promise<NewTeamOutcome>;
  /** Adds or removes all `logins`, with audit entries, or changes nothing. */
  changeMembers(change: MembersChange): Promise<MembersOutcome>;
  /** Deletes a team and removes it from the owners of its crates, with audit entries. */
  deleteTeam(deletion: TeamDeletion): Promise<TeamDeletionOutcome>;
}

/** A team in a list. */
export interface CountedTeam extends Team {
  readonly memberCount: number;
  readonly crateCount: number;
}

/** A team with its members, by login. */
export interface TeamDetails extends Team {
  readonly members: readonly User[];
  /** Number of crates that the team owns. */
  readonly crateCount: number;
}

/** A team to create. */
export interface NewTeam {
  readonly name: string;
  readonly atMs: number;
  /** null for the command line. */
  readonly actor: Actor | null;
}

/** Members to add or remove. */
export interface MembersChange {
  /** The name of the team. */
  readonly team: string;
  readonly action: 'add' | 'remove';
  readonly logins: readonly string[];
  readonly atMs: number;
  /** null for the command line. */
  readonly actor: Actor | null;
}

/** A team to delete. */
export interface TeamDeletion extends NewTeam {
  /** Whether the team is also deleted if it owns crates. */
  readonly mayOwnCrates: boolean;
}

/** The result of creating a team. */
export type NewTeamOutcome =
  | { readonly kind: 'created'; readonly team: Team }
  | { readonly kind: 'taken' }
  /** The registry has as many teams as it may have. */
  | { readonly kind: 'too-many'; readonly max: number };

/** The result of a change of members, which happens completely or not at all. */
export type MembersOutcome =
  /** `changed` are the logins that were added or removed. */
  | { readonly kind: 'changed'; readonly team: string; readonly changed: readonly string[] }
  | { readonly kind: 'no-team' }
  | { readonly kind: 'no-user'; readonly login: string }
  | { readonly kind: 'not-a-member'; readonly login: string }
  /** The team would have more than `max` members. */
  | { readonly kind: 'too-many'; readonly max: number };

/** The result of deleting a team. */
export type TeamDeletionOutcome =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'no-team' }
  /** The team owns crates, and the deletion does not allow that. */
  | { readonly kind: 'owns-crates' };
