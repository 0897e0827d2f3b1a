/** Limits how often passwords can be guessed. The store counts attempts, for all processes together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../../core/errors/assert.ts';
import type { Clock } from '../../shared/clock.ts';
import { networkOf } from '../../http/network-of.ts';
import type { SignInAttemptRecords, SignInLimit } from '../../store/session-records.ts';

/** Attempts expire after this time. */
const WINDOW_MS = 15 * 60 * 1000;

/** Maximum failures within `WINDOW_MS`: of a login from one address, of a known device, and of an address. */
const MAX_OF_BOTH = 5;
const MAX_OF_DEVICE = 5;
const MAX_OF_ADDRESS = 50;
/**
 * Above this number of failures of a login, attempts by strangers are slowed down. Refusing them would let anyone lock
 * out anyone.
 */
const MAX_OF_LOGIN = 50;
const SLOW_MS = 10_000;
/** Maximum number of slowed attempts of one login that wait in this process. */
const MAX_SLOWED = 3;
/** More than any login has, so that the store never gets a long text. */
const MAX_SUBJECT_CHARS = 100;

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly login: string;
  readonly address: string;
  /** ID of a device that has signed in with this login before; null for a stranger. */
  readonly device: string | null;
}

/** A refused attempt, and the time after which to try again. */
export interface SignInRefusal {
  readonly retrySeconds: number;
}

/** A limit on sign-in attempts. It counts each attempt before its password is checked, and refuses excess ones. */
export class SignInThrottle {
  readonly #records: SignInAttemptRecords;
  readonly #clock: Clock;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** Number of slowed attempts that wait, by login. */
  readonly #slowed = new Map<string, number>();

  constructor(
    records: SignInAttemptRecords,
    { clock, pause = sleep }: { readonly clock: Clock; readonly pause?: (ms: number) => Promise<unknown> },
  ) {
    this.#records = records;
    this.#clock = clock;
    this.#pause = pause;
  }

  /**
   * Counts an attempt as failed, and calls `isCorrect` to check the password unless there were too many. If the login of
   * a stranger has too many failures, waits before that. Removes the attempt if the password is right or `isCorrect`
   * throws.
   */
  async attempt(
    attempt: SignInAttempt,
    isCorrect: () => Promise<boolean>,
  ): Promise<'right' | 'wrong' | SignInRefusal> {
    const atMs = this.#clock.now();
    const { own, shared, login } = subjectsOf(attempt);
    const limits = [own, ...shared];
    const counts = await this.#records.takeSignInAttempt({ limits, atMs, sinceMs: atMs - WINDOW_MS });
    if (counts === null) return { retrySeconds: WINDOW_MS / 1000 };
    const subjects = limits.map(({ subject }) => subject);
    // Removes this attempt, and all attempts of `forgotten`.
    const giveBack = (forgotten: string | null): Promise<void> =>
      this.#records.giveBackSignInAttempt({ subjects, atMs, forgotten });
    // For a known device, the failures of the login do not count.
    if ((counts.get(login) ?? 0) > MAX_OF_LOGIN && !(await this.#slowDown(login))) {
      await giveBack(null);
      return { retrySeconds: SLOW_MS / 1000 };
    }
    try {
      if (!(await isCorrect())) return 'wrong';
    } catch (error) {
      await giveBack(null);
      throw error;
    }
    await giveBack(own.subject);
    return 'right';
  }

  /** Waits for `SLOW_MS` and returns true. Returns false at once if too many attempts of this login wait. */
  async #slowDown(login: string): Promise<boolean> {
    const waiting = this.#slowed.get(login) ?? 0;
    if (waiting >= MAX_SLOWED) return false;
    this.#slowed.set(login, waiting + 1);
    try {
      await this.#pause(SLOW_MS);
    } finally {
      const remaining = present(this.#slowed.get(login), 'the number of slowed attempts') - 1;
      if (remaining === 0) this.#slowed.delete(login);
      else this.#slowed.set(login, remaining);
    }
    return true;
  }
}

/** Returns the message for a refused attempt. */
export function describeRefusal({ retrySeconds }: SignInRefusal): string {
  return retrySeconds < 60
    ? `Too many attempts to sign in with this login. Try again in ${retrySeconds} seconds.`
    : 'Too many failed attempts. Try again in 15 minutes.';
}

/** The subjects of an attempt: those whose failures limit it. */
interface Subjects {
  /** The subject whose attempts a success removes. */
  readonly own: SignInLimit;
  /** Further subjects, of which a success removes only its own attempt. */
  readonly shared: readonly SignInLimit[];
  /** The subject that causes the delay. */
  readonly login: string;
}

/**
 * Returns the subjects of an attempt. A known device has one of its own, so that nobody else can use up its attempts.
 * An address counts as its network.
 */
function subjectsOf({ login, address, device }: SignInAttempt): Subjects {
  const lowerCaseLogin = login.toLowerCase().slice(0, MAX_SUBJECT_CHARS);
  const client = networkOf(address);
  const ofLogin = `login ${lowerCaseLogin}`;
  if (device !== null) {
    return { own: { subject: `device ${device}`, max: MAX_OF_DEVICE }, shared: [], login: ofLogin };
  }
  return {
    own: { subject: `both ${client} ${lowerCaseLogin}`, max: MAX_OF_BOTH },
    shared: [
      { subject: `address ${client}`, max: MAX_OF_ADDRESS },
      { subject: ofLogin, max: null },
    ],
    login: ofLogin,
  };
}
