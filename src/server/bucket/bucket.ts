/** The objects of one registry in a bucket of an S3-compatible store. */
import { createHash, randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import type { BlobFigures, ByteRange } from '../store.ts';
import { type BucketEntry, type BucketFault, parseFault, parsePage } from './bucket-answer.ts';
import { type BucketCredentials, readBucketCredentials } from './bucket-credentials.ts';
import { type BucketLocation, type Environment, parseBucketLocation } from './bucket-location.ts';
import { type BucketTimeouts, makeAgents, readBody, readText, sendRequest } from './send-request.ts';
import { encodeKey, encodeQuery, type Signer, signHeaders, signQuery } from './sign-request.ts';

/** What can be said otherwise, for a store that is near or far. */
export interface BucketOptions {
  readonly timeouts?: BucketTimeouts;
  /** How often a request is sent before the store counts as away. */
  readonly maxAttempts?: number;
  /** The longest wait before the second attempt; doubled with each. */
  readonly backOffMs?: number;
}

/** Bytes to be stored, which can be read more than once. */
export interface ObjectContent {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly open: () => Uint8Array | Readable;
}

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

const DEFAULT_TIMEOUTS: BucketTimeouts = { connectMs: 5_000, idleMs: 20_000 };
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BACK_OFF_MS = 150;
/** Those who read slowly never keep what is written waiting. */
const MAX_READING_SOCKETS = 256;
const MAX_OTHER_SOCKETS = 64;
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_FAULT_BYTES = 64 * 1024;
const EMPTY_SHA256 = createHash('sha256').digest('hex');
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** null for the bucket itself. */
  readonly key: string | null;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: ObjectContent;
  readonly maxAttempts?: number;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly message: IncomingMessage;
  readonly status: number;
  /** Of an answer that is an error; such a body has been read. */
  readonly fault: BucketFault;
}

/**
 * Every method throws `network` where the store does not answer in time or says that it is not well, after some
 * attempts; `auth` where it refuses; and `config` where it says that the bucket is elsewhere or not there. Keys are
 * without the prefix of the location.
 */
export class Bucket {
  readonly #location: BucketLocation;
  readonly #env: Environment;
  readonly #timeouts: BucketTimeouts;
  readonly #maxAttempts: number;
  readonly #backOffMs: number;
  readonly #reading = makeAgents(MAX_READING_SOCKETS);
  readonly #others = makeAgents(MAX_OTHER_SOCKETS);
  #credentials: BucketCredentials;
  /** False once the store has said that it knows none. */
  #hasConditions = true;
  /** What the store's clock is ahead of ours. */
  #clockAheadMs = 0;
  #figures = { requests: 0, repeats: 0, failures: 0 };

  /** Throws `config` for an address that cannot be used, and where there are no keys; asks the store nothing. */
  constructor(url: string, env: Environment, options: BucketOptions = {}) {
    this.#location = parseBucketLocation(url, env);
    this.#env = env;
    this.#credentials = readBucketCredentials(env);
    this.#timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
    this.#maxAttempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
    this.#backOffMs = options.backOffMs ?? DEFAULT_BACK_OFF_MS;
  }

