/**
 * HTTP/1.1 with a separate connection for each request. A request that changes something must not use a connection that
 * the server is about to close: the client could not know whether the request arrived.
 */
import type { Socket } from 'node:net';
import type { Channel, ExchangeListener, ExchangeRequest } from './channel.ts';
import { converse, createRequest, ExpectationFailed } from './h1-exchange.ts';

/** How long to wait for the response if the server does not take the rest of the request. */
const RESPONSE_GRACE_MS = 1000;

/** Options of a channel. */
export interface SingleUseOptions {
  /** The value of the `Host` header. */
  readonly host: string;
  /** True to send a large body only after the server's `100 Continue`. */
  readonly expectsContinue: boolean;
}

/** A channel whose connections have one request each. */
export class SingleUseChannel implements Channel {
  readonly #options: SingleUseOptions;
  readonly #connect: () => Promise<Socket>;
  /** The exchanges that have not ended. */
  readonly #running = new Set<Promise<void>>();

  /** `connect` opens each connection. */
  constructor(options: SingleUseOptions, connect: () => Promise<Socket>) {
    this.#options = options;
    this.#connect = connect;
  }

  exchange(request: ExchangeRequest, listener: ExchangeListener): void {
    const running = this.#exchange(request, listener).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Sends a request, a second time if the server refuses its `Expect`. Reports all errors to `listener`. */
  async #exchange(request: ExchangeRequest, listener: ExchangeListener): Promise<void> {
    try {
      await this.#send(request, listener, this.#options).catch((error: unknown) => {
        if (!(error instanceof ExpectationFailed)) throw error;
        listener.stop();
        return this.#send(request, listener, { ...this.#options, expectsContinue: false });
      });
    } catch (error) {
      listener.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Sends a request on a new connection, and closes it. */
  async #send(
    request: ExchangeRequest,
    listener: ExchangeListener,
    options: SingleUseOptions,
  ): Promise<void> {
    const socket = await this.#connect();
    try {
      const failedWrite = delayWriteErrors(socket);
      const sending = createRequest(request, {
        ...options,
        createConnection: () => socket,
        // As lenient as curl. This is safe because the connection has no other request.
        insecureHTTPParser: true,
      });
      await converse(sending, request.body, { listener, failedWrite });
    } finally {
      socket.destroy();
    }
  }
}

/**
 * Keeps a failed write from closing `socket` for `RESPONSE_GRACE_MS`. A server that rejects a request early sends its
 * response and closes the connection; Node would drop that response unread. The returned function returns the first
 * failure, or null.
 */
function delayWriteErrors(socket: Socket): () => Error | null {
  let failure: Error | null = null;
  type Done = (error?: Error | null) => void;
  const delayed =
    (done: Done): Done =>
    (error) => {
      if (error === undefined || error === null) return done();
      failure ??= error;
      const finish = (): void => {
        clearTimeout(timer);
        socket.off('close', finish);
        done(error);
      };
      const timer = setTimeout(finish, RESPONSE_GRACE_MS);
      socket.once('close', finish);
    };
  // Node has no public hook between a write and its error.
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, delayed(done));
  const writev = socket._writev?.bind(socket);
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, delayed(done));
  return () => failure;
}
