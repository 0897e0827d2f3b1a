/** Authorization and rate limit of changes through the web API. */
import type { ServerContext } from '../server-context.ts';
import type { TokenScope } from '../store/values.ts';
import type { AuthorizedRecords } from '../store/store.ts';
import { isForCrate } from '../auth/tokens.ts';
import { ApiError } from './api-error.ts';
import { type Authenticator, requireScope, type TokenActor, tooManyRequests } from './authenticate.ts';
import type { HttpContext } from './http-env.ts';
import { RateLimit } from './rate-limit.ts';

/** A request for a change that the actor's token allows. */
export interface AuthorizedRequest {
  readonly actor: TokenActor;
  /** Records for changes in the name of the actor. Each change checks the actor's rights again. */
  readonly records: AuthorizedRecords;
}

/** Returns the limit of changes per user, which the web API and the forms share. */
export function changeLimit({
  records,
  settings,
  clock,
}: Pick<ServerContext, 'records' | 'settings' | 'clock'>): RateLimit {
  return new RateLimit(records, { name: 'change', perMinute: settings.limits.changesPerMinute, clock });
}

/** Authorization of requests for changes. The records check whether the actor owns the crate. */
export class WriteGuard {
  readonly #context: ServerContext;
  readonly #authenticator: Authenticator;
  readonly #changes: RateLimit;
  readonly #readsAreProtected: boolean;

  constructor(context: ServerContext, authenticator: Authenticator) {
    const { settings } = context;
    this.#context = context;
    this.#authenticator = authenticator;
    this.#readsAreProtected = settings.authRequired;
    this.#changes = changeLimit(context);
  }

  /** Authorizes and counts a publish. The token needs a scope for publishing. Throws a 401, 403 or 429. */
  async authorizePublish(c: HttpContext): Promise<AuthorizedRequest> {
    const actor = await this.#authenticator.requireActor(c);
    if (!actor.token.scopes.includes('publish-update')) requireScope(actor.token, 'publish-new');
    return this.#count(actor);
  }

  /** Counts a change that the token allows: tokens without the right must not use up their user's limit. */
  async #count(actor: TokenActor): Promise<AuthorizedRequest> {
    const { records, clock } = this.#context;
    const waitSeconds = await this.#changes.consume(String(actor.user.id));
    if (waitSeconds > 0) throw tooManyRequests('too many changes', waitSeconds);
    return { actor, records: records.authorize(actor, clock) };
  }

  /** Authorizes and counts a change. The token needs `scope` and the crate. Throws a 401, 403 or 429. */
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
   * Returns the error for an actor that may not change a crate, or for a crate that does not exist. An actor that may
   * not read the registry gets the same error for both, because it may not learn which crates exist.
   */
  refusal({ token }: TokenActor, { crate, crateExists, notOwner }: RefusedChange): ApiError {
    const mayKnow = !this.#readsAreProtected || token.scopes.includes('read');
    return crateExists || !mayKnow
      ? new ApiError(403, notOwner)
      : new ApiError(404, `crate \`${crate}\` does not exist`);
  }
}

/** A change of a crate that does not exist or is not the actor's. */
export interface RefusedChange {
  readonly crate: string;
  readonly crateExists: boolean;
  /** The message for an actor that is not an owner. */
  readonly notOwner: string;
}
