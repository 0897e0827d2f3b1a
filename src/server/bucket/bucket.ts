/** The objects of one registry in a bucket of an S3-compatible store. */
import type { IncomingMessage } from 'node:http';
import { TsregError } from '../../errors/error.ts';
import type { BlobFigures, ByteRange } from '../store.ts';
import { type BucketEntry, parseFault, parsePage } from './bucket-answer.ts';
import type { Environment } from './bucket-location.ts';
import {
  type BucketAnswer,
  type BucketOptions,
  BucketRequests,
  type ObjectContent,
  type SignedObjectOptions,
} from './bucket-requests.ts';
import { readBody, readText } from './send-request.ts';
import { encodeKey } from './sign-request.ts';

/** What is said of an object beside its bytes. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
}

/** What is known of an object without reading it. */
export interface ObjectInfo {
  readonly size: number;
  /** With its quotes; changes with the bytes. */
  readonly etag: string;
  readonly changedAtMs: number;
}

/** An object, or a part of it, that is read. */
export interface OpenObject {
  /** Of all of it. */
  readonly size: number;
  readonly answer: IncomingMessage;
}

/** An object is only written where there is what was seen: the `ETag`, or null for nothing. */
export interface WriteCondition {
  readonly etag: string | null;
}

const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Of an answer to a copy, which says little. */
const MAX_COPY_ANSWER_BYTES = 64 * 1024;

/**
 * Every method throws `network` where the store does not answer in time or says that it is not well, after some
 * attempts; `auth` where it refuses; and `config` where it says that the bucket is elsewhere or not there. Keys are
 * without the prefix of the location.
 */
export class Bucket {
  readonly #requests: BucketRequests;
  /** False once the store has said that it knows none. */
  #hasConditions = true;

  /** Throws `config` for an address that cannot be used, and where there are no keys; asks the store nothing. */
  constructor(url: string, env: Environment, options: BucketOptions = {}) {
    this.#requests = new BucketRequests(url, env, options);
  }

  /** Counts since the start. */
  figures(): BlobFigures {
    return this.#requests.figures();
  }

  /** Lets go of all connections. */
  close(): void {
    this.#requests.close();
  }

  /** null if there is none. */
  async head(key: string): Promise<ObjectInfo | null> {
    const answer = await this.#requests.send({ method: 'HEAD', key });
    answer.message.resume();
    if (isAbsent(answer)) return null;
    if (answer.status !== 200) throw this.#requests.failure(answer, 'look at an object in');
    return infoOf(answer.message, Number(answer.message.headers['content-length']));
  }

  /** null if there is none. `range` must lie within the object. */
  async get(key: string, range: ByteRange | null): Promise<OpenObject | null> {
    const headers = range === null ? {} : { range: `bytes=${range.first}-${range.last}` };
    const answer = await this.#requests.send({ method: 'GET', key, headers });
    const { message, status } = answer;
    if (isAbsent(answer)) return null;
    if (status === 200 && range === null)
      return { size: Number(message.headers['content-length']), answer: message };
    if (status === 206 && range !== null) {
      const [, first, last, size] =
        /^bytes (\d+)-(\d+)\/(\d+)$/.exec(message.headers['content-range'] ?? '') ?? [];
      if (Number(first) === range.first && Number(last) === range.last)
        return { size: Number(size), answer: message };
    }
    message.destroy();
    if (status === 200 || status === 206) {
      throw new TsregError(`${this.#requests.name} returned another part of an object than requested`, {
        code: 'network',
      });
    }
    throw this.#requests.failure(answer, 'read from');
  }

  /** A short object as text; null if there is none. */
  async getText(key: string): Promise<{ readonly text: string; readonly etag: string } | null> {
    const object = await this.get(key, null);
    if (object === null) return null;
    const { idleMs } = this.#requests;
    const text = await readText(object.answer, { idleMs, maxBytes: MAX_TEXT_BYTES });
    return { text, etag: object.answer.headers.etag ?? '' };
  }