  /** Counts since the start. */
  figures(): BlobFigures {
    return { ...this.#figures };
  }

  /** Lets go of all connections. */
  close(): void {
    for (const { http, https } of [this.#reading, this.#others]) {
      http.destroy();
      https.destroy();
    }
  }

  /** null if there is none. */
  async head(key: string): Promise<ObjectInfo | null> {
    const answer = await this.#request({ method: 'HEAD', key });
    answer.message.resume();
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw this.#failure(answer, 'look at an object in');
    return infoOf(answer.message, Number(answer.message.headers['content-length']));
  }

  /** null if there is none. `range` must lie within the object. */
  async get(key: string, range: ByteRange | null): Promise<OpenObject | null> {
    const headers = range === null ? {} : { range: `bytes=${range.first}-${range.last}` };
    const answer = await this.#request({ method: 'GET', key, headers });
    const { message, status, fault } = answer;
    if (status === 404 && fault.code !== 'NoSuchBucket') return null;
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
      throw new TsregError(`${this.#name()} answered with another part of an object than was asked for`, {
        code: 'network',
      });
    }
    throw this.#failure(answer, 'read from');
  }

  /** A short object as text; null if there is none. */
  async getText(key: string): Promise<{ readonly text: string; readonly etag: string } | null> {
    const object = await this.get(key, null);
    if (object === null) return null;
    const { idleMs } = this.#timeouts;
    const text = await readText(object.answer, { idleMs, maxBytes: MAX_TEXT_BYTES });
    return { text, etag: object.answer.headers.etag ?? '' };
  }

  /** The bytes of an object that is read, in parts. */
  chunks({ answer }: OpenObject): AsyncGenerator<Uint8Array, void> {
    return readBody(answer, this.#timeouts.idleMs);
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
    const answer = await this.#request({
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
    const isElsewhere = answer.fault.code === 'NoSuchBucket';
    if (condition !== undefined && !isElsewhere && [404, 409, 412].includes(answer.status)) return false;
    if (answer.status !== 200) throw this.#failure(answer, 'write to');
    const stored = answer.message.headers['x-amz-checksum-sha256'];
    if (stored !== undefined && stored !== digest) {
      throw new TsregError(`${this.#name()} has stored other bytes than were sent`, { code: 'network' });
    }
    return true;
  }

  /** Copies an object within the bucket, with all that is said of it. False if it is not there. */
  async copy(from: string, to: string): Promise<boolean> {
    const { bucket, prefix } = this.#location;
    const source = encodeKey(`${bucket}/${prefix}${from}`);
    const headers = { 'x-amz-copy-source': `/${source}` };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#request({ method: 'PUT', key: to, headers });
      if (answer.status === 404 && answer.fault.code !== 'NoSuchBucket') return false;
      if (answer.status !== 200) throw this.#failure(answer, 'write to');
      // Such an answer begins before the work is done, and may still become an error.
      const { idleMs } = this.#timeouts;
      const text = await readText(answer.message, { idleMs, maxBytes: MAX_FAULT_BYTES });
      const fault = parseFault(text);
      if (fault.code === '') return true;
      if (attempt >= this.#maxAttempts) throw this.#failure({ ...answer, status: 500, fault }, 'write to');
      await this.#backOff(attempt);
    }
  }

  /** Fine if there is none. */
  async delete(key: string): Promise<void> {
    const answer = await this.#request({ method: 'DELETE', key });
    answer.message.resume();
    if (![200, 204, 404].includes(answer.status)) throw this.#failure(answer, 'delete from');
  }

  /** Objects whose keys begin so, by key. */
  async *list(keyPrefix: string): AsyncGenerator<BucketEntry, void> {
    const { prefix } = this.#location;
    let next: string | null = null;
    do {
      const query: (readonly [string, string])[] = [
        ['list-type', '2'],
        ['encoding-type', 'url'],
        ['prefix', prefix + keyPrefix],
      ];
      if (next !== null) query.push(['continuation-token', next]);
      const answer = await this.#request({ method: 'GET', key: null, query });
      if (answer.status !== 200) throw this.#failure(answer, 'list');
      const { idleMs } = this.#timeouts;
      const page = parsePage(await readText(answer.message, { idleMs, maxBytes: MAX_TEXT_BYTES }));
      if (page === null) {
        throw new TsregError(`${this.#name()} did not answer with a list`, { code: 'network' });
      }
      for (const entry of page.entries) {
        if (entry.key.startsWith(prefix)) yield { ...entry, key: entry.key.slice(prefix.length) };
      }
      next = page.next;
    } while (next !== null);
  }

  /** An address that answers a GET of the object for some seconds, with these headers. */
  signedUrl(
    key: string,
    {
      expiresInSeconds,
      headers,
    }: { readonly expiresInSeconds: number; readonly headers: Readonly<Record<string, string>> },
  ): string {
    const { origin } = this.#location;
    const path = this.#pathOf(key);
    const query = Object.entries(headers).map(([name, value]) => [`response-${name}`, value] as const);
    const request = { method: 'GET', host: new URL(origin).host, path, query, headers: {} };
    return `${origin}${path}?${signQuery(request, this.#signer(), { expiresInSeconds })}`;
  }

  #name(): string {
    const { bucket, origin } = this.#location;
    return `the bucket \`${bucket}\` at \`${origin}\``;
  }

  #pathOf(key: string | null): string {
    const { basePath, prefix } = this.#location;
    if (key !== null) return `${basePath}/${encodeKey(prefix + key)}`;
    return basePath === '' ? '/' : basePath;
  }

  #signer(): Signer {
    const atMs = Date.now() + this.#clockAheadMs;
    return { credentials: this.#credentials, region: this.#location.region, service: 's3', atMs };
  }

