/** Blobs as objects in a bucket of an S3-compatible store. */
import { createHash } from 'node:crypto';
import type { BucketEntry } from '../bucket/bucket-response.ts';
import type { Environment } from '../bucket/bucket-location.ts';
import type { BucketOptions, ObjectContent } from '../bucket/bucket-requests.ts';
import { Bucket, type OpenObject } from '../bucket/bucket.ts';
import { openCredentials } from '../bucket/open-credentials.ts';
import { TsregError } from '../../core/errors/error.ts';
import { bucketStaticFiles } from './bucket-static-files.ts';
import { blobPath, keyOfBlobPath, makeBlobKey, requireChecksum } from './blob-key.ts';
import { Spool } from './spool.ts';
import type { BlobInfo, BlobKind, Blobs, BlobWriter, ByteRange, FinishedBlob } from '../store/blobs.ts';

const BLOBS = 'blobs/';
/** Key of the object that `ping` writes. */
const PING = 'ping';
/** Headers stored with a blob and with its copy among the static files. A blob never changes. */
const HEADERS = {
  contentType: 'application/gzip',
  cacheControl: 'public, max-age=31536000, immutable',
} as const;
/** How often a read continues after a lost connection. */
const MAX_RESUMPTIONS = 3;
const EMPTY: ObjectContent = {
  size: 0,
  sha256: createHash('sha256').digest('hex'),
  open: () => new Uint8Array(),
};

/** Blobs in a bucket. `close` closes the connections. */
export interface S3Blobs extends Blobs {
  readonly close: () => void;
}

/**
 * Returns the blobs at `blobs/`, then the path that `blobPath` returns, below the prefix of `url` (for
 * `parseBucketLocation`). A complete blob is sent in one request with its checksum, which the store verifies. So no blob
 * is ever partial, and a retry is harmless. Sends the store no request yet. Throws `config`, or as `openCredentials` does;
 * the methods throw as those of `Bucket` do.
 */
export async function openS3Blobs(
  url: string,
  env: Environment,
  options: BucketOptions = {},
): Promise<S3Blobs> {
  const bucket = new Bucket(url, env, { credentials: await openCredentials(env), ...options });
  return {
    begin: async (kind = 'crate') => new S3Writer(bucket, kind),
    async open(key, range) {
      const path = pathOf(key);
      const object = await bucket.get(path, range ?? null);
      if (object === null) return null;
      if (Number.isNaN(object.size)) {
        object.response.destroy();
        throw new TsregError('the object store did not send the size of a blob', { code: 'network' });
      }
      const last = range?.last ?? object.size - 1;
      const reader = new ObjectReader(bucket, path, { first: range?.first ?? 0, last });
      return { size: object.size, stream: reader.stream(object) };
    },
    async stat(key) {
      const info = await bucket.head(pathOf(key));
      return info === null ? null : { key, size: info.size, changedAtMs: info.changedAtMs };
    },
    delete: (key) => bucket.delete(pathOf(key)),
    async *list() {
      for await (const entry of bucket.list(BLOBS)) {
        const info = infoOf(entry);
        if (info !== null) yield info;
      }
    },
    async restore(key, content) {
      const spool = new Spool();
      try {
        for await (const chunk of content) await spool.write(chunk);
        const whole = spool.content();
        requireChecksum(key, whole.sha256);
        await bucket.put(pathOf(key), whole, HEADERS);
      } finally {
        await spool.discard();
      }
    },
    async ping() {
      await bucket.put(PING, EMPTY, { ...HEADERS, cacheControl: 'no-store', isQuick: true });
    },
    signedUrl: (key, { expiresInSeconds, fileName }) =>
      bucket.signedUrl(pathOf(key), {
        expiresInSeconds,
        headers: {
          'cache-control': 'private, no-store',
          'content-disposition': `attachment; filename="${fileName}"`,
          'content-type': HEADERS.contentType,
        },
      }),
    figures: () => bucket.figures(),
    staticFiles: bucketStaticFiles(bucket, pathOf),
    close: () => bucket.close(),
  };
}

function pathOf(key: string): string {
  return BLOBS + blobPath(key);
}

function infoOf({ key: path, size, changedAtMs }: BucketEntry): BlobInfo | null {
  const key = keyOfBlobPath(path);
  return key === null ? null : { key, size, changedAtMs };
}

/** A blob that is being written: spooled, then sent as a whole by `finish`. */
class S3Writer implements BlobWriter {
  readonly #bucket: Bucket;
  readonly #kind: BlobKind;
  readonly #spool = new Spool();

  constructor(bucket: Bucket, kind: BlobKind) {
    this.#bucket = bucket;
    this.#kind = kind;
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#spool.write(chunk);
  }

  read(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#spool.read();
  }

  async finish(): Promise<FinishedBlob> {
    const content = this.#spool.content();
    const key = makeBlobKey(content.sha256, this.#kind);
    await this.#bucket.put(pathOf(key), content, HEADERS);
    await this.#spool.discard();
    return { key, checksum: content.sha256, size: content.size };
  }

  discard(): Promise<void> {
    return this.#spool.discard();
  }
}

/** A reader of a part of an object on demand, over several connections if one is lost. */
class ObjectReader {
  readonly #bucket: Bucket;
  readonly #path: string;
  readonly #last: number;
  #position: number;
  #resumptions = 0;
  /** null once the stream is closed. */
  #current: OpenObject | null = null;
  /** The parts of `#current` that are not read yet. */
  #chunks: AsyncGenerator<Uint8Array, void> | null = null;

  constructor(bucket: Bucket, path: string, { first, last }: ByteRange) {
    this.#bucket = bucket;
    this.#path = path;
    this.#position = first;
    this.#last = last;
  }

  stream(object: OpenObject): ReadableStream<Uint8Array> {
    this.#use(object);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const chunk = await this.#next();
          if (chunk !== null) controller.enqueue(chunk);
          if (this.#position > this.#last) {
            this.#close();
            controller.close();
          }
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Returns null at the end. */
  async #next(): Promise<Uint8Array | null> {
    while (this.#position <= this.#last) {
      try {
        const next = await this.#chunks?.next();
        if (next?.done !== false)
          throw new TsregError('a blob was cut off while it was read', { code: 'network' });
        const chunk = next.value.subarray(0, this.#last + 1 - this.#position);
        this.#position += chunk.length;
        if (chunk.length > 0) return chunk;
      } catch (error) {
        if (this.#current === null || this.#resumptions >= MAX_RESUMPTIONS) throw error;
        this.#resumptions += 1;
        await this.#resume();
      }
    }
    return null;
  }

  /** Reads on over a new connection. Throws `network` if the stream was cancelled meanwhile. */
  async #resume(): Promise<void> {
    const object = await this.#bucket.get(this.#path, { first: this.#position, last: this.#last });
    if (object === null) throw new TsregError('a blob was deleted while it was read', { code: 'network' });
    if (this.#current === null) {
      object.response.destroy();
      throw new TsregError('nobody reads the blob any more', { code: 'network' });
    }
    this.#use(object);
  }

  #use(object: OpenObject): void {
    this.#current = object;
    this.#chunks = this.#bucket.chunks(object);
  }

  #close(): void {
    const current = this.#current;
    this.#current = null;
    // A connection can be reused after a complete response. Before that, the rest of the response is useless.
    if (current?.response.complete === true) current.response.resume();
    else current?.response.destroy();
  }
}
