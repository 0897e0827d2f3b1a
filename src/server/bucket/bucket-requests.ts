/** Requests to one bucket of an S3-compatible store: signed, and sent again where that may help. */
import { createHash, randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { TsregError } from '../../errors/error.ts';
import type { BlobFigures } from '../store.ts';
import { type BucketFault, parseFault } from './bucket-answer.ts';
import { type BucketCredentials, readBucketCredentials } from './bucket-credentials.ts';
import { isAboutKeys, refusedByBucket, TRANSIENT, unreachableBucket } from './bucket-failure.ts';
import { type BucketLocation, type Environment, parseBucketLocation } from './bucket-location.ts';
import { type BucketTimeouts, makeAgents, NoAnswer, readText, sendRequest } from './send-request.ts';
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

const DEFAULT_TIMEOUTS: BucketTimeouts = { connectMs: 5_000, idleMs: 20_000 };
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BACK_OFF_MS = 150;
/** How often a store may say nothing for `idleMs`: somebody waits for an answer. */
const MAX_SILENCES = 2;
/** Those who read slowly never keep what is written waiting. */
const MAX_READING_SOCKETS = 256;
const MAX_OTHER_SOCKETS = 64;
const MAX_FAULT_BYTES = 64 * 1024;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** A request that is to be signed. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** null for the bucket itself. */
  readonly key: string | null;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: ObjectContent;
  readonly maxAttempts?: number;
  readonly signal?: AbortSignal;
}

/** The answer to one. */
export interface BucketAnswer {
  readonly message: IncomingMessage;
  readonly status: number;
  /** Of an answer that is an error; such a body has been read. */
  readonly fault: BucketFault;
}

/** How an address of an object is made. */
export interface SignedObjectOptions {
  readonly expiresInSeconds: number;
  /** What the store answers with, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests to one bucket. Every method throws as those of `Bucket` do. */
export class BucketRequests {
  readonly location: BucketLocation;
  /** How often a request is sent before the store counts as away. */
  readonly maxAttempts: number;
  /** How long to wait for the next byte of an answer. */
  readonly idleMs: number;
  readonly #env: Environment;
  readonly #timeouts: BucketTimeouts;
  readonly #backOffMs: number;
  readonly #reading = makeAgents(MAX_READING_SOCKETS);
  readonly #others = makeAgents(MAX_OTHER_SOCKETS);
  #credentials: BucketCredentials;
  /** What the store's clock is ahead of ours. */
  #clockAheadMs = 0;
  #figures = { requests: 0, repeats: 0, failures: 0 };

  /** Throws `config` for an address that cannot be used, and where there are no keys; asks the store nothing. */
  constructor(url: string, env: Environment, options: BucketOptions = {}) {
    this.location = parseBucketLocation(url, env);
    this.#env = env;
    this.#credentials = readBucketCredentials(env);
    this.#timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
    this.maxAttempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
    this.idleMs = this.#timeouts.idleMs;
    this.#backOffMs = options.backOffMs ?? DEFAULT_BACK_OFF_MS;
  }

