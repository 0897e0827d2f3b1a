/** Trusted publishing for CI jobs, which have an identity instead of a token, as on crates.io. */
import { Hono } from 'hono';
import { TsregError } from '../../core/errors/error.ts';
import { field, string } from '../../core/json/decode.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { ServerContext } from '../server-context.ts';
import { exchangeToken, type ExchangedToken } from '../trusted/exchange-token.ts';
import { IssuerAway, IssuerKeys } from '../trusted/issuer-keys.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import { type Authenticator, tooManyRequests } from './authenticate.ts';
import { clientNetwork, type HttpContext, type HttpEnv, requestIdOf } from './http-env.ts';
import { RateLimit } from './rate-limit.ts';
import { readJson } from './read-body.ts';

const MAX_BODY_BYTES = 65_536;
const BODY = { decoder: field('jwt', string), form: '`{"jwt":"…"}`' };

/** Returns the routes of `/api/v1/trusted_publishing/tokens`, which exchange a JWT for a token and revoke tokens. */
export function trustedPublishingRoutes(context: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const { records, settings, clock, log } = context;
  const keys = new IssuerKeys(context);
  const refusals = new RateLimit(records, {
    name: 'refused-jwt',
    perMinute: settings.limits.refusalsPerMinute,
    clock,
  });

  /** Throws a 429 after too many rejected JWTs, a 400 for a rejected one, and a 503 if its issuer does not respond. */
  async function exchange(c: HttpContext): Promise<ExchangedToken> {
    const client = clientNetwork(c, settings.trustedProxies);
    const waitSeconds = await refusals.peek(client);
    if (waitSeconds > 0) throw tooManyRequests('too many rejected JWTs', waitSeconds);
    const jwt = await readJson(c, BODY, { maxBytes: MAX_BODY_BYTES });
    try {
      return await exchangeToken(context, { text: jwt, keys });
    } catch (error) {
      if (error instanceof IssuerAway) {
        // The JWT may be forged: forged ones must not be unlimited while their issuer does not respond.
        await refusals.consume(client);
        log.warning('issuer-failed', { id: requestIdOf(c), reason: reasonOf(error) });
        throw new ApiError(503, error.message, { 'Retry-After': '30' });
      }
      if (!(error instanceof TsregError) || error.code !== 'auth') throw error;
      await refusals.consume(client);
      throw new ApiError(400, error.message);
    }
  }

  const app = new Hono<HttpEnv>();
  const respond = async (c: HttpContext): Promise<Response> => {
    const { secret, token } = await exchange(c);
    c.header('Cache-Control', 'no-store');
    return c.json({
      token: secret,
      crates: token.cratePatterns,
      expires_at: token.expiresAtMs === null ? null : new Date(token.expiresAtMs).toISOString(),
    });
  };
  mount(app, 'exchangeToken', respond);
  mount(app, 'exchangeTokenByPut', respond);
  mount(app, 'revokeToken', async (c) => {
    const actor = await authenticator.requireActor(c);
    const { token, user } = actor;
    if (token.issuer === null) {
      throw new ApiError(403, 'only tokens from trusted publishing can be revoked here');
    }
    const atMs = clock.now();
    await records.authorize(actor, clock).revokeToken({ userId: user.id, tokenId: token.id, atMs });
    await records.addAudit({
      atMs,
      actor: user.login,
      tokenId: token.id,
      action: 'revoke-token',
      subject: user.login,
      detail: 'trusted publishing',
    });
    return c.body(null, 204, { 'Cache-Control': 'no-store' });
  });
  return app;
}
