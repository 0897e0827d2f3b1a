/**
 * One request and its response with Node's HTTP/1.1 client, which loads much faster than undici:
 * `docs/decisions/0018-node-http-client.md`.
 */
import { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ConnectionEnded, type ExchangeListener, type ExchangeRequest, MAX_HEAD_BYTES } from './channel.ts';
import { headerPairs, type ResponseHead } from './message.ts';
import { bodyParts } from './body-stream.ts';
import type { UploadBody } from './upload-body.ts';

/** A larger body may have to wait for the server's `100 Continue`, as in curl. */
const EXPECT_CONTINUE_ABOVE_BYTES = 1024 * 1024;
/** After this time without a response, `upload` sends the body anyway. */
const EXPECT_TIMEOUT_MS = 1000;

/** The server refuses `Expect: 100-continue`, so the request must be sent without it. RFC 9110, section 10.1.1. */
export class ExpectationFailed extends Error {}

/** Options of `createRequest`. Those of Node name the connection. */
interface CreateOptions extends RequestOptions {
  /** The value of the `Host` header. */
  readonly host: string;
  /** True to send a large body only after `100 Continue`. Default: false. */
  readonly expectsContinue?: boolean;
}

/** Creates a request with the headers that cargo sends. The body follows later. */
export function createRequest(
  { method, path, headers, body }: ExchangeRequest,
  { host, expectsContinue = false, ...options }: CreateOptions,
): ClientRequest {
  const sending = request({ ...options, method, path, setHost: false, maxHeaderSize: MAX_HEAD_BYTES });
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host');
  if (!hasHost) sending.setHeader('Host', host);
  // Not among the options, which `NODE_DEBUG=http` prints with the token.
  for (const [name, value] of Object.entries(headers)) sending.setHeader(name, value);
  if (body !== null) sending.setHeader('Content-Length', String(body.length));
  // Cargo sends no `Connection` header.
  sending.removeHeader('Connection');
  if (expectsContinue && body !== null && body.length > EXPECT_CONTINUE_ABOVE_BYTES)
    sending.setHeader('Expect', '100-continue');
  return sending;
}

/**
 * Sends the request when it gets its connection, and passes the response to `listener`. Calls `listener.end`, or
 * rejects, also with `ExpectationFailed`. `failedWrite` returns the first error of writing to the connection, which
 * takes precedence until the response begins; null for none.
 */
export async function converse(
  sending: ClientRequest,
  body: UploadBody | null,
  {
    listener,
    failedWrite,
  }: { readonly listener: ExchangeListener; readonly failedWrite: () => Error | null },
): Promise<void> {
  let abortReason: Error | null = null;
  let hasResponse = false;
  let response: IncomingMessage | null = null;
  try {
    await new Promise<void>((resolve, reject) => {
      // As in curl, data after a complete response is ignored. The end of this response follows.
      const fail = (error: Error): void => {
        if (abortReason !== null || response?.complete !== true) reject(error);
      };
      sending.on('error', fail);
      sending.on('information', (head) => listener.interim(headOf(head)));
      sending.on('response', (incoming) => {
        hasResponse = true;
        response = incoming;
        if (incoming.statusCode === 417 && sending.hasHeader('Expect')) {
          reject(new ExpectationFailed());
          return;
        }
        listener.head(headOf(incoming));
        incoming.on('data', (chunk: Buffer) => {
          const processed = listener.data(chunk);
          if (processed === undefined) return;
          incoming.pause();
          void processed.then(() => incoming.resume());
        });
        incoming.on('end', resolve);
        incoming.on('error', fail);
      });
      // No upgrade was requested, so the data after it has no meaning.
      sending.on('upgrade', (incoming, socket) => {
        listener.head(headOf(incoming));
        socket.destroy();
        resolve();
      });
      sending.on('close', () => fail(new ConnectionEnded('cut')));
      sending.once('socket', () => {
        listener.start((reason) => {
          abortReason ??= reason;
          sending.destroy(reason);
          // A connection that has already ended has no more events.
          reject(reason);
        });
        if (!sending.destroyed)
          upload(sending, body, { listener, hasResponse: () => hasResponse }).catch(reject);
      });
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
