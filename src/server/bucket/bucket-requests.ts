/** Signed requests to one bucket of an S3-compatible store, with retries. */
import { createHash, randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '../../core/errors/assert.ts';
import type { TsregError } from '../../core/errors/error.ts';
import { type BucketFault, parseFault } from './bucket-response.ts';
import {
  type BucketCredentials,
  type CredentialProvider,
  type CredentialRequest,
  ownProvider,
} from './bucket-credentials.ts';
import { bucketError, isCredentialCode, TRANSIENT, unreachableBucket } from './bucket-failure.ts';
import { type BucketLocation, type Environment, parseBucketLocation } from './bucket-location.ts';
import { type BucketTimeouts, makeAgents, NoResponse, readText, sendRequest } from './send-request.ts';
import { encodeKey, encodeQuery, type Signer, signHeaders, signQuery } from './sign-request.ts';
import { type BlobFigures, MAX_READING_CONNECTIONS } from '../store/blobs.ts';

/** Timeouts and retries, which may depend on how far away the store is, and credentials. */
export interface BucketOptions {
  readonly timeouts?: BucketTimeouts;
  /** How often a request is sent before the store counts as away. */
  readonly maxAttempts?: number;
  /** Maximum wait before the second attempt. Doubles with each further attempt. */
  readonly backOffMs?: number;
  /** Where the credentials come from; by default the variables or the credentials file. */
  readonly credentials?: CredentialProvider;
}

/** Bytes to store, which can be read more than once. */
export interface ObjectContent {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly open: () => Uint8Array | Readable;
}

const DEFAULT_TIMEOUTS: BucketTimeouts = { connectMs: 5_000, idleMs: 20_000 };
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BACK_OFF_MS = 150;
/** Maximum timeouts of one request, because a client waits for the response. */
const MAX_TIMEOUTS = 2;
/** Writes have separate connections, so that slow readers never delay them. */
const MAX_OTHER_SOCKETS = 64;
const MAX_FAULT_BYTES = 64 * 1024;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** A request to sign. */
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

/** The response of the store. */
export interface BucketResponse {
  readonly message: IncomingMessage;
  readonly status: number;
  /** Of an error response, whose body has been read; else empty. */
  readonly fault: BucketFault;
}

/** Properties of a signed URL. */
export interface SignedObjectOptions {
  readonly expiresInSeconds: number;
  /** Headers of the store's response; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A client for one bucket. Every method throws as those of `Bucket` do. */
export class BucketRequests {
  readonly location: BucketLocation;
  /** How often a request is sent before the store counts as away. */
  readonly maxAttempts: number;
  /** How long to wait for the next byte of a response. */
  readonly idleMs: number;
  readonly #credentials: CredentialProvider;
  readonly #timeouts: BucketTimeouts;
  readonly #backOffMs: number;
  readonly #readAgents = makeAgents(MAX_READING_CONNECTIONS);
  readonly #otherAgents = makeAgents(MAX_OTHER_SOCKETS);
  /** How far the store's clock is ahead of this machine's. */
  #clockAheadMs = 0;
  #figures = { requests: 0, repeats: 0, failures: 0 };

  /** Throws `config` if the URL is invalid or there are no credentials. Sends no request yet. */
  constructor(url: string, env: Environment, options: BucketOptions = {}) {
    this.location = parseBucketLocation(url, env);
    this.#credentials = options.credentials ?? ownProvider(env);
    this.#timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
    this.maxAttempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
    this.idleMs = this.#timeouts.idleMs;
    this.#backOffMs = options.backOffMs ?? DEFAULT_BACK_OFF_MS;
  }

  /** Description of the bucket for messages. */
  get name(): string {
    const { bucket, origin } = this.location;
    return `the bucket \`${bucket}\` at \`${origin}\``;
  }

  /** Returns the counts since the start. */
  figures(): BlobFigures {
    return { ...this.#figures };
  }

  /** Closes all connections. */
  close(): void {
    for (const { http, https } of [this.#readAgents, this.#otherAgents]) {
      http.destroy();
      https.destroy();
    }
  }

  /** Sends a request, again after temporary failures, and returns the response. Requests must be safe to repeat. */
  async send(request: BucketRequest): Promise<BucketResponse> {
    const maxAttempts = request.maxAttempts ?? this.maxAttempts;
    let timeoutCount = 0;
    let hasCorrected = false;
    for (let attempt = 1; ; attempt += 1) {
      let failure: unknown;
      const credentials = await this.#findCredentials({ forceRefresh: false });
      try {
        const response = await this.#sendOnce(request, credentials);
        if (!hasCorrected && (await this.#correct(response, credentials))) {
          hasCorrected = true;
          continue;
        }
        if (!TRANSIENT.has(response.status) && response.fault.code !== 'RequestTimeout') return response;
        failure = this.failure(response, 'use');
      } catch (error) {
        if (error instanceof NoResponse) timeoutCount += 1;
        failure = unreachableBucket(this.name, error);
      }
      const isEnough = attempt >= maxAttempts || timeoutCount >= MAX_TIMEOUTS;
      if (isEnough || request.signal?.aborted === true) {
        this.#figures.failures += 1;
        throw failure;
      }
      this.#figures.repeats += 1;
      await this.backOff(attempt);
    }
  }

  /** Returns the error for an error response to an `action` such as `read from`. */
  failure({ status, message, fault }: BucketResponse, action: string): TsregError {
    const theirRegion = message.headers['x-amz-bucket-region'] ?? null;
    return bucketError(
      { status, fault, theirRegion: typeof theirRegion === 'string' ? theirRegion : null },
      { action, bucket: this.name, region: this.location.region },
    );
  }

  /** Waits before the attempt that follows `attempt`. */
  async backOff(attempt: number): Promise<void> {
    const maxMs = this.#backOffMs * 2 ** (attempt - 1);
    // At least half of it, and a random rest, so that clients do not retry all at once.
    await wait(maxMs / 2 + randomInt(Math.max(1, Math.ceil(maxMs / 2))));
  }

  /** Returns a URL for a GET of the object, valid for `expiresInSeconds`, whose response has these headers. */
  async signedUrl(key: string, { expiresInSeconds, headers }: SignedObjectOptions): Promise<string> {
    const { origin } = this.location;
    const path = this.#pathOf(key);
    const query = Object.entries(headers).map(([name, value]) => [`response-${name}`, value] as const);
    const request = { method: 'GET', host: new URL(origin).host, path, query, headers: {} };
    const signer = this.#signer(await this.#findCredentials({ forceRefresh: false }));
    return `${origin}${path}?${signQuery(request, signer, { expiresInSeconds })}`;
  }

  /** Returns what the provider does. Its failure counts, because the request cannot succeed then. */
  async #findCredentials(options: CredentialRequest): Promise<BucketCredentials> {
    try {
      return await this.#credentials(options);
    } catch (error) {
      this.#figures.failures += 1;
      throw error;
    }
  }

  #pathOf(key: string | null): string {
    const { basePath, prefix } = this.location;
    if (key !== null) return `${basePath}/${encodeKey(prefix + key)}`;
    return basePath === '' ? '/' : basePath;
  }

  #signer(credentials: BucketCredentials): Signer {
    const atMs = Date.now() + this.#clockAheadMs;
    return { credentials, region: this.location.region, service: 's3', atMs };
  }

  async #sendOnce(
    { method, key, query = [], headers = {}, content, signal }: BucketRequest,
    credentials: BucketCredentials,
  ): Promise<BucketResponse> {
    const { origin } = this.location;
    const path = this.#pathOf(key);
    const payloadHash = content?.sha256 ?? EMPTY_SHA256;
    const signed = signHeaders(
      {
        method,
        path,
        query,
        payloadHash,
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
        agents: method === 'GET' ? this.#readAgents : this.#otherAgents,
        timeouts: this.#timeouts,
        signal: signal ?? null,
      },
    );
    const status = present(message.statusCode, 'the status of a response');
    if (status < 300) return { message, status, fault: { code: '', message: '' } };
    const { idleMs } = this.#timeouts;
    const text = await readText(message, { idleMs, maxBytes: MAX_FAULT_BYTES });
    return { message, status, fault: parseFault(text) };
  }

  /**
   * Corrects the clock or looks for new credentials if the store refused the signature, which was made with `used`.
   * Returns true if another attempt may then succeed.
   */
  async #correct({ message, status, fault }: BucketResponse, used: BucketCredentials): Promise<boolean> {
    if (fault.code === 'RequestTimeTooSkewed') {
      const theirTimeMs = Date.parse(message.headers.date ?? '');
      if (Number.isNaN(theirTimeMs)) return false;
      this.#clockAheadMs = theirTimeMs - Date.now();
      return true;
    }
    // A response to HEAD has no body, and so no code.
    const isRefusal = isCredentialCode(fault.code) || status === 401 || status === 403;
    return isRefusal && (await this.#hasOtherCredentials(used));
  }

  /** Returns true if there are other credentials than the refused ones. Temporary ones are replaced in the same place. */
  async #hasOtherCredentials(refused: BucketCredentials): Promise<boolean> {
    const isOther = (fresh: BucketCredentials): boolean =>
      fresh.accessKeyId !== refused.accessKeyId ||
      fresh.secretAccessKey !== refused.secretAccessKey ||
      fresh.sessionToken !== refused.sessionToken;
    try {
      // Of several concurrent requests, the first refused one finds the new credentials.
      const current = await this.#findCredentials({ forceRefresh: false });
      return isOther(current) || isOther(await this.#findCredentials({ forceRefresh: true }));
    } catch {
      // The file is just being written, or gone: the store's response counts.
      return false;
    }
  }
}
