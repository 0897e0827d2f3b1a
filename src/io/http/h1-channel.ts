/** HTTP/1.1, on a bounded number of connections. */
import type { Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import { type Channel, type ExchangeListener, type ExchangeRequest, MAX_HEAD_BYTES } from './channel.ts';
import { headerPairs } from './message.ts';
import { bodyStream } from './body-stream.ts';
import type { UploadBody } from './upload-body.ts';

/**
 * Maximum number of concurrent connections. A server that handles one at a time, with a backlog of five, accepts this
 * many. For one more, the system waits seconds before it tries again.
 */
const CONNECTIONS = 6;
const KEEP_ALIVE_MS = 60_000;

/** A channel over undici's pool. */
export class H1Channel implements Channel {
  readonly #pool: Pool;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Opens a channel to `origin`, whose connections `connect` makes. */
  static async open(origin: string, connect: () => Promise<Socket>): Promise<H1Channel> {
    const { default: undici } = await import('undici');
    const pool = new undici.Pool(origin, {
      connections: CONNECTIONS,
      allowH2: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // `StallWatch` ends slow transfers.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, settle) => {
        void settleWith(connect, settle);
      },
    });
    return new H1Channel(pool);
  }

  exchange(request: ExchangeRequest, listener: ExchangeListener): void {
    const { method, path, headers, body } = request;
    let isOver = false;
    // undici may also report the end of a response that has already ended here.
    const finish = (notify: () => void): void => {
      if (isOver) return;
      isOver = true;
      notify();
    };
    this.#pool.dispatch(
      { method, path, ...bodyOf(body, headers, listener) },
      {
        onRequestStart: (controller) => listener.start((reason) => controller.abort(reason)),
        onResponseStart: (controller, status, _, reason = '') => {
          const statusLine = `HTTP/1.1 ${status} ${reason}`.trim();
          listener.head({
            status,
            statusLine,
            headers: headerPairs(Array.isArray(controller.rawHeaders) ? controller.rawHeaders : []),
          });
          // It has no body, but may have a `content-length`, for whose bytes undici would wait forever.
          if (status === 304) finish(() => listener.end());
        },
        onResponseData: (controller, chunk) => {
          // undici may report an empty chunk before data arrives. Pausing then would block the response permanently.
          if (chunk.length === 0) return;
          const processed = listener.data(chunk);
          if (processed === undefined) return;
          controller.pause();
          void processed.then(() => controller.resume());
        },
        onResponseEnd: () => finish(() => listener.end()),
        onResponseError: (_, error) => finish(() => listener.fail(error)),
      },
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Returns the headers and the body for undici. The body has parts, so that its progress is known. */
function bodyOf(
  body: UploadBody | null,
  headers: ExchangeRequest['headers'],
  listener: ExchangeListener,
): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (body === null) return { headers };
  return {
    headers: { ...headers, 'content-length': String(body.length) },
    body: bodyStream(body, (bytes) => listener.sent(bytes)),
  };
}

/** Passes the outcome of `connect` to undici's callback. */
async function settleWith(
  connect: () => Promise<Socket>,
  settle: (...outcome: [null, Socket] | [Error, null]) => void,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await connect();
  } catch (error) {
    settle(error instanceof Error ? error : new Error(String(error)), null);
    return;
  }
  settle(null, socket);
}
