/** Authentication of requests. Cargo Book: Registry Authentication, Registry Web API. */
import type { ServerContext } from '../server-context.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { Actor, Token, TokenScope } from '../store/values.ts';
import { hashToken } from '../auth/tokens.ts';
import { ApiError } from './api-error.ts';
import { clientNetwork, type HttpContext } from './http-env.ts';
import { RateLimit } from './rate-limit.ts';

/** An actor that was authenticated by a token. */
export type TokenActor = Actor & { readonly token: Token };

/** Minimum time between two updates of the last use of a token. `touchToken` has the same one for all processes. */
const TOUCH_AFTER_MS = 60_000;

/** Identifies the sender of a request by the token in `Authorization`, with or without `Bearer` before it. */
export class Authenticator {
  readonly #context: ServerContext;
  readonly #refusals: RateLimit;

  constructor(context: ServerContext) {
    this.#context = context;
    this.#refusals = new RateLimit(context.records, {
      name: 'refused-token',
      perMinute: context.settings.limits.refusalsPerMinute,
      clock: context.clock,
    });
  }

  /**
   * Returns the actor of a request. Throws a 401 with the login URL for cargo if there is no token, a 403 if it is
   * invalid, and a 429 after too many invalid ones.
   */
  async requireActor(c: HttpContext): Promise<TokenActor> {
    const actor = await this.#find(c);
    if (actor === null) throw this.#challenge('this requires a token');
    if (actor === 'refused')
      throw new ApiError(403, 'the token is not valid: it is unknown, expired or revoked');
    return actor;
  }

  /**
   * Returns the actor of a request that needs no token unless the registry is private; null for an anonymous one.
   * Throws as `requireActor` does, and a 403 if the registry is private and the token lacks the scope `read`.
   */
  async findReader(c: HttpContext): Promise<TokenActor | null> {
    if (!this.#context.settings.authRequired && c.req.header('authorization') === undefined) return null;
    const actor = await this.requireActor(c);
    this.#requireRead(actor);
    return actor;
  }

  /**
   * Checks that the sender may use the index and downloads. For a private registry, throws a 401 without a valid token,
   * a 403 without the scope `read`, and a 429 after too many invalid tokens.
   */
  async requireReader(c: HttpContext): Promise<void> {
    if (!this.#context.settings.authRequired) return;
    const actor = await this.#find(c);
    if (actor === null) throw this.#challenge('this registry requires a token');
    // Unlike in the web API, not a 403: only after a 401 from the index does cargo say that the token was rejected, and
    // where to get another one.
    if (actor === 'refused')
      throw this.#challenge('the token is not valid: it is unknown, expired or revoked');
    this.#requireRead(actor);
  }

  #requireRead({ token }: TokenActor): void {
    if (this.#context.settings.authRequired) requireScope(token, 'read');
  }

  #challenge(detail: string): ApiError {
    const login = `${this.#context.settings.baseUrl}/me`;
    return new ApiError(401, detail, { 'WWW-Authenticate': `Cargo login_url="${login}"` });
  }

  /** Returns null without a token, `refused` for an invalid one. Throws a 429 if the client's network sent too many. */
  async #find(c: HttpContext): Promise<TokenActor | 'refused' | null> {
    const { records, clock, settings, log } = this.#context;
    const secret = tokenOf(c.req.header('authorization'));
    if (secret === null) return null;
    const actor = await records.findTokenByHash(hashToken(secret));
    const nowMs = clock.now();
    if (actor === null || !isValid(actor, nowMs)) {
      // Only for invalid tokens: other clients in the network must not block a client with a valid one.
      const client = clientNetwork(c, settings.trustedProxies);
      const waitSeconds = await this.#refusals.peek(client);
      if (waitSeconds > 0) throw tooManyRequests('too many invalid tokens', waitSeconds);
      await this.#refusals.consume(client);
      return 'refused';
    }
    const { token, user } = actor;
    c.set('login', user.login);
    if (token.lastUsedAtMs === null || token.lastUsedAtMs + TOUCH_AFTER_MS < nowMs) {
      // No request fails because of this: with a full disk, clients can still read.
      await records.touchToken(token.id, nowMs).catch((error: unknown) => {
        log.warning('token-use-not-noted', { reason: reasonOf(error) });
      });
    }
    return actor;
  }
}

/** Throws a 403 unless the token has `scope`. */
export function requireScope(token: Token, scope: TokenScope): void {
  if (token.scopes.includes(scope)) return;
  throw new ApiError(403, `the token does not allow this: it needs the scope \`${scope}\``);
}

/** Returns a 429 with `Retry-After`. `what` is the reason, such as `too many changes`. */
export function tooManyRequests(what: string, waitSeconds: number): ApiError {
  const unit = waitSeconds === 1 ? 'second' : 'seconds';
  return new ApiError(429, `${what}: try again in ${waitSeconds} ${unit}`, {
    'Retry-After': String(waitSeconds),
  });
}

/** Returns the token in a header `Authorization`; null if there is none. */
function tokenOf(header: string | undefined): string | null {
  const secret = (header ?? '').replace(/^Bearer\s+/i, '').trim();
  return secret === '' ? null : secret;
}

/** Returns true if the user is enabled and the token neither revoked nor expired. */
function isValid({ token, user }: TokenActor, nowMs: number): boolean {
  if (user.isDisabled || token.revokedAtMs !== null) return false;
  return token.expiresAtMs === null || nowMs < token.expiresAtMs;
}
