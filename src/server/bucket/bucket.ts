/** The objects of one registry in a bucket of an S3-compatible store. */
import type { IncomingMessage } from 'node:http';
import { TsregError } from '../../core/errors/error.ts';
import { type BucketEntry, parseFault, parsePage } from './bucket-response.ts';
import type { Environment } from './bucket-location.ts';
import {
  type BucketResponse,
  type BucketOptions,
  BucketRequests,
  type ObjectContent,
  type SignedObjectOptions,
} from './bucket-requests.ts';
import { readBody, readText } from './send-request.ts';
import { encodeKey } from './sign-request.ts';
import type { BlobFigures, ByteRange } from '../store/blobs.ts';
import { MAX_INDEX_FILE_BYTES } from '../store/index-limits.ts';

/** Headers that are stored with an object. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Properties of an object that are known without reading it. */
export interface ObjectInfo {
  readonly size: number;
  /** Including the quotes. Changes with the bytes. */
  readonly etag: string;
  readonly changedAtMs: number;
}

/** An object, or a part of it, that is being read. */
export interface OpenObject {
  /** Size of the whole object; NaN if the store did not send it. */
  readonly size: number;
  readonly response: IncomingMessage;
}

/** A condition for writing: the object must have this `ETag`, or, if null, not exist. */
export interface WriteCondition {
  readonly etag: string | null;
}

/** Options for storing an object. */
export interface PutOptions extends ObjectHeaders {
  readonly condition?: WriteCondition;
  readonly signal?: AbortSignal;
  /** Whether to make only one attempt. */
  readonly isQuick?: boolean;
}

/** Maximum bytes of a text, or of a page of a list: more than a static index file has, with its generation. */
const MAX_TEXT_BYTES = MAX_INDEX_FILE_BYTES + 1024;
/** Maximum bytes of the short response to a copy. */
const MAX_COPY_RESPONSE_BYTES = 64 * 1024;

/**
 * A bucket. Every method throws `network` if the store does not respond in time or reports a temporary failure, after
 * some attempts; `auth` if it refuses; and `config` if it reports that the bucket is elsewhere or does not exist. Keys
 * do not include the location's prefix.
 */
export class Bucket {
  readonly #requests: BucketRequests;
  /** False once the store has reported that it does not support conditions. */
  #hasConditions = true;

  /** Throws `config` if the URL is invalid or there are no credentials. Sends no request yet. */
  constructor(url: string, env: Environment, options: BucketOptions = {}) {
    this.#requests = new BucketRequests(url, env, options);
  }

  /** Returns the counts since the start. */
  figures(): BlobFigures {
    return this.#requests.figures();
  }

  /** Closes all connections. */
  close(): void {
    this.#requests.close();
  }

  /** Returns the properties of an object; null if it does not exist. */
  async head(key: string): Promise<ObjectInfo | null> {
    const response = await this.#requests.send({ method: 'HEAD', key });
    response.message.resume();
    if (isAbsent(response)) return null;
    if (response.status !== 200) throw this.#requests.failure(response, 'look at an object in');
    return infoOf(response.message, Number(response.message.headers['content-length']));
  }

  /** Opens an object for reading; null if it does not exist. `range` must lie within the object. */
  async get(key: string, range: ByteRange | null): Promise<OpenObject | null> {
    const headers = range === null ? {} : { range: `bytes=${range.first}-${range.last}` };
    const response = await this.#requests.send({ method: 'GET', key, headers });
    const { message, status } = response;
    if (isAbsent(response)) return null;
    if (status === 200 && range === null)
      return { size: Number(message.headers['content-length']), response: message };
    if (status === 206 && range !== null) {
      const [, first, last, size] =
        /^bytes (\d+)-(\d+)\/(\d+)$/.exec(message.headers['content-range'] ?? '') ?? [];
      if (Number(first) === range.first && Number(last) === range.last)
        return { size: Number(size), response: message };
    }
    message.destroy();
    if (status === 200 || status === 206) {
      throw new TsregError(`${this.#requests.name} returned another part of an object than requested`, {
        code: 'network',
      });
    }
    throw this.#requests.failure(response, 'read from');
  }

  /** Reads a short object as text; null if it does not exist. */
  async getText(key: string): Promise<{ readonly text: string; readonly etag: string } | null> {
    const object = await this.get(key, null);
    if (object === null) return null;
    const { idleMs } = this.#requests;
    const text = await readText(object.response, { idleMs, maxBytes: MAX_TEXT_BYTES });
    return { text, etag: object.response.headers.etag ?? '' };
  }

