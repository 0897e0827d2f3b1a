/** The exchange of one request and its response. */
import type { Channel, ExchangeRequest } from './channel.ts';
import { basicAuthorization } from './connector.ts';
import { CurlError, partialFile, type TransferState } from './curl-error.ts';
import { ACCEPT_ENCODING, decodeBody, tooLarge } from './decode-body.ts';
import {
  headerValue,
  type HttpRequest,
  type HttpResponse,
  type PartReceiver,
  type ResponseHead,
} from './message.ts';
import type { Origin } from './origin.ts';
import { bodyOfBytes } from './upload-body.ts';

/** Maximum number of 1xx heads to report. */
const MAX_INTERIM = 16;
/** Maximum size of the body to return if `receive` is given but the status is not 200. */
const MAX_OTHER_BYTES = 64 * 1024;
const NO_HEAD: ResponseHead = { status: 0, statusLine: '', headers: [] };

/**
 * A request that is being sent. The channel reports its events in this order:
 *
 * 1. `start`, when the request leaves the queue. `stop` puts it back, and `start` follows again.
 * 2. `sent` for each part of the body, and `interim` for each 1xx head.
 * 3. `head`, then `data` for each chunk. `sent` can still occur, because a server may respond early.
 * 4. `end` or `fail`, as the last event. `fail` can occur at any time, even before `start`.
 *
 * An `abort` before `start` takes effect at `start`.
 */
export class Transfer {
  /** Received bytes of the body, as the server sent them. */
  received = 0;
  /** Sent bytes of the request's body. */
  sent = 0;
  /** True between `start` and `stop`. */
  isStarted = false;
  readonly #request: HttpRequest;
  readonly #url: URL;
  readonly #origin: Origin;
  readonly #userAgent: string;
  /** The received body, unless a part receiver gets it. */
  readonly #chunks: Buffer[] = [];
  /** Aborts the exchange; null before `start`. */
  #abort: ((reason: Error) => void) | null = null;
  #abortReason: Error | null = null;
  readonly #interim: ResponseHead[] = [];
  #head: ResponseHead | null = null;
  #receive: PartReceiver | null = null;
  /** The value of `content-length`; null if there is none. */
  #expected: number | null = null;

  constructor(
    request: HttpRequest,
    { url, origin, userAgent }: { readonly url: URL; readonly origin: Origin; readonly userAgent: string },
  ) {
    this.#request = request;
    this.#url = url;
    this.#origin = origin;
    this.#userAgent = userAgent;
  }

  /** The progress so far. */
  get state(): TransferState {
    return { received: this.received, expected: this.#expected, hasHead: this.#head !== null };
  }

  /** Aborts the transfer with `reason`, unless it has ended. */
  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.(reason);
  }

  /** Sends the request. Rejects with the error of the connection, or with the reason of `abort`. */
  run(channel: Channel): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      channel.exchange(this.#exchangeRequest(), {
        start: (abort) => {
          this.#abort = abort;
          this.isStarted = true;
          if (this.#abortReason !== null) abort(this.#abortReason);
        },
        stop: () => {
          this.#abort = null;
          this.isStarted = false;
          this.sent = 0;
        },
        sent: (bytes) => {
          this.sent += bytes;
          this.#request.onSent?.(this.sent, this.#request.body?.length ?? 0);
        },
        interim: (head) => {
          if (this.#interim.length < MAX_INTERIM) this.#interim.push(head);
        },
        head: (head) => this.#receiveHead(head),
        data: (chunk) => {
          this.received += chunk.length;
          if (this.received > this.#request.maxBytes) {
            this.abort(tooLarge(this.#request.maxBytes));
            return undefined;
          }
          if (this.#receive === null && this.received <= this.#maxCollectedBytes) this.#chunks.push(chunk);
          this.#request.onProgress?.(this.received, this.#expected);
          return this.#receive?.(chunk);
        },
        end: () => {
          try {
            resolve(this.#finish());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
        fail: (error) => reject(this.#abortReason ?? error),
      });
    });
  }

  /** Returns the request for the channel, with the headers that curl would add. */
  #exchangeRequest(): ExchangeRequest {
    const { method = 'GET', headers, body } = this.#request;
    const url = this.#url;
    const { proxy } = this.#origin;
    const isForwarded = proxy !== null && url.protocol === 'http:';
    const proxyAuthorization = isForwarded ? basicAuthorization(proxy) : null;
    const hasHeader = (lowerCaseName: string) =>
      Object.keys(headers).some((name) => name.toLowerCase() === lowerCaseName);
    const authorization = hasHeader('authorization') ? null : basicAuthorization(url);
    return {
      method,
      path: (isForwarded ? url.origin : '') + url.pathname + url.search,
      headers: {
        ...(isForwarded ? { host: url.host } : {}),
        ...(proxyAuthorization === null ? {} : { 'proxy-authorization': proxyAuthorization }),
        ...(authorization === null ? {} : { authorization }),
        'user-agent': this.#userAgent,
        // curl's default, in the same position.
        ...(hasHeader('accept') ? {} : { accept: '*/*' }),
        'accept-encoding': this.#request.receive === undefined ? ACCEPT_ENCODING : 'identity',
        ...(isForwarded ? { 'proxy-connection': 'Keep-Alive' } : {}),
        ...headers,
      },
      body: body instanceof Uint8Array ? bodyOfBytes(body) : (body ?? null),
    };
  }

  /** Handles the head. Aborts if the body would be too large, or is encoded although parts are requested. */
  #receiveHead(head: ResponseHead): void {
    this.#head = head;
    const length = head.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    this.#expected = length !== undefined && /^\d+$/.test(length) ? Number(length) : null;
    if (this.#expected !== null && this.#expected > this.#request.maxBytes) {
      return this.abort(tooLarge(this.#request.maxBytes));
    }
    if (this.#request.receive === undefined || head.status !== 200) return;
    const encoding = headerValue(head, 'content-encoding') ?? 'identity';
    if (encoding !== 'identity') {
      return this.abort(new CurlError(61, `\`${encoding}\` was not asked for`));
    }
    this.#receive = this.#request.receive();
  }

  /** Returns the received body in one piece. */
  #body(): Uint8Array {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const { allocate } = this.#request;
    if (allocate === undefined) return this.#chunks.length <= 1 ? first : Buffer.concat(this.#chunks);
    const body = allocate(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const chunk of this.#chunks) filled += chunk.copy(body, filled);
    return body;
  }

  /** The bytes of the body up to which it is collected. */
  get #maxCollectedBytes(): number {
    return this.#request.receive === undefined ? this.#request.maxBytes : MAX_OTHER_BYTES;
  }

  /** Returns the complete response. Throws if it is incomplete or invalid. */
  #finish(): HttpResponse {
    const { received, expected } = this.state;
    const { status, statusLine, headers } = this.#head ?? NO_HEAD;
    if (status < 100) throw new CurlError(1, 'Unsupported response code in HTTP response');
    const hasBody = status !== 304 && status !== 204;
    if (hasBody && expected !== null && received < expected) throw partialFile(this.state);
    this.#origin.completedRequests += 1;
    const raw = this.#body();
    const response = {
      status,
      statusLine,
      headers,
      earlier: this.#interim,
      body: raw,
      transferredBytes: received,
      url: this.#url.href,
      ip: this.#origin.ip,
    };
    const encoding = headerValue(response, 'content-encoding');
    if (encoding === null || raw.length === 0 || this.#request.receive !== undefined) return response;
    return { ...response, body: decodeBody(raw, encoding, this.#request.maxBytes) };
  }
}
