/** Settings of crates, as on crates.io. */
import { Hono } from 'hono';
import { boolean, field } from '../../core/json/decode.ts';
import type { ServerContext } from '../server-context.ts';
import { mount } from './api/operations.ts';
import { type HttpEnv, routeParam } from './http-env.ts';
import { readJson } from './read-body.ts';
import type { WriteGuard } from './write-guard.ts';

const BODY = {
  decoder: field('crate', field('trustpub_only', boolean)),
  form: '`{"crate":{"trustpub_only":true}}` or false',
};

/** Returns the route `PATCH /api/v1/crates/{crate}`, which sets whether only trusted publishing may add versions. */
export function crateSettingsRoute({ settings, clock }: ServerContext, guard: WriteGuard): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  mount(app, 'setTrustedOnly', async (c) => {
    const name = routeParam(c, 'crate');
    const { actor, records } = await guard.authorize(c, { scope: 'owners', crate: name });
    const isTrustedOnly = await readJson(c, BODY, { maxBytes: settings.limits.maxMetadataBytes });
    const outcome = await records.setTrustedOnly({ crate: name, isTrustedOnly, atMs: clock.now(), actor });
    switch (outcome.kind) {
      case 'no-crate':
      case 'not-owner':
        throw guard.refusal(actor, {
          crateExists: outcome.kind === 'not-owner',
          crate: name,
          notOwner: 'only owners have permission to change the settings of a crate',
        });
      case 'changed':
      case 'unchanged': {
        const { crate } = outcome;
        return c.json({ crate: { id: crate.name, name: crate.name, trustpub_only: crate.isTrustedOnly } });
      }
    }
  });
  return app;
}
