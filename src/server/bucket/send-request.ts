/** One request to an object store over one connection, with a time limit for each step. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { TsregError } from '../../core/errors/error.ts';
import { connectionHint } from '../shared/connection-hint.ts';

/** Timeouts of a request. */
export interface BucketTimeouts {
  /** Maximum time to connect. */
  readonly connectMs: number;
  /** Maximum time without a byte of the request's body, the response's head or its body. */
  readonly idleMs: number;
}

/** A request that is ready to send. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly body: (() => Uint8Array | Readable) | null;
}

/** Options for sending a request. */
export interface SendOptions {
  readonly agents: BucketAgents;
  readonly timeouts: BucketTimeouts;
  /** Aborts the request, including the body of the response. */
  readonly signal: AbortSignal | null;
}

/** Pools of keep-alive connections of limited size. */
export interface BucketAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Creates pools with at most `maxSockets` connections to each host. */
export function makeAgents(maxSockets: number): BucketAgents {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: 16, scheduling: 'lifo' } as const;
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** A timeout of a store that sent nothing in time, or of the wait for a free connection. */
export class NoResponse extends TsregError {
  constructor(reason: string) {
    super(reason, { code: 'network' });
  }
}

/** Sends a request. Returns when the head of the response has arrived. Throws `network`, such as `NoResponse`, if not. */
export function sendRequest(
  { method, url, headers, body }: SignedRequest,
  { agents, timeouts, signal }: SendOptions,
): Promise<IncomingMessage> {
  const isUnencrypted = url.startsWith('http:');
  const options = { method, headers, ...(signal === null ? {} : { signal }) };
  return new Promise((resolve, reject) => {
    const request = isUnencrypted
      ? httpRequest(url, { ...options, agent: agents.http })
      : httpsRequest(url, { ...options, agent: agents.https });
    // Also limits the wait for a free connection.
    const socketTimer = setTimeout(
      () => request.destroy(new NoResponse('no connection in time')),
      timeouts.connectMs + timeouts.idleMs,
    );
    request.once('socket', (socket) => {
      clearTimeout(socketTimer);
      if (socket.connecting) {
        const connectTimer = setTimeout(
          () => request.destroy(new TsregError('no connection in time', { code: 'network' })),
          timeouts.connectMs,
        );
        const stopTimer = (): void => clearTimeout(connectTimer);
        socket.once(isUnencrypted ? 'connect' : 'secureConnect', stopTimer).once('close', stopTimer);
      }
    });
    request.setTimeout(timeouts.idleMs);
    request.once('timeout', () => request.destroy(new NoResponse('no response in time')));
    request.on('error', (error) => {
      clearTimeout(socketTimer);
      reject(asNetworkError(error));
    });
    request.once('response', (response) => {
      // From here on `readBody` has its own timeout: a slow reader is no reason to close the connection.
      response.socket.setTimeout(0);
      resolve(response);
    });
    sendBody(request, body?.() ?? null);
  });
}

/** Sends the body and ends the request. A failure of either stream ends the other one. */
function sendBody(request: ReturnType<typeof httpRequest>, body: Uint8Array | Readable | null): void {
  if (body === null || body instanceof Uint8Array) {
    request.end(body ?? undefined);
    return;
  }
  body.once('error', (error) => request.destroy(error));
  request.once('close', () => body.destroy());
  body.pipe(request);
}

/**
 * Yields a body in parts. Throws `network` if it is cut off, or if the caller waits longer than `idleMs` for a byte.
 */
export async function* readBody(response: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array, void> {
  const chunks: AsyncIterator<unknown> = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => {
        response.destroy(new TsregError('the response stopped before its end', { code: 'network' }));
      }, idleMs);
      let next: IteratorResult<unknown>;
      try {
        next = await chunks.next();
      } finally {
        clearTimeout(timer);
      }
      if (next.done === true) return;
      if (next.value instanceof Uint8Array) yield next.value;
    }
  } catch (error) {
    throw asNetworkError(error);
  } finally {
    response.destroy();
  }
}

/** Reads a short body as text. Throws `network` also if it exceeds `maxBytes`. */
export async function readText(
  response: IncomingMessage,
  { idleMs, maxBytes }: { readonly idleMs: number; readonly maxBytes: number },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBody(response, idleMs)) {
    size += chunk.length;
    if (size > maxBytes) throw new TsregError('the response is too long', { code: 'network' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns an error of a socket as a `network` error, so that it is not reported as a bug of tsreg. */
function asNetworkError(error: unknown): TsregError {
  if (error instanceof TsregError) return error;
  const hint = connectionHint(error, { what: 'the store', address: '`endpoint` in `--storage`' });
  return new TsregError(describe(error), { code: 'network', ...(hint === null ? {} : { hint }) });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.message} (${String(error.code)})` : error.message;
}
