/** Downloads of `.crate` files. Cargo Book: Registry Index, Index Configuration. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { DownloadableVersion, Version } from '../store/values.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { parseByteRange } from './byte-range.ts';
import { ClientLimit, type OverloadLimit } from './client-limit.ts';
import { matchesEtag } from './conditional.ts';
import type { DownloadCounter } from './download-counter.ts';
import { clientAddress, type HttpContext, type HttpEnv, routeParam } from './http-env.ts';
import { PacedStreams } from './paced-streams.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import { type ByteRange, MAX_READING_CONNECTIONS, type SignedUrlOptions } from '../store/blobs.ts';

/** Lifetime of a signed URL: enough for a client that follows it at once, even if clocks differ slightly. */
const SIGNED_URL_SECONDS = 300;
/** Larger responses are streamed. */
const MAX_WHOLE_BYTES = 65_536;
/** Maximum bytes of all cached files. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** The memory of an entry of the cache besides the file, roughly. */
const ENTRY_BYTES = 768;
/** Each stream uses one of the `MAX_READING_CONNECTIONS` for as long as its reader takes. */
const MAX_STREAMS_OF_CLIENT = 64;
/** Leaves connections for other clients, however fast a few clients read. */
const OVERLOAD_STREAMS: OverloadLimit = { from: (MAX_READING_CONNECTIONS * 3) / 4, max: 8 };

/** Services of the download route, besides the context. */
export interface DownloadServices {
  readonly authenticator: Authenticator;
  readonly downloads: DownloadCounter;
  /** The per-client limit of requests to the upstream. */
  readonly upstreamLimit: ClientLimit;
}

/**
 * Returns the route `/api/v1/crates/{crate}/{version}/download`. It sends the whole file or a range, which caches may
 * keep without ever asking again.
 */
export function downloadRoutes(context: ServerContext, services: DownloadServices): Hono<HttpEnv> {
  const { authenticator } = services;
  const responses = new DownloadResponses(context, services);
  const app = new Hono<HttpEnv>();
  mount(app, 'download', async (c) => {
    await authenticator.requireReader(c);
    return responses.send(c, { crate: routeParam(c, 'crate'), version: routeParam(c, 'version') });
  });
  return app;
}

class DownloadResponses {
  readonly #context: ServerContext;
  readonly #downloads: DownloadCounter;
  readonly #upstreamLimit: ClientLimit;
  readonly #streams = new ClientLimit(MAX_STREAMS_OF_CLIENT, OVERLOAD_STREAMS);
  readonly #paced = new PacedStreams();
  /** Whole files that are not streamed, by the keys of their blobs, whose content never changes. */
  readonly #files = new BoundedCache<Uint8Array<ArrayBuffer>>(MAX_CACHED_BYTES);

  constructor(context: ServerContext, { downloads, upstreamLimit }: DownloadServices) {
    this.#context = context;
    this.#downloads = downloads;
    this.#upstreamLimit = upstreamLimit;
  }

