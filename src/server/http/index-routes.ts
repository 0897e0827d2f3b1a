/** The sparse index. Cargo Book: Registry Index. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono } from 'hono';
import { DRY_RUN_FIELD, INDEX_CONFIG_FILE } from '../../protocol/index-config.ts';
import { indexPath } from '../../protocol/index-path.ts';
import type { ServerContext } from '../server-context.ts';
import type { IndexFile } from '../store-values.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { ClientShare, type Scarcity } from './client-share.ts';
import { compressedEtag, isUnchanged, lastModified, type Validators } from './conditional.ts';
import { clientAddress, type HttpContext, type HttpEnv } from './http-env.ts';
import { IndexBodies } from './index-bodies.ts';
import { PACE, PacedStreams } from './paced-streams.ts';

/** Smaller files are not compressed. */
const MIN_COMPRESSED_BYTES = 1024;
/** Larger ones are sent while the reader takes them. */
const MAX_WHOLE_BYTES = 65_536;
const CHUNK_BYTES = 65_536;
/** Large files that one client may read at a time, and how many once all clients read so many. */
const MAX_STREAMS_OF_CLIENT = 64;
const SCARCE_STREAMS: Scarcity = { from: 192, max: 8 };
/** A file that changes as often while it is looked for is published to all the time. */
const MAX_LOOKUPS = 5;

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
  const bodies = new IndexBodies(undefined, MAX_WHOLE_BYTES);
  const streams = new ClientShare(MAX_STREAMS_OF_CLIENT, SCARCE_STREAMS);
  const paced = new PacedStreams(PACE, () => bodies.isScarce);

  /** null where the file has changed since its state was looked for. */
  async function answer(c: HttpContext, file: IndexAnswer): Promise<Response | null> {
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
    const isCompressed = file.size >= MIN_COMPRESSED_BYTES && acceptsGzip(c.req.header('accept-encoding'));
    if (isCompressed) {
      headers['Content-Encoding'] = 'gzip';
      headers['ETag'] = compressedEtag(file.etag);
    }
    const body = await bodies.take(`${file.name} ${headers['ETag']}`, async () => {
      const text = await file.load();
      if (text === null) return null;
      return isCompressed ? new Uint8Array(await compress(text)) : new TextEncoder().encode(text);
    });
    if (body === null) return null;
    const { bytes, release } = body;
    headers['Content-Length'] = String(bytes.length);
    const isHead = c.req.method === 'HEAD';
    if (isHead || bytes.length <= MAX_WHOLE_BYTES) {
      release();
      return isHead ? c.body(null, 200, headers) : c.body(bytes, 200, headers);
    }
    let giveBack: () => void;
    try {
      giveBack = streams.take(clientAddress(c, settings.trustedProxies));
    } catch (error) {
      release();
      throw error;
    }
    const end = (): void => {
      release();
      giveBack();
    };
    return c.body(paced.pass(chunksOf(bytes), end), 200, headers);
  }

  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    await authenticator.requireReader(c);
    return next();
  });
  app.get(`/${INDEX_CONFIG_FILE}`, async (c) => {
    const load = (): Promise<string> => Promise.resolve(config);
    const file = { name: INDEX_CONFIG_FILE, etag: configEtag, changedAtMs: null, size: config.length, load };
    return (await answer(c, { ...file, contentType: 'application/json' })) ?? c.notFound();
  });

  /** What is here, else what is passed on. */
  async function find(c: HttpContext, name: string): Promise<Omit<IndexAnswer, 'contentType'> | null> {
    const own = await records.findIndexState(name);
    if (own !== null) {
      return { ...own, name, load: async () => bodyOf(await records.findIndexFile(name), own.etag) };
    }
    if (upstream === null) return null;
    const pulled = await pulls.during(clientAddress(c, settings.trustedProxies), () =>
      upstream.indexFile(name),
    );
    return pulled === null ? null : { ...pulled, name };
  }

  app.get('/*', async (c) => {
    const path = c.req.path.slice(c.req.path.indexOf('/', 1) + 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let lookups = 0; lookups < MAX_LOOKUPS; lookups += 1) {
      const file = isIndexPath(path, name) ? await find(c, name) : null;
      if (file === null) return c.text('not found\n', 404, { 'Cache-Control': cacheControl });
      const response = await answer(c, { ...file, contentType: 'text/plain; charset=utf-8' });
      if (response !== null) return response;
    }
    throw new ApiError(503, 'the index file changes too often; try again later', { 'Retry-After': '5' });
  });
  return app;
}

/** A file of the index as it is sent. */
interface IndexAnswer extends Validators {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What it says; null where that has changed. */
  readonly load: () => Promise<string | null>;
  readonly contentType: string;
}

/** null for a file in another state. */
function bodyOf(file: IndexFile | null, etag: string): string | null {
  return file?.etag === etag ? file.body : null;
}

/** Views of bytes that others read as well; the next one when the reader has taken the last. */
function chunksOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES));
        at += CHUNK_BYTES;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
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
