/**
 * The HTTP client: HTTP/2 if the server supports it, else HTTP/1.1 on a few connections. Cargo Book: Configuration,
 * `[http]`.
 */
import { TsregError } from '../../core/errors/error.ts';
import { chooseProxy, type Environment } from './choose-proxy.ts';
import { Connector } from './connector.ts';
import type { Channel } from './channel.ts';
import {
  CurlError,
  isEndOfConnection,
  isUntouched,
  needsLenientParser,
  transferError,
} from './curl-error.ts';
import { headerValue, type HttpRequest, type HttpResponse, type ResponseHead } from './message.ts';
import { Origin } from './origin.ts';
import { parseUrl, redirectTarget } from './request-url.ts';
import { StallWatch } from './stall-watch.ts';
import { type SslVersionSetting, tlsRange } from './tls-range.ts';
import { Transfer } from './transfer.ts';
import { readTrustedCertificates } from './trusted-certificates.ts';

/** The configuration of a transport. */
export interface HttpSettings {
  /** Has the variables of curl, OpenSSL and Node. */
  readonly env: Environment;
  /** `http.proxy`; if null, `gitProxy` applies, then the variables. */
  readonly proxy: string | null;
  /** Timeout for connecting, and for a transfer that is slower than `lowSpeedLimit`; 0 means none. */
  readonly timeoutMs: number;
  /** In bytes per second. */
  readonly lowSpeedLimit: number;
  /** Absolute path of trusted certificates that replace the system's. */
  readonly caFile: string | null;
  /** The same, for connections to a proxy. */
  readonly proxyCaFile: string | null;
  readonly userAgent: string;
  /** False for HTTP/1.1 only. */
  readonly multiplexing: boolean;
  readonly sslVersion: SslVersionSetting;
}

/** Options of a transport. */
export interface TransportOptions extends HttpSettings {
  /** Returns git's `http.proxy`; called once, before the first request. */
  readonly gitProxy: () => Promise<string | null>;
  /** `--offline` or `--frozen`: every request is an error. Null if requests are allowed. */
  readonly offlineFlag: string | null;
  /** The signal that aborts all requests. */
  readonly signal: AbortSignal;
}

/** Options of one request. */
export interface SendOptions {
  /** True if the request must not reach the server twice. */
  readonly isOnce?: boolean;
  /** True to follow redirects. */
  readonly isFollowed?: boolean;
}

/** In the standalone executable (Bun), HTTP/2 responses larger than a window never end. */
const HAS_HTTP2 = process.versions['bun'] === undefined;
/** curl's default. */
const MAX_REDIRECTS = 30;
/** How often a request is sent again on another connection without a warning. */
const MAX_RECONNECTS = 3;

