/** Who may change something through the web API, and how often. */
import type { ServerContext } from '../server-context.ts';
import type { TokenScope } from '../store-values.ts';
import type { AuthorizedRecords } from '../store.ts';
import { isForCrate } from '../tokens.ts';
import { ApiError } from './api-error.ts';
import { type Authenticator, requireScope, type TokenActor, tooMany } from './authenticate.ts';
import type { HttpContext } from './http-env.ts';
import { RateLimit } from './rate-limit.ts';

/** A request that may change something as far as is known yet. */
export interface AuthorizedRequest {
  readonly actor: TokenActor;
  /** For changes in the name of the actor, whose rights each of them checks again. */
  readonly records: AuthorizedRecords;
}

/** Lets requests in that change something. Whether the actor owns the crate is for the records to say. */
export class WriteGuard {
  readonly #context: ServerContext;
  readonly #authenticator: Authenticator;
  readonly #changes: RateLimit;
  readonly #readsAreProtected: boolean;

  constructor(context: ServerContext, authenticator: Authenticator) {
    const { records, settings, clock } = context;
    this.#context = context;
    this.#authenticator = authenticator;
    this.#readsAreProtected = settings.authRequired;
    this.#changes = new RateLimit(records, {
      name: 'change',
      perMinute: settings.limits.changesPerMinute,
      clock,
    });
  }

  /** Counts a publish of the request's user, whose token must be able to publish something. Throws a 401, 403 or 429. */
  async authorizePublish(c: HttpContext): Promise<AuthorizedRequest> {
    const actor = await this.#authenticator.requireActor(c);
    if (!actor.token.scopes.includes('publish-update')) requireScope(actor.token, 'publish-new');
    return this.#count(actor);
  }

  /** Only what the token allows: else the smallest of a user's tokens could use up what all others may do. */
  async #count(actor: TokenActor): Promise<AuthorizedRequest> {
    const { records, clock } = this.#context;
    const waitSeconds = await this.#changes.take(String(actor.user.id));
    if (waitSeconds > 0) throw tooMany('too many changes', waitSeconds);
    return { actor, records: records.authorize(actor, clock) };
  }

  /** Counts a change of the request's user, whose token must be for `scope` and the crate. Throws a 401, 403 or 429. */
  async authorize(
    c: HttpContext,
    { scope, crate }: { readonly scope: TokenScope; readonly crate: string },
  ): Promise<AuthorizedRequest> {
    const actor = await this.#authenticator.requireActor(c);
    const { token } = actor;
    requireScope(token, scope);
    if (!isForCrate(token, crate)) {
      throw new ApiError(403, `the token does not allow this: it is not for the crate \`${crate}\``);
    }
    return this.#count(actor);
  }

  /**
   * What an actor is told who may not change a crate, or of whose name there is none. Whoever may not read the registry
   * is told the same of both: which crates there are is not theirs to know.
   */
  refusal({ token }: TokenActor, { crate, isThere, notOwner }: RefusedChange): ApiError {
    const mayKnow = !this.#readsAreProtected || token.scopes.includes('read');
    return isThere || !mayKnow
      ? new ApiError(403, notOwner)
      : new ApiError(404, `crate \`${crate}\` does not exist`);
  }
}

/** A change of a crate that is not the actor's, or not there. */
export interface RefusedChange {
  readonly crate: string;
  readonly isThere: boolean;
  /** What owners alone may do. */
  readonly notOwner: string;
}
