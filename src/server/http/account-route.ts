/** The route that shows a token and its user. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { mount } from './api/operations.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpEnv } from './http-env.ts';

/** Returns the route `GET /api/v1/me`: the token's user and owned crates as on crates.io, and the token. */
export function accountRoute({ records }: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  mount(app, 'getMe', async (c) => {
    const { user, token } = await authenticator.requireActor(c);
    const crates = await records.listOwnedCrates(user.id);
    const { id, login, name, isAdmin } = user;
    c.header('Cache-Control', 'no-store');
    return c.json({
      user: { id, login, name, is_admin: isAdmin },
      owned_crates: crates.map((crate) => ({ id: crate.id, name: crate.name })),
      token: {
        name: token.name,
        scopes: token.scopes,
        crates: token.cratePatterns,
        expires_at: token.expiresAtMs === null ? null : new Date(token.expiresAtMs).toISOString(),
      },
    });
  });
  return app;
}