  /** The bytes of an object that is read, in parts. */
  chunks({ answer }: OpenObject): AsyncGenerator<Uint8Array, void> {
    return readBody(answer, this.#requests.idleMs);
  }

  /**
   * Stores an object; the store checks that it has got the bytes that were meant. False, and nothing is stored, where
   * the condition does not hold; a store that knows no conditions is given none. `isQuick` for one attempt.
   */
  async put(
    key: string,
    content: ObjectContent,
    options: ObjectHeaders & {
      readonly condition?: WriteCondition;
      readonly signal?: AbortSignal;
      readonly isQuick?: boolean;
    },
  ): Promise<boolean> {
    const { condition, signal, isQuick = false } = options;
    const digest = Buffer.from(content.sha256, 'hex').toString('base64');
    const answer = await this.#requests.send({
      method: 'PUT',
      key,
      content,
      headers: {
        'content-length': String(content.size),
        'content-type': options.contentType,
        'cache-control': options.cacheControl,
        'x-amz-checksum-sha256': digest,
        ...(condition === undefined || !this.#hasConditions ? {} : conditionHeaders(condition)),
      },
      ...(signal === undefined ? {} : { signal }),
      ...(isQuick ? { maxAttempts: 1 } : {}),
    });
    answer.message.resume();
    if (answer.status === 501 && condition !== undefined && this.#hasConditions) {
      this.#hasConditions = false;
      return await this.put(key, content, options);
    }
    // 409: another write is under way. 404: what was to be replaced is gone.
    if (condition !== undefined && ([409, 412].includes(answer.status) || isAbsent(answer))) return false;
    if (answer.status !== 200) throw this.#requests.failure(answer, 'write to');
    const stored = answer.message.headers['x-amz-checksum-sha256'];
    if (stored !== undefined && stored !== digest) {
      throw new TsregError(`${this.#requests.name} stored other bytes than tsreg sent`, {
        code: 'network',
      });
    }
    return true;
  }

  /** Copies an object within the bucket, with all that is said of it. False if it is not there. */
  async copy(from: string, to: string): Promise<boolean> {
    const { bucket, prefix } = this.#requests.location;
    const source = encodeKey(`${bucket}/${prefix}${from}`);
    const headers = { 'x-amz-copy-source': `/${source}` };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#requests.send({ method: 'PUT', key: to, headers });
      if (isAbsent(answer)) return false;
      if (answer.status !== 200) throw this.#requests.failure(answer, 'write to');
      // Such an answer begins before the work is done, and may still become an error.
      const { idleMs } = this.#requests;
      const text = await readText(answer.message, { idleMs, maxBytes: MAX_COPY_ANSWER_BYTES });
      const fault = parseFault(text);
      if (fault.code === '') return true;
      if (attempt >= this.#requests.maxAttempts)
        throw this.#requests.failure({ ...answer, status: 500, fault }, 'write to');
      await this.#requests.backOff(attempt);
    }
  }

  /** Fine if there is none. */
  async delete(key: string): Promise<void> {
    const answer = await this.#requests.send({ method: 'DELETE', key });
    answer.message.resume();
    if (![200, 204].includes(answer.status) && !isAbsent(answer))
      throw this.#requests.failure(answer, 'delete from');
  }

  /** Objects whose keys begin so, by key. */
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
      const answer = await this.#requests.send({ method: 'GET', key: null, query });
      if (answer.status !== 200) throw this.#requests.failure(answer, 'list');
      const { idleMs } = this.#requests;
      const page = parsePage(await readText(answer.message, { idleMs, maxBytes: MAX_TEXT_BYTES }));
      if (page === null) {
        throw new TsregError(`${this.#requests.name} did not return a list`, { code: 'network' });
      }
      for (const entry of page.entries) {
        if (entry.key.startsWith(prefix)) yield { ...entry, key: entry.key.slice(prefix.length) };
      }
      next = page.next;
    } while (next !== null);
  }

  /** An address that answers a GET of the object for some seconds, with these headers. */
  signedUrl(key: string, options: SignedObjectOptions): string {
    return this.#requests.signedUrl(key, options);
  }
}

/** What 404 says of an object; of a bucket or a key that are not there it says something else. */
const ABSENT = new Set(['', 'NoSuchKey', 'NotFound']);

function isAbsent({ status, fault }: BucketAnswer): boolean {
  return status === 404 && ABSENT.has(fault.code);
}

function conditionHeaders({ etag }: WriteCondition): Readonly<Record<string, string>> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
}

function infoOf({ headers }: IncomingMessage, size: number): ObjectInfo {
  const changedAtMs = Date.parse(headers['last-modified'] ?? '');
  return { size, etag: headers.etag ?? '', changedAtMs: Number.isNaN(changedAtMs) ? 0 : changedAtMs };
}
