/** Records of users. */
import type { User, PageRequest, Page } from './values.ts';

/** The users of a registry. The rules of `Records` apply. */
export interface UserRecords {
  findUser(login: string): Promise<User | null>;
  findUserById(id: number): Promise<User | null>;
  /** Lists users by login. */
  listUsers(page: PageRequest): Promise<Page<User>>;
  /** Returns null if the login is taken. */
  createUser(user: NewUser): Promise<User | null>;
  /**
   * Changes the given values. `passwordHash: null` removes the password. Any `passwordHash` ends all sessions, and so
   * does `isDisabled: true`.
   */
  updateUser(id: number, changes: UserChanges): Promise<void>;
  /** Returns the result of `hashPassword`; null if the user has no password. */
  findPasswordHash(userId: number): Promise<string | null>;
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
