/** Records of sessions and of attempts to sign in. */
import type { Session, User } from './values.ts';

/** The sessions of users in browsers, and the secrets that sign them. The rules of `Records` apply. */
export interface SessionRecords {
  /** Creates a session, and deletes expired ones. */
  createSession(idHash: string, session: Session): Promise<void>;
  /** Finds expired sessions and disabled users too; the caller must refuse them. */
  findSession(idHash: string): Promise<(Session & { readonly user: User }) | null>;
  /** Deletes a session if it exists. */
  deleteSession(idHash: string): Promise<void>;
  /** Returns the secret with this name (to sign cookies, for example): 32 random bytes, the same for all processes. */
  secret(name: string): Promise<Uint8Array>;
}

/** The attempts to sign in that failed or are in progress. The rules of `Records` apply. */
export interface SignInAttemptRecords {
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
    /** The subject whose attempts no longer count; null for none. */
    readonly forgotten: string | null;
  }): Promise<void>;
}

/** A sign-in attempt to count. */
export interface SignInCount {
  readonly limits: readonly SignInLimit[];
  readonly atMs: number;
  /** Older attempts do not count. */
  readonly sinceMs: number;
}

/** A limit for the sign-in attempts of a login, an address or a device. */
export interface SignInLimit {
  readonly subject: string;
  /** null for no limit. */
  readonly max: number | null;
}
