/** Upload and removal of documentation. */
import { Hono } from 'hono';
import { DocumentationPacking } from '../publish/documentation-packing.ts';
import {
  type DocumentationUploadResult,
  MAX_ARCHIVE_BYTES,
  uploadDocumentation,
} from '../publish/upload-documentation.ts';
import type { ServerContext } from '../server-context.ts';
import type { DocumentationRefusal } from '../store/documentation-records.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import type { TokenActor } from './authenticate.ts';
import { type HttpContext, type HttpEnv, requestIdOf, routeParam } from './http-env.ts';
import { bodyChunks, discardRest } from './read-body.ts';
import type { WriteGuard } from './write-guard.ts';

const NOT_OWNER = 'only owners have permission to change the documentation of a crate';
const UPLOADS_OFF = 'this registry accepts no documentation: its operator has set `--documentation off`';

/** Returns the routes `PUT` and `DELETE` of `/api/v1/crates/{crate}/{version}/docs`. */
export function documentationRoutes(context: ServerContext, guard: WriteGuard): Hono<HttpEnv> {
  const handlers = new DocumentationHandlers(context, guard);
  const app = new Hono<HttpEnv>();
  mount(app, 'uploadDocumentation', async (c) => {
    const body = bodyChunks(c, MAX_ARCHIVE_BYTES);
    try {
      return await handlers.upload(c, body);
    } finally {
      // Most errors are known long before the whole body has arrived.
      await body.return(undefined);
      await discardRest(c, 2 * MAX_ARCHIVE_BYTES);
    }
  });
  mount(app, 'removeDocumentation', (c) => handlers.remove(c));
  return app;
}

/** A version in the path of a request, and who wants to change it. */
interface Target {
  readonly crate: string;
  readonly version: string;
  readonly actor: TokenActor;
}

class DocumentationHandlers {
  readonly #context: ServerContext;
  readonly #guard: WriteGuard;
  readonly #packing = new DocumentationPacking();

  constructor(context: ServerContext, guard: WriteGuard) {
    this.#context = context;
    this.#guard = guard;
  }

  async upload(c: HttpContext, body: AsyncIterable<Uint8Array>): Promise<Response> {
    const { log, settings } = this.#context;
    const { crate, version, actor, records } = await this.#authorize(c);
    if (settings.documentation === 'off') throw new ApiError(403, UPLOADS_OFF);
    const target = { crate, version, actor };
    const result: DocumentationUploadResult = await uploadDocumentation(this.#context, {
      ...target,
      body,
      records,
      packing: this.#packing,
    });
    switch (result.kind) {
      case 'problem':
        throw new ApiError(result.status, result.detail);
      case 'trusted-only':
        throw new ApiError(
          403,
          `documentation of the crate \`${result.crate}\` is uploaded only by trusted publishing: this token is not from trusted publishing`,
        );
      case 'stored': {
        log.info('documentation-stored', { id: requestIdOf(c), crate: result.crate, version });
        const path = `/docs/${encodeURIComponent(result.crate)}/${encodeURIComponent(version)}/`;
        return c.json({ ok: true, url: settings.baseUrl + path });
      }
      default:
        throw this.#refusal(target, result);
    }
  }

  async remove(c: HttpContext): Promise<Response> {
    const { blobs, clock } = this.#context;
    const { crate, version, actor, records } = await this.#authorize(c);
    const outcome = await records.deleteDocumentation({ crate, version, actor, atMs: clock.now() });
    switch (outcome.kind) {
      case 'no-documentation':
        throw new ApiError(404, `crate \`${outcome.crate}\` has no documentation of version \`${version}\``);
      case 'removed':
        await blobs.delete(outcome.blobKey);
        return c.json({ ok: true });
      default:
        throw this.#refusal({ crate, version, actor }, outcome);
    }
  }

  async #authorize(c: HttpContext): Promise<Target & Awaited<ReturnType<WriteGuard['authorize']>>> {
    const crate = routeParam(c, 'crate');
    const authorized = await this.#guard.authorize(c, { scope: 'publish-update', crate });
    return { ...authorized, crate, version: routeParam(c, 'version') };
  }

  #refusal({ crate, version, actor }: Target, outcome: DocumentationRefusal): ApiError {
    if (outcome.kind === 'no-version')
      return new ApiError(404, `crate \`${outcome.crate}\` does not have a version \`${version}\``);
    return this.#guard.refusal(actor, {
      crate,
      crateExists: outcome.kind === 'not-owner',
      notOwner: NOT_OWNER,
    });
  }
}
