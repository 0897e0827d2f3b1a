/**
 * HTTP/1.1 with a separate connection for each request. A request that changes something must not use a connection that
 * the server is about to close: the client could not know whether the request arrived.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  type Channel,
  ConnectionEnded,
  type ExchangeListener,
  type ExchangeRequest,
  MAX_HEAD_BYTES,
} from './channel.ts';
import { headerPairs, type ResponseHead } from './message.ts';
import { bodyParts } from './body-stream.ts';
import type { UploadBody } from './upload-body.ts';

/** A larger body is only sent after the server's `100 Continue`, as in curl. */
const EXPECT_CONTINUE_ABOVE_BYTES = 1024 * 1024;
/** After this time without a response, `upload` sends the body anyway. */
const EXPECT_TIMEOUT_MS = 1000;
/** How long to wait for the response if the server does not take the rest of the request. */
const RESPONSE_GRACE_MS = 1000;

/** A channel over Node's own client. */
export class SingleUseChannel implements Channel {
  readonly #host: string;
  readonly #connect: () => Promise<Socket>;
  /** The exchanges that have not ended. */
  readonly #running = new Set<Promise<void>>();

  /** `host` is the value of the `Host` header; `connect` opens each connection. */
  constructor(host: string, connect: () => Promise<Socket>) {
    this.#host = host;
    this.#connect = connect;
  }

  exchange(request: ExchangeRequest, listener: ExchangeListener): void {
    const running = this.#exchange(request, listener).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Sends a request on a new connection, and closes it. Reports all errors to `listener`. */
  async #exchange(request: ExchangeRequest, listener: ExchangeListener): Promise<void> {
    let socket: Socket | null = null;
    try {
      socket = await this.#connect();
      const failedWrite = delayWriteErrors(socket);
      const sending = await createRequest(request, { socket, host: this.#host });
      await converse(sending, request.body, { listener, failedWrite });
    } catch (error) {
      listener.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      socket?.destroy();
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
      const timer = globalThis.setTimeout(done, RESPONSE_GRACE_MS, error);
      socket.once('close', () => clearTimeout(timer));
    };
  // Node has no public hook between a write and its error.
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, delayed(done));
  const writev = socket._writev?.bind(socket);
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, delayed(done));
  return () => failure;
}

/** Creates a request on `socket`, with the headers that cargo sends. The body follows later. */
async function createRequest(
  { method, path, headers, body }: ExchangeRequest,
  { socket, host }: { readonly socket: Socket; readonly host: string },
): Promise<ClientRequest> {
  const { request } = await import('node:http');
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host');
  const sending = request({
    createConnection: () => socket,
    method,
    path,
    setHost: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    // As lenient as curl. This is safe because the connection has no other request.
    insecureHTTPParser: true,
    headers: {
      ...(hasHost ? {} : { Host: host }),
      ...headers,
      ...(body === null ? {} : { 'Content-Length': String(body.length) }),
    },
  });
  // Cargo sends no `Connection` header.
  sending.removeHeader('Connection');
  if (body !== null && body.length > EXPECT_CONTINUE_ABOVE_BYTES) sending.setHeader('Expect', '100-continue');
  return sending;
}

/** Sends the request and passes the response to `listener`. Calls `listener.end`, or rejects. */
async function converse(
  sending: ClientRequest,
  body: UploadBody | null,
  {
    listener,
    failedWrite,
  }: { readonly listener: ExchangeListener; readonly failedWrite: () => Error | null },
): Promise<void> {
  let abortReason: Error | null = null;
  let hasResponse = false;
  try {
    await new Promise<void>((resolve, reject) => {
      sending.on('error', reject);
      sending.on('information', (head) => listener.interim(headOf(head)));
      sending.on('response', (incoming) => {
        hasResponse = true;
        listener.head(headOf(incoming));
        incoming.on('data', (chunk: Buffer) => {
          const processed = listener.data(chunk);
          if (processed === undefined) return;
          incoming.pause();
          void processed.then(() => incoming.resume());
        });
        incoming.on('end', resolve);
        incoming.on('error', reject);
      });
      // No upgrade was requested, so the data after it has no meaning.
      sending.on('upgrade', (incoming, socket) => {
        listener.head(headOf(incoming));
        socket.destroy();
        resolve();
      });
      sending.on('close', () => reject(new ConnectionEnded('cut')));
      listener.start((reason) => {
        abortReason ??= reason;
        sending.destroy(reason);
      });
      if (!sending.destroyed)
        upload(sending, body, { listener, hasResponse: () => hasResponse }).catch(reject);
    });
  } catch (error) {
    const writeError = hasResponse ? null : failedWrite();
    throw abortReason ?? writeError ?? (isPeerClose(error) ? new ConnectionEnded('cut') : error);
  }
  listener.end();
}

/** Sends the body, but stops when the response begins. */
async function upload(
  sending: ClientRequest,
  body: UploadBody | null,
  { listener, hasResponse }: { readonly listener: ExchangeListener; readonly hasResponse: () => boolean },
): Promise<void> {
  if (body === null) {
    sending.end();
    return;
  }
  if (sending.hasHeader('Expect')) await waitForContinue(sending);
  let sent = 0;
  for await (const part of bodyParts(body)) {
    if (hasResponse() || sending.destroyed) return;
    await new Promise<void>((resolve, reject) => {
      sending.write(part, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
    sent += part.length;
    listener.sent(part.length);
  }
  if (sent !== body.length) throw new Error(`${sent} bytes were sent of ${body.length}`);
  sending.end();
}

/** Waits until the server accepts the body, responds or closes the connection, or `EXPECT_TIMEOUT_MS` have passed. */
async function waitForContinue(sending: ClientRequest): Promise<void> {
  const timeout = new AbortController();
  const serverEvent = new Promise<void>((resolve) => {
    for (const event of ['continue', 'response', 'close'] as const) sending.once(event, () => resolve());
  });
  sending.flushHeaders();
  const silence = setTimeout(EXPECT_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([serverEvent, silence]);
  timeout.abort();
}

/**
 * Returns true if the server closed the connection. Node uses ECONNRESET for a close and for a reset by the peer; only
 * the reset has a `syscall`.
 */
function isPeerClose(error: unknown): boolean {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
  return isReset && !('syscall' in error);
}

type RawHead = Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'> & {
  readonly statusCode?: number | undefined;
  readonly statusMessage?: string | undefined;
};

function headOf({ httpVersion, statusCode = 0, statusMessage = '', rawHeaders }: RawHead): ResponseHead {
  return {
    status: statusCode,
    statusLine: `HTTP/${httpVersion} ${statusCode} ${statusMessage}`.trim(),
    headers: headerPairs(rawHeaders),
  };
}
