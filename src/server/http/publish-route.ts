/** Publishing. Cargo Book: Registry Web API, Publish. */
import { Hono } from 'hono';
import { ArchiveChecks } from '../publish/archive-check.ts';
import { publish } from '../publish/publish.ts';
import type { ServerContext } from '../server-context.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import { type HttpContext, type HttpEnv, requestIdOf } from './http-env.ts';
import { bodyChunks, discardRest } from './read-body.ts';
import type { WriteGuard } from './write-guard.ts';

/** Bytes of the two lengths before metadata and archive. */
const LENGTHS_BYTES = 8;

const STATIC_LATER_WARNING =
  'the version is published; the static index does not have it yet, and will get it without any action from you';

/** Returns the route `PUT /api/v1/crates/new`. With `?dry_run=true` it checks everything and stores nothing. */
export function publishRoute(context: ServerContext, guard: WriteGuard): Hono<HttpEnv> {
  const { maxCrateBytes, maxMetadataBytes } = context.settings.limits;
  const checks = new ArchiveChecks();
  const app = new Hono<HttpEnv>();
  const maxBytes = LENGTHS_BYTES + maxMetadataBytes + maxCrateBytes;

  async function respond(c: HttpContext, body: AsyncIterable<Uint8Array>): Promise<Response> {
    const { actor } = await guard.authorizePublish(c);
    const isDryRun = c.req.query('dry_run') === 'true';
    const result = await publish(context, { body, actor, isDryRun, checks });
    if (result.kind === 'refused') throw new ApiError(result.status, result.detail);
    const { warnings, crate, version, checksum } = result;
    const other = [...warnings.other];
    if (!isDryRun) {
      context.log.info('published', { id: requestIdOf(c), crate, version, checksum });
      // The version is published even if this fails. An error would only make the client publish it again.
      if ((await context.staticIndex?.flush(crate)) === false) other.push(STATIC_LATER_WARNING);
    }
    return c.json({
      warnings: {
        invalid_categories: warnings.invalidCategories,
        invalid_badges: warnings.invalidBadges,
        other,
      },
    });
  }

  mount(app, 'publish', async (c) => {
    const body = bodyChunks(c, maxBytes);
    try {
      return await respond(c, body);
    } finally {
      // Most errors are known long before the whole body has arrived.
      await body.return(undefined);
      await discardRest(c, 2 * maxBytes);
    }
  });
  return app;
}
