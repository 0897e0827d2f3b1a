/** Changes the password of the signed-in user. Guesses of the current one are limited as those of a sign-in are. */
import { findPasswordProblem, hashPassword, verifyPassword } from '../../auth/passwords.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';
import { type SignInRefusal, SignInThrottle } from '../services/sign-in-throttle.ts';

/** A field of the form with a problem, as a sentence. */
export interface PasswordProblem {
  readonly field: 'old' | 'new' | 'again';
  readonly text: string;
}

/** The result of the form. `refused`: there were too many failed attempts, so the password was not checked. */
export type PasswordOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'problem'; readonly problem: PasswordProblem }
  | { readonly kind: 'refused'; readonly refusal: SignInRefusal };

/** Handles the form that changes a password. */
export class PasswordChange {
  readonly #services: PageServices;
  readonly #handlers: PageHandlers;
  readonly #throttle: SignInThrottle;

  constructor(services: PageServices, handlers: PageHandlers) {
    const { records, clock } = services.context;
    this.#services = services;
    this.#handlers = handlers;
    this.#throttle = new SignInThrottle(records, { clock });
  }

  /** Changes the password, and ends all sessions of the user except this one, which gets a new cookie. */
  async run(request: UserPageRequest, form: URLSearchParams): Promise<PasswordOutcome> {
    const password = form.get('new') ?? '';
    // Checked before the current password, so that a mistake here costs no attempt.
    const problem = findNewPasswordProblem(password, form.get('again') ?? '');
    if (problem !== null) return { kind: 'problem', problem };
    const outcome = await this.#checkCurrent(request, form.get('old') ?? '');
    if (typeof outcome === 'object') return { kind: 'refused', refusal: outcome };
    if (outcome === 'wrong') {
      return { kind: 'problem', problem: { field: 'old', text: 'The current password is wrong.' } };
    }
    await this.#save(request, password);
    return { kind: 'changed' };
  }

  /** Checks the current password as one attempt to sign in. Counts and logs a failure. */
  async #checkCurrent({ c, user }: UserPageRequest, password: string): ReturnType<SignInThrottle['attempt']> {
    const { context, sessions, failedSignIns } = this.#services;
    const { records, clock, log } = context;
    const passwordHash = await records.findPasswordHash(user.id);
    const device = passwordHash === null ? null : await sessions.knownDevice(c, { user, passwordHash });
    const address = this.#handlers.address(c);
    const outcome = await this.#throttle.attempt({ login: user.login, address, device }, () =>
      verifyPassword(password, passwordHash, { isKnownDevice: device !== null }),
    );
    if (outcome !== 'right') {
      failedSignIns.add(clock.now());
      log.warning(outcome === 'wrong' ? 'sign-in-refused' : 'sign-in-throttled', { address });
    }
    return outcome;
  }

  async #save({ c, user, records }: UserPageRequest, password: string): Promise<void> {
    const { context, sessions } = this.#services;
    const passwordHash = await hashPassword(password);
    await records.updateUser(user.id, { passwordHash });
    await context.records.addAudit({
      atMs: context.clock.now(),
      actor: user.login,
      action: 'change-user',
      subject: user.login,
      detail: 'password',
    });
    // The new password ended all sessions, also this one.
    await sessions.start(c, { user, passwordHash });
    await sessions.rememberDevice(c, { user, passwordHash });
  }
}

function findNewPasswordProblem(password: string, again: string): PasswordProblem | null {
  const text = findPasswordProblem(password);
  if (text !== null) return { field: 'new', text };
  return password === again ? null : { field: 'again', text: 'The two new passwords differ.' };
}