  /** Yields the bytes of an open object in parts. */
  chunks({ response }: OpenObject): AsyncGenerator<Uint8Array, void> {
    return readBody(response, this.#requests.idleMs);
  }

  /**
   * Stores an object. The store verifies the checksum. Returns false, and stores nothing, if the condition does not
   * hold. This may also mean that an earlier attempt stored the object, but its response was lost. Ignores the condition
   * if the store does not support conditions.
   */
  async put(key: string, content: ObjectContent, options: PutOptions): Promise<boolean> {
    const { condition, signal, isQuick = false } = options;
    const digest = Buffer.from(content.sha256, 'hex').toString('base64');
    // Another request may change `#hasConditions` meanwhile.
    const isConditional = condition !== undefined && this.#hasConditions;
    const response = await this.#requests.send({
      method: 'PUT',
      key,
      content,
      headers: {
        'content-length': String(content.size),
        'content-type': options.contentType,
        'cache-control': options.cacheControl,
        'x-amz-checksum-sha256': digest,
        ...(isConditional ? conditionHeaders(condition) : {}),
      },
      ...(signal === undefined ? {} : { signal }),
      ...(isQuick ? { maxAttempts: 1 } : {}),
    });
    response.message.resume();
    // 501 (Not Implemented): the store does not support conditions.
    if (response.status === 501 && isConditional) {
      this.#hasConditions = false;
      return await this.put(key, content, options);
    }
    // 409: another write is in progress. 404: the object to replace is gone.
    if (condition !== undefined && ([409, 412].includes(response.status) || isAbsent(response))) return false;
    if (response.status !== 200) throw this.#requests.failure(response, 'write to');
    const stored = response.message.headers['x-amz-checksum-sha256'];
    if (stored !== undefined && stored !== digest) {
      throw new TsregError(`${this.#requests.name} stored other bytes than tsreg sent`, {
        code: 'network',
      });
    }
    return true;
  }

  /** Copies an object with its headers within the bucket. Returns false if it does not exist. */
  async copy(from: string, to: string): Promise<boolean> {
    const { bucket, prefix } = this.#requests.location;
    const source = encodeKey(`${bucket}/${prefix}${from}`);
    const headers = { 'x-amz-copy-source': `/${source}` };
    // Each of these attempts may make `maxAttempts` requests, because `send` repeats those that fail at once.
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#requests.send({ method: 'PUT', key: to, headers });
      if (isAbsent(response)) return false;
      if (response.status !== 200) throw this.#requests.failure(response, 'write to');
      // The store sends the status before the copy is complete, so the body may still be an error.
      const { idleMs } = this.#requests;
      const text = await readText(response.message, { idleMs, maxBytes: MAX_COPY_RESPONSE_BYTES });
      const fault = parseFault(text);
      if (fault.code === '') return true;
      if (attempt >= this.#requests.maxAttempts)
        throw this.#requests.failure({ ...response, status: 500, fault }, 'write to');
      await this.#requests.backOff(attempt);
    }
  }

  /** Deletes an object if it exists. */
  async delete(key: string): Promise<void> {
    const response = await this.#requests.send({ method: 'DELETE', key });
    response.message.resume();
    if (![200, 204].includes(response.status) && !isAbsent(response))
      throw this.#requests.failure(response, 'delete from');
  }

  /** Yields the objects whose keys start with `keyPrefix`, ordered by key. */
  async *list(keyPrefix: string): AsyncGenerator<BucketEntry, void> {
    const { prefix } = this.#requests.location;
    let next: string | null = null;
    do {
      const query: (readonly [string, string])[] = [
        ['list-type', '2'],
        ['encoding-type', 'url'],
        ['prefix', prefix + keyPrefix],
      ];
      if (next !== null) query.push(['continuation-token', next]);
      const response = await this.#requests.send({ method: 'GET', key: null, query });
      if (response.status !== 200) throw this.#requests.failure(response, 'list');
      const { idleMs } = this.#requests;
      const page = parsePage(await readText(response.message, { idleMs, maxBytes: MAX_TEXT_BYTES }));
      if (page === null) {
        throw new TsregError(`${this.#requests.name} did not return a list`, { code: 'network' });
      }
      for (const entry of page.entries) {
        if (entry.key.startsWith(prefix)) yield { ...entry, key: entry.key.slice(prefix.length) };
      }
      next = page.next;
    } while (next !== null);
  }

  /** Returns a URL for a GET of the object, valid for `expiresInSeconds`, whose response has these headers. */
  async signedUrl(key: string, options: SignedObjectOptions): Promise<string> {
    return await this.#requests.signedUrl(key, options);
  }
}

/** Codes of a 404 for a missing object. A missing bucket or access key has other codes. */
const ABSENT = new Set(['', 'NoSuchKey', 'NotFound']);

function isAbsent({ status, fault }: BucketResponse): boolean {
  return status === 404 && ABSENT.has(fault.code);
}

function conditionHeaders({ etag }: WriteCondition): Readonly<Record<string, string>> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
}

/** Returns the properties from the headers of a response. `changedAtMs` is 0 if the store did not send a valid time. */
function infoOf({ headers }: IncomingMessage, size: number): ObjectInfo {
  const changedAtMs = Date.parse(headers['last-modified'] ?? '');
  return { size, etag: headers.etag ?? '', changedAtMs: Number.isNaN(changedAtMs) ? 0 : changedAtMs };
}