  /** Which bucket, for messages. */
  get name(): string {
    const { bucket, origin } = this.location;
    return `the bucket \`${bucket}\` at \`${origin}\``;
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

  /** Sends until there is an answer that counts. Everything that is sent may be sent again. */
  async send(request: BucketRequest): Promise<BucketAnswer> {
    const maxAttempts = request.maxAttempts ?? this.maxAttempts;
    let silences = 0;
    let isCorrected = false;
    for (let attempt = 1; ; attempt += 1) {
      let failure: unknown;
      const used = this.#credentials;
      try {
        const answer = await this.#sendOnce(request, used);
        if (!isCorrected && this.#correct(answer, used)) {
          isCorrected = true;
          continue;
        }
        if (!TRANSIENT.has(answer.status) && answer.fault.code !== 'RequestTimeout') return answer;
        failure = this.failure(answer, 'use');
      } catch (error) {
        if (error instanceof NoAnswer) silences += 1;
        failure = unreachableBucket(this.name, error);
      }
      const isEnough = attempt >= maxAttempts || silences >= MAX_SILENCES;
      if (isEnough || request.signal?.aborted === true) {
        this.#figures.failures += 1;
        throw failure;
      }
      this.#figures.repeats += 1;
      await this.backOff(attempt);
    }
  }

  /** What an answer that refuses something is for whoever asked for it. */
  failure({ status, message, fault }: BucketAnswer, deed: string): TsregError {
    const theirRegion = message.headers['x-amz-bucket-region'] ?? null;
    return refusedByBucket(
      { status, fault, theirRegion: typeof theirRegion === 'string' ? theirRegion : null },
      { deed, bucket: this.name, region: this.location.region },
    );
  }

  /** Waits before an attempt that follows the given one. */
  async backOff(attempt: number): Promise<void> {
    const longest = this.#backOffMs * 2 ** (attempt - 1);
    await wait(longest / 2 + randomInt(Math.max(1, Math.ceil(longest / 2))));
  }

  /** An address that answers a GET of the object for some seconds, with these headers. */
  signedUrl(key: string, { expiresInSeconds, headers }: SignedObjectOptions): string {
    const { origin } = this.location;
    const path = this.#pathOf(key);
    const query = Object.entries(headers).map(([name, value]) => [`response-${name}`, value] as const);
    const request = { method: 'GET', host: new URL(origin).host, path, query, headers: {} };
    return `${origin}${path}?${signQuery(request, this.#signer(), { expiresInSeconds })}`;
  }

  #pathOf(key: string | null): string {
    const { basePath, prefix } = this.location;
    if (key !== null) return `${basePath}/${encodeKey(prefix + key)}`;
    return basePath === '' ? '/' : basePath;
  }

  #signer(credentials = this.#credentials): Signer {
    const atMs = Date.now() + this.#clockAheadMs;
    return { credentials, region: this.location.region, service: 's3', atMs };
  }

  async #sendOnce(
    { method, key, query = [], headers = {}, content, signal }: BucketRequest,
    credentials: BucketCredentials,
  ): Promise<BucketAnswer> {
    const { origin } = this.location;
    const path = this.#pathOf(key);
    const payloadHash = content?.sha256 ?? EMPTY_SHA256;
    const signed = signHeaders(
      {
        ...{ method, path, query, payloadHash },
        host: new URL(origin).host,
        headers: { ...headers, 'x-amz-content-sha256': payloadHash },
      },
      this.#signer(credentials),
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

  /** True where another attempt by another clock or other keys than those that were used may be accepted. */
  #correct({ message, status, fault }: BucketAnswer, used: BucketCredentials): boolean {
    if (fault.code === 'RequestTimeTooSkewed') {
      const theirs = Date.parse(message.headers.date ?? '');
      if (Number.isNaN(theirs)) return false;
      this.#clockAheadMs = theirs - Date.now();
      return true;
    }
    // An answer to HEAD has no words.
    const isRefusal = isAboutKeys(fault.code) || status === 401 || status === 403;
    // Of several requests that were under way the first one that is refused finds the new keys.
    return isRefusal && (this.#credentials !== used || this.#findNewKeys());
  }

  /** Whoever changes keys, of a limited time for example, writes the next ones to the same file. */
  #findNewKeys(): boolean {
    let fresh: BucketCredentials;
    try {
      fresh = readBucketCredentials(this.#env);
    } catch {
      // It is just being written, or gone: what the store has said counts.
      return false;
    }
    const { accessKeyId, secretAccessKey, sessionToken } = this.#credentials;
    const isSame =
      fresh.accessKeyId === accessKeyId &&
      fresh.secretAccessKey === secretAccessKey &&
      fresh.sessionToken === sessionToken;
    if (!isSame) this.#credentials = fresh;
    return !isSame;
  }
}