  async send(c: HttpContext, requested: CrateVersion): Promise<Response> {
    const { blobs, settings } = this.#context;
    const target = await this.#find(c, requested);
    const headers = this.#headersOf(target);
    const etag = `"${target.checksum}"`;
    const ifNoneMatch = c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return c.body(null, 304, headers);
    const range = requestedRange(c, target, etag);
    if (range === 'unsatisfiable') {
      throw new ApiError(416, `the file has ${target.size} bytes`, {
        'Content-Range': `bytes */${target.size}`,
      });
    }
    const length = range === null ? target.size : range.last - range.first + 1;
    headers['Content-Type'] = 'application/gzip';
    headers['Content-Length'] = String(length);
    headers['Content-Disposition'] = `attachment; filename="${target.crate}-${target.version}.crate"`;
    if (range !== null) headers['Content-Range'] = `bytes ${range.first}-${range.last}/${target.size}`;
    const status = range === null ? 200 : 206;
    if (c.req.method === 'HEAD') return c.body(null, status, headers);
    if (settings.redirectsDownloads === true && blobs.signedUrl !== undefined) {
      const url = await blobs.signedUrl(target.blobKey, signedUrlOptions(target));
      this.#count(target, range);
      return redirectTo(c, url);
    }
    if (length <= MAX_WHOLE_BYTES) {
      const bytes = await this.#read(c, { target, requested, range });
      this.#count(target, range);
      return c.body(bytes, status, headers);
    }
    // Only an object store has signed URLs, and its connections are scarce.
    const usesConnection = blobs.signedUrl !== undefined;
    const release = usesConnection ? this.#streams.take(this.#clientOf(c)) : () => undefined;
    const stream = await this.#open(c, { target, requested, range }).catch((error: unknown) => {
      release();
      throw error;
    });
    this.#count(target, range);
    return c.body(usesConnection ? this.#paced.pass(stream, release) : stream, status, headers);
  }

  /** Finds a version of this registry, else one of the upstream. Throws `ApiError` if there is none. */
  async #find(c: HttpContext, { crate, version }: CrateVersion): Promise<DownloadTarget> {
    const { records, upstream } = this.#context;
    const own = await records.findDownloadable(crate, version);
    if (own !== null) return { ...own, isOwn: true };
    const mirrored =
      upstream === null
        ? null
        : await this.#upstreamLimit.during(this.#clientOf(c), () => upstream.archive(crate, version));
    if (mirrored !== null) return { ...mirrored, isOwn: false };
    throw new ApiError(404, `crate \`${crate}\` does not have a version \`${version}\``);
  }

  #headersOf({ checksum, publishedAtMs }: DownloadTarget): Record<string, string> {
    const { authRequired } = this.#context.settings;
    return {
      'Cache-Control': `${authRequired ? 'private' : 'public'}, max-age=31536000, immutable`,
      ETag: `"${checksum}"`,
      'Last-Modified': new Date(publishedAtMs).toUTCString(),
      'Repr-Digest': `sha-256=:${Buffer.from(checksum, 'hex').toString('base64')}:`,
      'Accept-Ranges': 'bytes',
      ...(authRequired ? { Vary: 'Authorization' } : {}),
    };
  }

  /** Returns a whole file or range that is not streamed. Throws as `#open` does. */
  async #read(c: HttpContext, request: OpenRequest): Promise<Uint8Array<ArrayBuffer>> {
    const { target, range } = request;
    const cached = range === null ? this.#files.get(target.blobKey) : null;
    if (cached !== null) return cached;
    const bytes = await readAll(await this.#open(c, request));
    // A damaged file is not cached, since it may be repaired.
    if (range === null && createHash('sha256').update(bytes).digest('hex') === target.checksum) {
      // A copy, because a short `Buffer` keeps the memory of others.
      this.#files.set(target.blobKey, new Uint8Array(bytes), bytes.length + ENTRY_BYTES);
    }
    return bytes;
  }

  /** Opens the file. Throws `ApiError` if it is missing or has the wrong size. */
  async #open(
    c: HttpContext,
    { target, requested, range }: OpenRequest,
  ): Promise<ReadableStream<Uint8Array>> {
    const { blobs, upstream, log } = this.#context;
    let content = await blobs.open(target.blobKey, range ?? undefined);
    if (content === null && !target.isOwn && upstream !== null) {
      // The archive was evicted after it was found, so it is downloaded again.
      const { crate, version } = requested;
      const renewed = await this.#upstreamLimit.during(this.#clientOf(c), () =>
        upstream.archive(crate, version),
      );
      content = renewed === null ? null : await blobs.open(renewed.blobKey, range ?? undefined);
    }
    if (content !== null && content.size === target.size) return content.stream;
    await content?.stream.cancel();
    log.error('blob-missing', { crate: target.crate, version: target.version, key: target.blobKey });
    throw new ApiError(500, `the file of crate \`${target.crate}\` version \`${target.version}\` is damaged`);
  }

  /** Counts the download of a whole file, or of its first part. */
  #count({ crate, version, isOwn }: DownloadTarget, range: ByteRange | null): void {
    if (range !== null && range.first !== 0) return;
    if (isOwn) this.#downloads.add(crate, version);
    else this.#context.upstream?.countDownload();
  }

  #clientOf(c: HttpContext): string {
    return clientAddress(c, this.#context.settings.trustedProxies);
  }
}

/** The version that a client requests, as spelled in the path. */
type CrateVersion = Pick<Version, 'crate' | 'version'>;

/** A version to send. */
interface DownloadTarget extends DownloadableVersion {
  /** False if it comes from the upstream. */
  readonly isOwn: boolean;
}

/** A version whose file is opened, and the part of it to send. */
interface OpenRequest {
  readonly target: DownloadTarget;
  readonly requested: CrateVersion;
  /** null for the whole file. */
  readonly range: ByteRange | null;
}

/** Returns the properties of a signed URL. The client requests its range from the store. */
function signedUrlOptions({ crate, version }: CrateVersion): SignedUrlOptions {
  return { expiresInSeconds: SIGNED_URL_SECONDS, fileName: `${crate}-${version}.crate` };
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

/** Returns the range to send; null for the whole file, also if it has changed since the client got the first part. */
function requestedRange(
  c: HttpContext,
  { size }: DownloadTarget,
  etag: string,
): ByteRange | 'unsatisfiable' | null {
  const ifRange = c.req.header('if-range');
  if (ifRange !== undefined && ifRange.trim() !== etag) return null;
  return parseByteRange(c.req.header('range') ?? null, size);
}
