/** Who a request is from. Cargo Book: Registry Authentication, Registry Web API. */
import type { ServerContext } from '../server-context.ts';
import type { Actor, Token, TokenScope } from '../store-values.ts';
import { hashToken } from '../tokens.ts';
import { ApiError } from './api-error.ts';
import { clientAddress, type HttpContext } from './http-env.ts';
import { networkOf } from './network-of.ts';
import { RateLimit } from './rate-limit.ts';

/** An actor that came with a token. */
export type TokenActor = Actor & { readonly token: Token };

/** A token is noted as used at most this often. */
const TOUCH_AFTER_MS = 60_000;

/** Finds out who sends requests, by the token in `Authorization`: bare, or behind `Bearer`. */
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

  /** For the web API: without a token 401 with what cargo needs to tell where one is had, with a bad one 403. */
  async requireActor(c: HttpContext): Promise<TokenActor> {
    const actor = await this.#find(c);
    if (actor === null) throw this.#challenge('this requires a token');
    if (actor === 'refused')
      throw new ApiError(403, 'the token is not valid: it is unknown, expired or revoked');
    return actor;
  }

  /** For what everybody may see unless the registry is private: null for nobody in particular. */
  async findReader(c: HttpContext): Promise<TokenActor | null> {
    if (!this.#context.settings.authRequired && c.req.header('authorization') === undefined) return null;
    const actor = await this.requireActor(c);
    this.#requireRead(actor);
    return actor;
  }

  /** For index and downloads: where the registry is private, 401 without a good token. */
  async requireReader(c: HttpContext): Promise<void> {
    if (!this.#context.settings.authRequired) return;
    const actor = await this.#find(c);
    if (actor === null) throw this.#challenge('this registry requires a token');
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

  /** null without a token. Throws a 429 for whoever tries too many that are not good. */
  async #find(c: HttpContext): Promise<TokenActor | 'refused' | null> {
    const { records, clock, settings } = this.#context;
    const secret = tokenOf(c.req.header('authorization'));
    if (secret === null) return null;
    const actor = await records.findTokenByHash(hashToken(secret));
    const nowMs = clock.now();
    if (actor === null || !isGood(actor, nowMs)) {
      // Only here: whoever has a good token is not kept out by those that share the network.
      const client = networkOf(clientAddress(c, settings.trustedProxies));
      const waitSeconds = await this.#refusals.wait(client);
      if (waitSeconds > 0) throw tooMany('too many invalid tokens', waitSeconds);
      await this.#refusals.take(client);
      return 'refused';
    }
    const { token, user } = actor;
    c.set('login', user.login);
    if (token.lastUsedAtMs === null || token.lastUsedAtMs + TOUCH_AFTER_MS < nowMs) {
      await records.touchToken(token.id, nowMs);
    }
    return actor;
  }
}

/** Throws a 403 unless the token is for `scope`. */
export function requireScope(token: Token, scope: TokenScope): void {
  if (token.scopes.includes(scope)) return;
  throw new ApiError(403, `the token does not allow this: it needs the scope \`${scope}\``);
}

/** A 429. */
export function tooMany(what: string, waitSeconds: number): ApiError {
  const unit = waitSeconds === 1 ? 'second' : 'seconds';
  return new ApiError(429, `${what}: try again in ${waitSeconds} ${unit}`, {
    'Retry-After': String(waitSeconds),
  });
}

function tokenOf(header: string | undefined): string | null {
  const secret = (header ?? '').replace(/^Bearer\s+/i, '').trim();
  return secret === '' ? null : secret;
}

function isGood({ token, user }: TokenActor, nowMs: number): boolean {
  if (user.isDisabled || token.revokedAtMs !== null) return false;
  return token.expiresAtMs === null || nowMs < token.expiresAtMs;
}