/** An HTTP client that keeps connections open for later requests. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #connector: Connector;
  readonly #origins = new Map<string, Origin>();
  readonly #watch: StallWatch;
  /** The functions that abort running transfers. */
  readonly #aborts = new Set<(reason: Error) => void>();
  #gitProxy: Promise<string | null> | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#connector = new Connector({
      timeoutMs: options.timeoutMs,
      tls: tlsRange(options.sslVersion),
      certificates: () => readTrustedCertificates(options.caFile, options.env),
      proxyCertificates: () => readTrustedCertificates(options.proxyCaFile, options.env),
      userAgent: options.userAgent,
      signal: options.signal,
    });
    this.#watch = new StallWatch(options);
    options.signal.addEventListener('abort', () => {
      for (const abort of this.#aborts) abort(abortReason(options.signal));
    });
  }

  /**
   * Sends a request and returns the response, whatever its status. With `isOnce` the request is only repeated if the
   * server cannot have processed it. Redirects are followed with `isFollowed`, by default for a GET without `isOnce`. A
   * body is not sent again. Credentials are only sent to the server of `request`. Rejects with a `CurlError` if there
   * is no response, and with the signal's reason.
   */
  async send(
    request: HttpRequest,
    { isOnce = false, isFollowed = !isOnce && (request.method ?? 'GET') === 'GET' }: SendOptions = {},
  ): Promise<HttpResponse> {
    this.#options.signal.throwIfAborted();
    this.assertOnline();
    checkAuthorization(request.headers['authorization']);
    let url = parseUrl(request.url);
    let currentRequest = request;
    const earlierHeads: ResponseHead[] = [];
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#exchange(currentRequest, { url, isOnce });
      const location = isFollowed && isRedirect(response.status) ? headerValue(response, 'location') : null;
      if (location === null || location.trim() === '')
        return redirects === 0 ? response : { ...response, earlier: [...earlierHeads, ...response.earlier] };
      earlierHeads.push(...response.earlier, response);
      if (redirects === MAX_REDIRECTS)
        throw new CurlError(47, `Maximum (${MAX_REDIRECTS}) redirects followed`);
      currentRequest = redirectedRequest(currentRequest, response.status);
      const nextUrl = redirectTarget(location.trim(), url);
      if (nextUrl.origin !== url.origin)
        currentRequest = { ...currentRequest, headers: withoutCredentials(currentRequest.headers) };
      url = nextUrl;
    }
  }

  /** Throws `network` if requests are not allowed: with `--offline` or `--frozen`. */
  assertOnline(): void {
    const { offlineFlag } = this.#options;
    if (offlineFlag === null) return;
    throw new TsregError(`attempting to make an HTTP request, but ${offlineFlag} was specified`, {
      code: 'network',
    });
  }

  /** Closes idle connections, and the others when their requests end. */
  async close(): Promise<void> {
    const origins = [...this.#origins.values()];
    this.#origins.clear();
    await Promise.all(origins.map((origin) => origin.close()));
  }

  /**
   * Sends one request. Repeats it if its connection ended before the server handled it, and a GET if the response needs
   * a lenient parser.
   */
  async #exchange(
    request: HttpRequest,
    { url, isOnce }: { readonly url: URL; readonly isOnce: boolean },
  ): Promise<HttpResponse> {
    const origin = await this.#origin(url);
    const isGet = (request.method ?? 'GET') === 'GET';
    for (let reconnects = 0; ; reconnects += 1) {
      // The server may be about to close connections that it has used before, and a body is not sent again.
      const isSingleUse = isOnce || request.body !== undefined || reconnects > 0;
      const wasUsedBefore = origin.completedRequests > 0 && reconnects === 0;
      const isStrict = !isSingleUse && !origin.isLenient;
      const transfer = new Transfer(request, { url, origin, userAgent: this.#options.userAgent });
      try {
        return await this.#run(transfer, { isOnce, open: () => origin.channel({ isSingleUse }) });
      } catch (error) {
        this.#options.signal.throwIfAborted();
        const isRepeatable =
          isOnce || !isGet ? isUntouched(error) : isEndOfConnection(error, transfer.state, wasUsedBefore);
        if (isRepeatable && reconnects < MAX_RECONNECTS) continue;
        if (isStrict && isGet && needsLenientParser(error, transfer.state)) {
          origin.becomeLenient();
          return await this.#exchange(request, { url, isOnce });
        }
        throw transferError(error, transfer.state);
      }
    }
  }

  /** Sends a transfer on a channel, and aborts it if it stalls or the signal is aborted. */
  async #run(
    transfer: Transfer,
    { isOnce, open }: { readonly isOnce: boolean; readonly open: () => Promise<Channel> },
  ): Promise<HttpResponse> {
    const abort = (reason: Error) => transfer.abort(reason);
    this.#aborts.add(abort);
    this.#watch.add(transfer, isOnce ? 'rate' : 'amount');
    try {
      return await transfer.run(await open());
    } finally {
      this.#watch.delete(transfer);
      this.#aborts.delete(abort);
    }
  }

  /** Returns the server of a URL, with the proxy for it. */
  async #origin(url: URL): Promise<Origin> {
    const { proxy: cargoProxy, env, multiplexing } = this.#options;
    this.#gitProxy ??= cargoProxy === null ? this.#options.gitProxy() : Promise.resolve(null);
    const fromGit = await this.#gitProxy;
    let origin = this.#origins.get(url.origin);
    if (origin === undefined) {
      const proxy = chooseProxy(url, { configured: cargoProxy, fromGit, env });
      origin = new Origin(
        { url, proxy, allowH2: multiplexing && HAS_HTTP2 && url.protocol === 'https:' },
        this.#connector,
      );
      this.#origins.set(url.origin, origin);
    }
    return origin;
  }
}

/** Throws cargo's error for a token that is not ASCII, but without the token's bytes, which cargo prints. */
function checkAuthorization(value: string | undefined): void {
  if (value === undefined || /^[\t\x20-\x7e]*$/.test(value)) return;
  throw new TsregError('failed to convert header value of `authorization` to string', { code: 'auth' });
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Returns the request that follows a redirect. After 303 it has no body, and is a GET or DELETE. */
function redirectedRequest(request: HttpRequest, status: number): HttpRequest {
  if (status !== 303) {
    if (request.body === undefined) return request;
    throw new CurlError(65, 'seek callback returned error 2');
  }
  const { body: _body, onSent: _onSent, method = 'GET', ...repeatable } = request;
  return { ...repeatable, method: method === 'DELETE' ? method : 'GET' };
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['authorization', 'cookie'].includes(name.toLowerCase())),
  );
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}
