/** Slows down whoever guesses passwords. Failures are counted in the store, for all processes together. */
import type { Clock } from '../clock.ts';
import { networkOf } from '../http/network-of.ts';
import type { Records } from '../store.ts';

/** Failures are forgotten after this time. */
const WINDOW_MS = 15 * 60 * 1000;

/** How many failures are let pass: of a login from one address, of a login, and from an address. */
const MAX_OF_BOTH = 5;
const MAX_OF_LOGIN = 50;
const MAX_OF_ADDRESS = 50;

/** What whoever is refused is told. */
export const TOO_MANY_FAILURES = 'Too many failures. Wait a quarter of an hour, then try again.';

/** Who tries to sign in. */
export interface SignInAttempt {
  readonly login: string;
  readonly address: string;
}

/** Counts failures to sign in, and says when there were too many. */
export class SignInThrottle {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** How long whoever is refused should wait. */
  readonly waitSeconds = WINDOW_MS / 1000;

  /**
   * Begins an attempt, which counts as failed until `succeed`: so that many at once are no more than one after
   * the other. False if there were too many.
   */
  async begin(attempt: SignInAttempt): Promise<boolean> {
    const { both, login, address } = subjects(attempt);
    const sinceMs = this.#clock.now() - WINDOW_MS;
    const [ofLogin, ofAddress] = await Promise.all([
      this.#records.countSignInFailures(login, sinceMs),
      this.#records.countSignInFailures(address, sinceMs),
    ]);
    if (ofLogin >= MAX_OF_LOGIN || ofAddress >= MAX_OF_ADDRESS) return false;
    if ((await this.#records.countSignInFailures(both, sinceMs)) >= MAX_OF_BOTH) return false;
    await this.#add(both);
    return (await this.#records.countSignInFailures(both, sinceMs)) <= MAX_OF_BOTH;
  }

  /** Ends an attempt with a wrong login or password. */
  async fail(attempt: SignInAttempt): Promise<void> {
    const { login, address } = subjects(attempt);
    await this.#add(login);
    await this.#add(address);
  }

  /** Ends an attempt, and forgets the failures of this login from this address. */
  async succeed(attempt: SignInAttempt): Promise<void> {
    await this.#records.clearSignInFailures(subjects(attempt).both);
  }

  async #add(subject: string): Promise<void> {
    const atMs = this.#clock.now();
    await this.#records.addSignInFailure(subject, { atMs, sinceMs: atMs - WINDOW_MS });
  }
}

function subjects({ login, address }: SignInAttempt): { both: string; login: string; address: string } {
  const lower = login.toLowerCase().slice(0, 100);
  const client = networkOf(address);
  return { both: `both ${client} ${lower}`, login: `login ${lower}`, address: `address ${client}` };
}
