/** The sparse index. Cargo Book: Registry Index. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Hono } from 'hono';
import { DRY_RUN_FIELD, INDEX_CONFIG_FILE } from '../../core/protocol/index-config.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import type { ServerContext, ServerSettings } from '../server-context.ts';
import { GateRefusal } from '../shared/gate-refusal.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { ClientLimit, type OverloadLimit } from './client-limit.ts';
import { compressedEtag, isUnchanged, lastModified, type Validators } from './conditional.ts';
import { clientAddress, type HttpContext, type HttpEnv } from './http-env.ts';
import { type HeldBody, IndexBodies } from './index-bodies.ts';
import { PACE, PacedStreams } from './paced-streams.ts';

/** Smaller files are not compressed. */
const MIN_COMPRESSED_BYTES = 1024;
/** Larger bodies are streamed. */
const MAX_WHOLE_BYTES = 65_536;
const CHUNK_BYTES = 65_536;
/** Large files that one client may read at a time: normally, and once all clients together read 192 of them. */
const MAX_STREAMS_OF_CLIENT = 64;
const OVERLOAD_STREAMS: OverloadLimit = { from: 192, max: 8 };
/** Maximum lookups for a file that changes each time before it is read. */
const MAX_LOOKUPS = 5;

const compress = promisify(gzip);

/** Services of the index, besides the context. */
export interface IndexServices {
  readonly authenticator: Authenticator;
  /** The per-client limit of requests to the upstream. */
  readonly upstreamLimit: ClientLimit;
}

/** Returns the routes of `config.json` and the index files of crates, below the root of the index. */
export function indexRoutes(context: ServerContext, services: IndexServices): Hono<HttpEnv> {
  const { authenticator } = services;
  const index = new IndexResponses(context, services);
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    await authenticator.requireReader(c);
    return next();
  });
  app.get(`/${INDEX_CONFIG_FILE}`, (c) => index.sendConfig(c));
  app.get('/*', async (c) => {
    try {
      return await index.sendFile(c);
    } catch (error) {
      if (!(error instanceof GateRefusal)) throw error;
      // cargo prints this text as it is, and tries a 403 only once. The refusal can end at any time.
      return c.text(`${error.message}\n`, 403, { 'Cache-Control': 'no-store' });
    }
  });
  return app;
}

class IndexResponses {
  readonly #context: ServerContext;
  readonly #upstreamLimit: ClientLimit;
  readonly #config: SentFile;
  readonly #cacheControl: string;
  readonly #bodies = new IndexBodies(undefined, MAX_WHOLE_BYTES);
  readonly #streams = new ClientLimit(MAX_STREAMS_OF_CLIENT, OVERLOAD_STREAMS);
  readonly #paced = new PacedStreams(PACE, () => this.#bodies.isOverloaded);

  constructor(context: ServerContext, { upstreamLimit }: IndexServices) {
    this.#context = context;
    this.#upstreamLimit = upstreamLimit;
    this.#config = configFile(context.settings);
    // Clients must see a new version at once, so a cache must always revalidate.
    this.#cacheControl = context.settings.authRequired ? 'private, no-cache' : 'public, no-cache';
  }

