/** HTTP/2, on one connection. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { present } from '../../core/errors/assert.ts';
import { type Channel, ConnectionEnded, type ExchangeListener, type ExchangeRequest } from './channel.ts';
import type { ResponseHead } from './message.ts';
import { bodyStream } from './body-stream.ts';

/** The most concurrent streams, and the number until the server names its own limit. */
const MAX_STREAMS = 100;
/** How many bytes a server may send before this side takes them. With the default, 64 KiB, large files are slow. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Error codes. RFC 9113, section 7. */
const REFUSED_STREAM = 7;
const ENHANCE_YOUR_CALM = 11;
/** Number of responses after which the limit of concurrent streams rises by one. */
const RESPONSES_PER_STREAM = 4;

interface Exchange {
  readonly request: ExchangeRequest;
  readonly listener: ExchangeListener;
}

/** A channel that sends requests as streams of one connection. */
export class H2Channel implements Channel {
  readonly #session: ClientHttp2Session;
  readonly #origin: URL;
  /** The number of streams that are open. */
  #active = 0;
  /** The number of concurrent streams that the server seems to support. It need not be whole. */
  #supportedStreams = MAX_STREAMS;
  /** False once the connection takes no more requests. */
  #isOpen = true;
  readonly #queue: Exchange[] = [];

  private constructor(session: ClientHttp2Session, origin: URL) {
    this.#session = session;
    this.#origin = origin;
    session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    session.on('remoteSettings', () => this.#startQueued());
    session.on('goaway', () => this.#end());
    session.on('close', () => this.#end());
    // Each stream reports its own error.
    session.on('error', () => this.#end());
    session.unref();
  }

  /** Opens a channel on a connection that has negotiated HTTP/2. */
  static open(socket: TLSSocket, origin: URL): H2Channel {
    const session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    return new H2Channel(session, origin);
  }

  /** False if the connection takes no more requests. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#session.closed && !this.#session.destroyed;
  }

  exchange(request: ExchangeRequest, listener: ExchangeListener): void {
    this.#queue.push({ request, listener });
    this.#startQueued();
  }

  close(): Promise<void> {
    this.#end();
    if (this.#session.closed || this.#session.destroyed) return Promise.resolve();
    if (this.#active === 0) {
      // An idle session does not keep the process alive, so that a graceful close might never finish.
      this.#session.destroy();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#session.close(resolve);
    });
  }

  /** The number of streams that may be open now. */
  get #limit(): number {
    const allowed = this.#session.remoteSettings?.maxConcurrentStreams ?? MAX_STREAMS;
    return Math.min(this.#supportedStreams, Math.max(allowed, 1));
  }

  /** Starts queued requests, as many as the limit allows. */
  #startQueued(): void {
    while (this.#active < this.#limit) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (this.isOpen) this.#start(next);
      else next.listener.fail(new ConnectionEnded('unsent'));
    }
  }

  /** Takes no more requests, and rejects the queued ones. */
  #end(): void {
    this.#isOpen = false;
    for (const { listener } of this.#queue.splice(0)) listener.fail(new ConnectionEnded('unsent'));
  }

  /**
   * Puts an exchange back into the queue, to run with fewer concurrent streams, and returns true; false if that is not
   * possible. A server whose send buffers are full rejects exactly the request that is one too many.
   */
  #requeue(exchange: Exchange): boolean {
    const { request, listener } = exchange;
    // If no other stream is active, a lower limit does not help: the caller gets the error.
    if (request.method !== 'GET' || !this.isOpen || this.#active === 0) return false;
    this.#supportedStreams = this.#active;
    listener.stop();
    this.#queue.unshift(exchange);
    return true;
  }

  /** Sends a request, and reports the events of its stream to the listener. */
  #start(exchange: Exchange): void {
    const { request, listener } = exchange;
    const stream = this.#openStream(request);
    let failure: Error | null = null;
    let isAborted = false;
    let hasHead = false;
    let hasEnded = false;
    const cancel = (reason: Error): void => {
      failure ??= reason;
      stream.destroy();
    };
    stream.on('headers', (headers) => listener.interim(headOf(headers)));
    stream.on('response', (headers) => {
      hasHead = true;
      listener.head(headOf(headers));
    });
    stream.on('data', (chunk: Buffer) => {
      const processed = listener.data(chunk);
      if (processed === undefined) return;
      stream.pause();
      void processed.then(() => stream.resume());
    });
    stream.on('end', () => {
      hasEnded = true;
    });
    stream.on('error', (error) => {
      failure ??= error;
    });
    // Only now is it known whether the server or the connection ended the stream.
    stream.on('close', () => {
      this.#active -= 1;
      if (this.#active === 0) this.#session.unref();
      const isOverload = stream.rstCode === ENHANCE_YOUR_CALM && !hasHead && !isAborted;
      const isQueued = isOverload && this.#requeue(exchange);
      if (hasHead)
        this.#supportedStreams = Math.min(this.#supportedStreams + 1 / RESPONSES_PER_STREAM, MAX_STREAMS);
      this.#startQueued();
      if (isQueued) return;
      if (hasEnded && failure === null && stream.rstCode === 0) listener.end();
      else listener.fail(failure ?? endOf(stream));
    });
    listener.start((reason) => {
      isAborted = true;
      cancel(reason);
    });
    if (request.body === null || stream.destroyed) return;
    const body = bodyStream(request.body, (bytes) => listener.sent(bytes));
    body.on('error', cancel);
    // `pipe` would leave the body, such as an open file, behind.
    stream.on('close', () => body.destroy());
    body.pipe(stream);
  }

  /** Opens a stream and sends the head of a request. The process stays alive until the stream is closed. */
  #openStream(request: ExchangeRequest): ClientHttp2Stream {
    const stream = this.#session.request(
      {
        ':method': request.method,
        ':scheme': 'https',
        ':authority': this.#origin.host,
        ':path': request.path,
        ...request.headers,
        ...lengthHeader(request),
      },
      { endStream: request.body === null },
    );
    this.#active += 1;
    this.#session.ref();
    return stream;
  }
}

/** Returns the `content-length` header. PUT has one even without a body. */
function lengthHeader({ method, body }: ExchangeRequest): Record<string, string> {
  if (body === null && method !== 'PUT') return {};
  return { 'content-length': String(body?.length ?? 0) };
}

function headOf(headers: IncomingHttpHeaders): ResponseHead {
  const status = Number(headers[':status']);
  return { status, statusLine: `HTTP/2 ${status}`, headers: headerPairs(headers) };
}

/** Returns the error for a stream that was closed without one. */
function endOf({ rstCode }: ClientHttp2Stream): Error {
  return new ConnectionEnded(rstCode === REFUSED_STREAM ? 'refused' : 'cut');
}

/** Returns one pair for each value. Leaves out the pseudo-headers of HTTP/2, such as `:status`. */
function headerPairs(headers: IncomingHttpHeaders): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith(':')) return [];
    return (Array.isArray(value) ? value : [present(value, 'the value of a header')]).map(
      (single) => [name, single] as const,
    );
  });
}
