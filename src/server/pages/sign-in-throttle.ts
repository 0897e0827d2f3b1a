/** Limits how often passwords can be guessed. Attempts are counted in the store, for all processes together. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { networkOf } from '../http/network-of.ts';
import type { Records, SignInLimit } from '../store.ts';

/** Attempts are forgotten after this time. */
const WINDOW_MS = 15 * 60 * 1000;

/** How many failures may be within that time: of a login from one address, or from one known device, and from an address. */
const MAX_OF_BOTH = 5;
const MAX_OF_DEVICE = 5;
const MAX_OF_ADDRESS = 50;
/**
 * Beyond this many failures of a login, attempts by strangers are slowed down: to refuse them would let anybody lock
 * anybody out.
 */
const MAX_OF_LOGIN = 50;
const SLOW_MS = 10_000;
/** How many slowed attempts of one login may wait in this process. */
const MAX_SLOWED = 3;

/** Who tries to sign in. */
export interface SignInAttempt {
  readonly login: string;
  readonly address: string;
  /** Names a device that has signed in with this login before; null for a stranger. */
  readonly device: string | null;
}

/** An attempt that was not let in. */
export interface SignInRefusal {
  readonly retrySeconds: number;
}

/** Counts attempts to sign in before their passwords are checked, and refuses those that are too many. */
export class SignInThrottle {
  readonly #records: Pick<Records, 'takeSignInAttempt' | 'giveBackSignInAttempt'>;
  readonly #clock: Clock;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** Slowed attempts that wait, by login. */
  readonly #slowed = new Map<string, number>();

  constructor(
    records: Pick<Records, 'takeSignInAttempt' | 'giveBackSignInAttempt'>,
    { clock, pause = sleep }: { readonly clock: Clock; readonly pause?: (ms: number) => Promise<unknown> },
  ) {
    this.#records = records;
    this.#clock = clock;
    this.#pause = pause;
  }

  /**
   * Counts an attempt as failed, and has `isRight` check the password unless there were too many. The count is given
   * back where the password is right, and where `isRight` throws. Waits before that for a stranger whose login had too
   * many failures.
   */
  async attempt(
    attempt: SignInAttempt,
    isRight: () => Promise<boolean>,
  ): Promise<'right' | 'wrong' | SignInRefusal> {
    const atMs = this.#clock.now();
    const { own, shared, login } = subjectsOf(attempt);
    const limits = [own, ...shared];
    const counts = await this.#records.takeSignInAttempt({ limits, atMs, sinceMs: atMs - WINDOW_MS });
    if (counts === null) return { retrySeconds: WINDOW_MS / 1000 };
    const subjects = limits.map(({ subject }) => subject);
    const giveBack = (forgotten: string | null): Promise<void> =>
      this.#records.giveBackSignInAttempt({ subjects, atMs, forgotten });
    if ((counts.get(login) ?? 0) > MAX_OF_LOGIN && !(await this.#slowDown(login))) {
      await giveBack(null);
      return { retrySeconds: SLOW_MS / 1000 };
    }
    try {
      if (!(await isRight())) return 'wrong';
    } catch (error) {
      await giveBack(null);
      throw error;
    }
    await giveBack(own.subject);
    return 'right';
  }

  /** Waits; false where enough others of this login do. */
  async #slowDown(login: string): Promise<boolean> {
    const waiting = this.#slowed.get(login) ?? 0;
    if (waiting >= MAX_SLOWED) return false;
    this.#slowed.set(login, waiting + 1);
    try {
      await this.#pause(SLOW_MS);
    } finally {
      const left = (this.#slowed.get(login) ?? 1) - 1;
      if (left === 0) this.#slowed.delete(login);
      else this.#slowed.set(login, left);
    }
    return true;
  }
}

/** What a refused attempt is told. */
export function describeRefusal({ retrySeconds }: SignInRefusal): string {
  return retrySeconds < 60
    ? `Too many attempts to sign in with this login. Try again in ${retrySeconds} seconds.`
    : 'Too many failed attempts. Try again in 15 minutes.';
}

interface Subjects {
  /** Forgotten after a success. */
  readonly own: SignInLimit;
  readonly shared: readonly SignInLimit[];
  /** The subject that slows down. */
  readonly login: string;
}

/** A known device is counted by itself: nobody else can use up what it has. */
function subjectsOf({ login, address, device }: SignInAttempt): Subjects {
  const lower = login.toLowerCase().slice(0, 100);
  const client = networkOf(address);
  const ofLogin = `login ${lower}`;
  if (device !== null) {
    return { own: { subject: `device ${device}`, max: MAX_OF_DEVICE }, shared: [], login: ofLogin };
  }
  return {
    own: { subject: `both ${client} ${lower}`, max: MAX_OF_BOTH },
    shared: [
      { subject: `address ${client}`, max: MAX_OF_ADDRESS },
      { subject: ofLogin, max: null },
    ],
    login: ofLogin,
  };
}
