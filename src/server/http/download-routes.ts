/** Downloads of `.crate` files. Cargo Book: Registry Index, Index Configuration. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { Version } from '../store/values.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { parseByteRange } from './byte-range.ts';
import { ClientLimit, type OverloadLimit } from './client-limit.ts';
import { matchesEtag } from './conditional.ts';
import type { DownloadCounter } from './download-counter.ts';
import { clientAddress, type HttpContext, type HttpEnv } from './http-env.ts';
import { PacedStreams } from './paced-streams.ts';
import type { BlobContent, ByteRange, SignedUrlOptions } from '../store/blobs.ts';

/** Lifetime of a signed URL: enough for a client that follows it at once, even if clocks differ slightly. */
const ADDRESS_SECONDS = 300;
/** Larger responses are streamed. */
const MAX_WHOLE_BYTES = 65_536;
/** Each stream uses one of the 256 connections to the object store for as long as its reader takes. */
const MAX_STREAMS_OF_CLIENT = 64;
/** Leaves connections for other clients, however fast a few clients read. */
const OVERLOAD_STREAMS: OverloadLimit = { from: 192, max: 8 };

/** Services of the download route, besides the context. */
export interface DownloadServices {
  readonly authenticator: Authenticator;
  readonly downloads: DownloadCounter;
  /** The per-client limit of requests to the upstream. */
  readonly pulls: ClientLimit;
}

/**
 * Returns the route `/api/v1/crates/{crate}/{version}/download`. It sends the whole file or a range, which caches may
 * keep without ever asking again.
 */
export function downloadRoutes(
  { records, blobs, upstream, settings, log }: ServerContext,
  { authenticator, downloads, pulls }: DownloadServices,
): Hono<HttpEnv> {
  const cacheControl = `${settings.authRequired ? 'private' : 'public'}, max-age=31536000, immutable`;
  const streams = new ClientLimit(MAX_STREAMS_OF_CLIENT, OVERLOAD_STREAMS);
  const paced = new PacedStreams();
  const app = new Hono<HttpEnv>();
  app.get('/api/v1/crates/:crate/:version/download', async (c) => {
    await authenticator.requireReader(c);
    const { crate, version } = c.req.param();
    const own = await records.findVersion(crate, version);
    const address = clientAddress(c, settings.trustedProxies);
    const pulled =
      own === null && upstream !== null
        ? await pulls.during(address, () => upstream.archive(crate, version))
        : null;
    const found = own ?? pulled;
    if (found === null) {
      throw new ApiError(404, `crate \`${crate}\` does not have a version \`${version}\``);
    }
    const etag = `"${found.checksum}"`;
    const headers: Record<string, string> = {
      'Cache-Control': cacheControl,
      ETag: etag,
      'Last-Modified': new Date(found.publishedAtMs).toUTCString(),
      'Repr-Digest': `sha-256=:${Buffer.from(found.checksum, 'hex').toString('base64')}:`,
      'Accept-Ranges': 'bytes',
      ...(settings.authRequired ? { Vary: 'Authorization' } : {}),
    };
    const ifNoneMatch = c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return c.body(null, 304, headers);
    const range = wantedRange(c, found, etag);
    if (range === 'unsatisfiable') {
      throw new ApiError(416, `the file has ${found.size} bytes`, {
        'Content-Range': `bytes */${found.size}`,
      });
    }
    const length = range === null ? found.size : range.last - range.first + 1;
    headers['Content-Type'] = 'application/gzip';
    headers['Content-Length'] = String(length);
    headers['Content-Disposition'] = `attachment; filename="${found.crate}-${found.version}.crate"`;
    if (range !== null) headers['Content-Range'] = `bytes ${range.first}-${range.last}/${found.size}`;
    const status = range === null ? 200 : 206;
    if (c.req.method === 'HEAD') return c.body(null, status, headers);
    const count = (): void => {
      if (range !== null && range.first !== 0) return;
      if (own === null) upstream?.countDownload();
      else downloads.add(own.crate, own.version);
    };
    if (settings.redirectsDownloads === true && blobs.signedUrl !== undefined) {
      count();
      return redirectTo(c, blobs.signedUrl(found.blobKey, addressOf(found)));
    }
    const isStreamed = length > MAX_WHOLE_BYTES;
    const isShared = isStreamed && blobs.signedUrl !== undefined;
    const release = isShared ? streams.take(address) : () => undefined;
    const open = async (): Promise<BlobContent | null> => {
      const content = await blobs.open(found.blobKey, range ?? undefined);
      if (content !== null || own !== null || upstream === null) return content;
      // The archive was evicted after it was found.
      const again = await pulls.during(address, () => upstream.archive(crate, version));
      return again === null ? null : await blobs.open(again.blobKey, range ?? undefined);
    };
    const content = await open().catch((error: unknown) => {
      release();
      throw error;
    });
    if (content === null || content.size !== found.size) {
      release();
      await content?.stream.cancel();
      log.error('blob-missing', { crate: found.crate, version: found.version, key: found.blobKey });
      throw new ApiError(500, `the file of crate \`${found.crate}\` version \`${found.version}\` is damaged`);
    }
    count();
    const body = isShared
      ? paced.pass(content.stream, release)
      : isStreamed
        ? content.stream
        : await readAll(content.stream);
    return c.body(body, status, headers);
  });
  return app;
}

/** Returns the properties of a signed URL. The client requests its range from the store. */
function addressOf({ crate, version }: Pick<Version, 'crate' | 'version'>): SignedUrlOptions {
  return { expiresInSeconds: ADDRESS_SECONDS, fileName: `${crate}-${version}.crate` };
}

/** Redirects to a signed URL. It expires soon and only this client may know it, so nothing may cache it. */
function redirectTo(c: HttpContext, url: string): Response {
  return c.body(null, 302, { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function wantedRange(
  c: HttpContext,
  { size }: Pick<Version, 'size'>,
  etag: string,
): ByteRange | 'unsatisfiable' | null {
  const ifRange = c.req.header('if-range');
  if (ifRange !== undefined && ifRange.trim() !== etag) return null;
  return parseByteRange(c.req.header('range') ?? null, size);
}
