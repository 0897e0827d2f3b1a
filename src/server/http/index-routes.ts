/** The sparse index. Cargo Book: Registry Index. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono } from 'hono';
import { DRY_RUN_FIELD, INDEX_CONFIG_FILE } from '../../protocol/index-config.ts';
import { indexPath } from '../../protocol/index-path.ts';
import type { ServerContext } from '../server-context.ts';
import type { Authenticator } from './authenticate.ts';
import type { ClientShare } from './client-share.ts';
import { compressedEtag, isUnchanged, lastModified, type Validators } from './conditional.ts';
import { clientAddress, type HttpContext, type HttpEnv } from './http-env.ts';

/** Smaller files are not compressed. */
const MIN_COMPRESSED_BYTES = 1024;

const compress = promisify(gzip);

/** What the index is made of beside the context. */
export interface IndexServices {
  readonly authenticator: Authenticator;
  /** What clients ask the upstream for. */
  readonly pulls: ClientShare;
}

/** `config.json` and the files of the crates, below the root of the index. */
export function indexRoutes(
  { records, upstream, settings, clock }: ServerContext,
  { authenticator, pulls }: IndexServices,
): Hono<HttpEnv> {
  const config = JSON.stringify({
    dl: `${settings.baseUrl}/api/v1/crates`,
    api: settings.baseUrl,
    'auth-required': settings.authRequired,
    [DRY_RUN_FIELD]: true,
  });
  const configEtag = `"${createHash('sha256').update(config).digest('hex').slice(0, 32)}"`;
  // What was published must be seen at once: whoever keeps a copy asks each time whether it still holds.
  const cacheControl = settings.authRequired ? 'private, no-cache' : 'public, no-cache';

  async function answer(c: HttpContext, file: IndexAnswer): Promise<Response> {
    const modified = file.changedAtMs === null ? null : lastModified(file.changedAtMs, clock.now());
    const headers: Record<string, string> = {
      'Cache-Control': cacheControl,
      Vary: settings.authRequired ? 'Accept-Encoding, Authorization' : 'Accept-Encoding',
      ETag: file.etag,
      ...(modified === null ? {} : { 'Last-Modified': modified }),
    };
    const condition = {
      ifNoneMatch: c.req.header('if-none-match') ?? null,
      ifModifiedSince: c.req.header('if-modified-since') ?? null,
    };
    if (isUnchanged(condition, file)) return c.body(null, 304, headers);
    headers['Content-Type'] = file.contentType;
    if (file.body.length < MIN_COMPRESSED_BYTES || !acceptsGzip(c.req.header('accept-encoding'))) {
      return c.body(file.body, 200, headers);
    }
    headers['Content-Encoding'] = 'gzip';
    headers['ETag'] = compressedEtag(file.etag);
    return c.body(new Uint8Array(await compress(file.body)), 200, headers);
  }

  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    await authenticator.requireReader(c);
    return next();
  });
  app.get(`/${INDEX_CONFIG_FILE}`, (c) =>
    answer(c, { body: config, etag: configEtag, changedAtMs: null, contentType: 'application/json' }),
  );
  app.get('/*', async (c) => {
    const path = c.req.path.slice(c.req.path.indexOf('/', 1) + 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isWanted = isIndexPath(path, name);
    const own = isWanted ? await records.findIndexFile(name) : null;
    const pulled =
      own === null && isWanted && upstream !== null
        ? await pulls.during(clientAddress(c, settings.trustsProxy), () => upstream.indexFile(name))
        : null;
    const file = own ?? pulled;
    if (file === null) return c.text('not found\n', 404, { 'Cache-Control': cacheControl });
    return answer(c, { ...file, contentType: 'text/plain; charset=utf-8' });
  });
  return app;
}

/** A file of the index as it is sent. */
interface IndexAnswer extends Validators {
  readonly body: string;
  readonly contentType: string;
}

function isIndexPath(path: string, name: string): boolean {
  return /^[a-z0-9_-]{1,64}$/.test(name) && indexPath(name) === path;
}

/** True if `gzip` is in an `Accept-Encoding` and not refused there. */
function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((each) => {
    const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return (coding === 'gzip' || coding === '*') && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
}