  /** Sends until there is an answer that counts. Everything that is sent may be sent again. */
  async #request(request: Request): Promise<Answer> {
    const maxAttempts = request.maxAttempts ?? this.#maxAttempts;
    let isCorrected = false;
    for (let attempt = 1; ; attempt += 1) {
      let failure: unknown;
      try {
        const answer = await this.#send(request);
        if (!isCorrected && this.#correct(answer)) {
          isCorrected = true;
          continue;
        }
        if (!TRANSIENT.has(answer.status) && answer.fault.code !== 'RequestTimeout') return answer;
        failure = this.#failure(answer, 'use');
      } catch (error) {
        failure = new TsregError(`${this.#name()} cannot be reached`, { cause: error });
      }
      if (attempt >= maxAttempts || request.signal?.aborted === true) {
        this.#figures.failures += 1;
        throw failure;
      }
      this.#figures.repeats += 1;
      await this.#backOff(attempt);
    }
  }

  async #send({ method, key, query = [], headers = {}, content, signal }: Request): Promise<Answer> {
    const { origin } = this.#location;
    const path = this.#pathOf(key);
    const payloadHash = content?.sha256 ?? EMPTY_SHA256;
    const signed = signHeaders(
      {
        ...{ method, path, query, payloadHash },
        host: new URL(origin).host,
        headers: { ...headers, 'x-amz-content-sha256': payloadHash },
      },
      this.#signer(),
    );
    this.#figures.requests += 1;
    const message = await sendRequest(
      {
        method,
        url: `${origin}${path}${query.length === 0 ? '' : `?${encodeQuery(query)}`}`,
        headers: method === 'PUT' && content === undefined ? { ...signed, 'content-length': '0' } : signed,
        body: content?.open ?? null,
      },
      {
        agents: method === 'GET' ? this.#reading : this.#others,
        timeouts: this.#timeouts,
        signal: signal ?? null,
      },
    );
    const status = message.statusCode ?? 0;
    if (status < 300) return { message, status, fault: { code: '', message: '' } };
    const { idleMs } = this.#timeouts;
    const text = await readText(message, { idleMs, maxBytes: MAX_FAULT_BYTES });
    return { message, status, fault: parseFault(text) };
  }

  /** True where another attempt by another clock or other keys may be accepted. */
  #correct({ message, fault }: Answer): boolean {
    if (fault.code === 'RequestTimeTooSkewed') {
      const theirs = Date.parse(message.headers.date ?? '');
      if (Number.isNaN(theirs)) return false;
      this.#clockAheadMs = theirs - Date.now();
      return true;
    }
    if (
      !['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'TokenRefreshRequired'].includes(fault.code)
    ) {
      return false;
    }
    // Whoever keeps keys for a limited time writes the next ones to the same file.
    const fresh = readBucketCredentials(this.#env);
    if (
      fresh.accessKeyId === this.#credentials.accessKeyId &&
      fresh.sessionToken === this.#credentials.sessionToken
    ) {
      return false;
    }
    this.#credentials = fresh;
    return true;
  }

  async #backOff(attempt: number): Promise<void> {
    const longest = this.#backOffMs * 2 ** (attempt - 1);
    await wait(longest / 2 + randomInt(Math.max(1, Math.ceil(longest / 2))));
  }

  #failure({ status, message, fault }: Answer, deed: string): TsregError {
    const { region } = this.#location;
    const theirRegion = message.headers['x-amz-bucket-region'];
    const said = [String(status), fault.code, fault.message].filter((part) => part !== '').join(' ');
    const failure = `cannot ${deed} ${this.#name()}: ${said}`;
    if (typeof theirRegion === 'string' && /^[\w-]{1,64}$/.test(theirRegion) && theirRegion !== region) {
      return new TsregError(
        `${failure}; it is in the region \`${theirRegion}\`: say so by \`region=${theirRegion}\``,
        {
          code: 'config',
        },
      );
    }
    if (status === 401 || status === 403) return new TsregError(failure, { code: 'auth' });
    return new TsregError(failure, { code: TRANSIENT.has(status) ? 'network' : 'config' });
  }
}

function conditionHeaders({ etag }: WriteCondition): Readonly<Record<string, string>> {
  return etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
}

function infoOf({ headers }: IncomingMessage, size: number): ObjectInfo {
  const changedAtMs = Date.parse(headers['last-modified'] ?? '');
  return { size, etag: headers.etag ?? '', changedAtMs: Number.isNaN(changedAtMs) ? 0 : changedAtMs };
}
