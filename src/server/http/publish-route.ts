/** Publishing. Cargo Book: Registry Web API, Publish. */
import { Hono } from 'hono';
import { ArchiveChecks } from '../publish/archive-check.ts';
import { publish } from '../publish/publish.ts';
import type { ServerContext } from '../server-context.ts';
import { ApiError } from './api-error.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import { bodyChunks, discardRest } from './read-body.ts';
import type { WriteGuard } from './write-guard.ts';

/** The two lengths in front of the parts. */
const LENGTHS_BYTES = 8;

const STATIC_LATER =
  'the version is published; the static index does not have it yet, and will get it without any action from you';

/** `PUT /api/v1/crates/new`; with `?dry_run=true` everything is checked and nothing stored. */
export function publishRoute(context: ServerContext, guard: WriteGuard): Hono<HttpEnv> {
  const { maxCrateBytes, maxMetadataBytes } = context.settings.limits;
  const checks = new ArchiveChecks();
  const app = new Hono<HttpEnv>();
  const maxBytes = LENGTHS_BYTES + maxMetadataBytes + maxCrateBytes;

  async function answer(c: HttpContext, body: AsyncIterable<Uint8Array>): Promise<Response> {
    const { actor } = await guard.authorizePublish(c);
    const isDryRun = c.req.query('dry_run') === 'true';
    const result = await publish(context, { body, actor, isDryRun, checks });
    if (result.kind === 'refused') throw new ApiError(result.status, result.detail);
    const { warnings, crate, version, checksum } = result;
    const other = [...warnings.other];
    if (!isDryRun) {
      context.log.info('published', { id: c.get('requestId'), crate, version, checksum });
      // The version is there, whatever becomes of this: an error would only have it sent again.
      if ((await context.staticHalf?.settle(crate)) === false) other.push(STATIC_LATER);
    }
    return c.json({
      warnings: {
        invalid_categories: warnings.invalidCategories,
        invalid_badges: warnings.invalidBadges,
        other,
      },
    });
  }

  app.put('/api/v1/crates/new', async (c) => {
    const body = bodyChunks(c, maxBytes);
    try {
      return await answer(c, body);
    } finally {
      // Most refusals are known long before the body has come.
      await body.return(undefined);
      await discardRest(c, 2 * maxBytes);
    }
  });
  return app;
}
