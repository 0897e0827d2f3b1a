/** Yank and unyank. Cargo Book: Registry Web API, Yank and Unyank. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import { MAX_YANK_REASON_CHARS } from '../store/publish-records.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import { type HttpContext, type HttpEnv, routeParam } from './http-env.ts';
import type { WriteGuard } from './write-guard.ts';

/** Returns the routes `DELETE …/yank?reason=…` and `PUT …/unyank`. */
export function yankRoutes({ clock, staticIndex }: ServerContext, guard: WriteGuard): Hono<HttpEnv> {
  async function change(c: HttpContext, action: 'yank' | 'unyank'): Promise<Response> {
    const isYanked = action === 'yank';
    const crate = routeParam(c, 'crate');
    const version = routeParam(c, 'version');
    const { actor, records } = await guard.authorize(c, { scope: 'yank', crate });
    const text = c.req.query('reason')?.trim() ?? '';
    const reason = isYanked && text !== '' ? text : null;
    if (reason !== null && reason.length > MAX_YANK_REASON_CHARS) {
      throw new ApiError(400, `the reason is too long (max ${MAX_YANK_REASON_CHARS} characters)`);
    }
    const outcome = await records.setYanked({ crate, version, isYanked, reason, atMs: clock.now(), actor });
    switch (outcome.kind) {
      case 'no-crate':
      case 'not-owner':
        throw guard.refusal(actor, {
          crate,
          crateExists: outcome.kind === 'not-owner',
          notOwner: 'must already be an owner to yank or unyank',
        });
      case 'no-version':
        throw new ApiError(404, `crate \`${outcome.crate}\` does not have a version \`${version}\``);
      case 'changed':
      case 'unchanged':
        await staticIndex?.flush(outcome.crate);
        return c.json({ ok: true });
    }
  }

  const app = new Hono<HttpEnv>();
  mount(app, 'yank', (c) => change(c, 'yank'));
  mount(app, 'unyank', (c) => change(c, 'unyank'));
  return app;
}
