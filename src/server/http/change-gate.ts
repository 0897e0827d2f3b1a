/** Who may change something through the web API, and how often. */
import type { ServerContext } from '../server-context.ts';
import type { TokenScope } from '../store-values.ts';
import { isForCrate } from '../tokens.ts';
import { ApiError } from './api-error.ts';
import { type Authenticator, requireScope, type TokenActor, tooMany } from './authenticate.ts';
import type { HttpContext } from './http-env.ts';
import { RateLimit } from './rate-limit.ts';

/** Lets requests in that change something. Whether the actor owns the crate is for the records to say. */
export class ChangeGate {
  readonly #authenticator: Authenticator;
  readonly #changes: RateLimit;

  constructor({ records, settings, clock }: ServerContext, authenticator: Authenticator) {
    this.#authenticator = authenticator;
    this.#changes = new RateLimit(records, {
      name: 'change',
      perMinute: settings.limits.changesPerMinute,
      clock,
    });
  }

  /** Counts a change of the request's user. Throws a 401, 403 or 429. */
  async count(c: HttpContext): Promise<TokenActor> {
    const actor = await this.#authenticator.requireActor(c);
    const waitSeconds = await this.#changes.take(String(actor.user.id));
    if (waitSeconds > 0) throw tooMany('too many changes', waitSeconds);
    return actor;
  }

  /** As `count`, for a token that must be for `scope` and the crate. */
  async admit(
    c: HttpContext,
    { scope, crate }: { readonly scope: TokenScope; readonly crate: string },
  ): Promise<TokenActor> {
    const actor = await this.count(c);
    requireScope(actor.token, scope);
    if (!isForCrate(actor.token, crate)) {
      throw new ApiError(403, `the token does not allow this: it is not for the crate \`${crate}\``);
    }
    return actor;
  }
}