  async sendConfig(c: HttpContext): Promise<Response> {
    return (await this.#send(c, this.#config)) ?? c.notFound();
  }

  /**
   * Sends the index file of a crate. Finds it again if it changes before it is read. Throws `GateRefusal` if all
   * versions are refused.
   */
  async sendFile(c: HttpContext): Promise<Response> {
    // Without the `/index/` at which the app mounts these routes.
    const path = c.req.path.slice(c.req.path.indexOf('/', 1) + 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let lookups = 0; lookups < MAX_LOOKUPS; lookups += 1) {
      const file = isIndexPath(path, name) ? await this.#find(c, name) : null;
      if (file === null) return c.text('not found\n', 404, { 'Cache-Control': this.#cacheControl });
      const response = await this.#send(c, file);
      if (response !== null) return response;
    }
    throw new ApiError(503, 'the index file changes too often; try again later', { 'Retry-After': '5' });
  }

  /** Finds a file of this registry, else one of the upstream. */
  async #find(c: HttpContext, name: string): Promise<SentFile | null> {
    const { records, upstream, settings } = this.#context;
    const contentType = 'text/plain; charset=utf-8';
    const own = await records.findIndexState(name);
    if (own !== null) {
      const load = async (): Promise<string | null> => {
        const file = await records.findIndexFile(name);
        return file?.etag === own.etag ? file.body : null;
      };
      return { ...own, name, contentType, load };
    }
    if (upstream === null) return null;
    const mirrored = await this.#upstreamLimit.during(clientAddress(c, settings.trustedProxies), () =>
      upstream.indexFile(name),
    );
    return mirrored === null ? null : { ...mirrored, name, contentType };
  }

  /** Returns null if the file has changed since it was found. */
  async #send(c: HttpContext, file: SentFile): Promise<Response | null> {
    const { etag, changedAtMs } = file;
    const nowMs = this.#context.clock.now();
    const validators = { etag, modified: changedAtMs === null ? null : lastModified(changedAtMs, nowMs) };
    const headers = this.#headersOf(validators);
    const condition = {
      ifNoneMatch: c.req.header('if-none-match') ?? null,
      ifModifiedSince: c.req.header('if-modified-since') ?? null,
    };
    if (isUnchanged(condition, validators)) return c.body(null, 304, headers);
    headers['Content-Type'] = file.contentType;
    const isCompressed = file.size >= MIN_COMPRESSED_BYTES && acceptsGzip(c.req.header('accept-encoding'));
    if (isCompressed) {
      headers['Content-Encoding'] = 'gzip';
      headers['ETag'] = compressedEtag(file.etag);
    }
    const body = await this.#bodies.take(`${file.name} ${headers['ETag']}`, async () => {
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
    return c.body(this.#stream(c, body), 200, headers);
  }

  #headersOf({ etag, modified }: Validators): Record<string, string> {
    const { settings } = this.#context;
    return {
      'Cache-Control': this.#cacheControl,
      Vary: settings.authRequired ? 'Accept-Encoding, Authorization' : 'Accept-Encoding',
      ETag: etag,
      ...(modified === null ? {} : { 'Last-Modified': modified }),
    };
  }

  /** Streams a large body. Throws `ApiError` if the client reads too many at a time. */
  #stream(c: HttpContext, { bytes, release }: HeldBody): ReadableStream<Uint8Array> {
    let releaseStream: () => void;
    try {
      releaseStream = this.#streams.take(clientAddress(c, this.#context.settings.trustedProxies));
    } catch (error) {
      release();
      throw error;
    }
    const end = (): void => {
      release();
      releaseStream();
    };
    return this.#paced.pass(chunksOf(bytes), end);
  }
}

/** Returns `config.json`. Cargo Book: Registry Index, Index Configuration. */
function configFile({ baseUrl, authRequired }: ServerSettings): SentFile {
  const config = JSON.stringify({
    dl: `${baseUrl}/api/v1/crates`,
    api: baseUrl,
    'auth-required': authRequired,
    [DRY_RUN_FIELD]: true,
  });
  return {
    name: INDEX_CONFIG_FILE,
    etag: `"${createHash('sha256').update(config).digest('hex').slice(0, 32)}"`,
    changedAtMs: null,
    size: config.length,
    load: () => Promise.resolve(config),
    contentType: 'application/json',
  };
}

/** An index file to send. */
interface SentFile {
  readonly name: string;
  /** Including the quotes. */
  readonly etag: string;
  /** null if the content also depends on something else than the file. */
  readonly changedAtMs: number | null;
  /** Bytes. */
  readonly size: number;
  /** Returns the content; null if it has changed. */
  readonly load: () => Promise<string | null>;
  readonly contentType: string;
}

/** Returns a stream of views of the shared `bytes`, one for each read. */
function chunksOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(offset, offset + CHUNK_BYTES));
        offset += CHUNK_BYTES;
        if (offset >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns true if `path` is that of the index file of the crate with this lower-case name. Cargo Book: Index files. */
function isIndexPath(path: string, name: string): boolean {
  return /^[a-z0-9_-]{1,64}$/.test(name) && indexPath(name) === path;
}

/** Returns true if an `Accept-Encoding` accepts gzip, by name or else by `*`. A weight (`q`) of 0 refuses it. */
export function acceptsGzip(header: string | undefined): boolean {
  const isAcceptedByCoding = new Map<string, boolean>();
  for (const element of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    isAcceptedByCoding.set(coding, !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part)));
  }
  return isAcceptedByCoding.get('gzip') ?? isAcceptedByCoding.get('*') ?? false;
}
