/** One request to an object store over one connection: what may go wrong there ends within bounds. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { TsregError } from '../../errors/error.ts';
import { connectionHint } from '../connection-hint.ts';

/** How long to wait, in milliseconds. */
export interface BucketTimeouts {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** Until a byte goes out or comes in: of the body that is sent, of the answer's head, and of its body. */
  readonly idleMs: number;
}

/** A request that is ready to be sent. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opened for each attempt. */
  readonly body: (() => Uint8Array | Readable) | null;
}

/** How it is sent. */
export interface SendOptions {
  readonly agents: BucketAgents;
  readonly timeouts: BucketTimeouts;
  /** Ends it, the body of the answer included. */
  readonly signal: AbortSignal | null;
}

/** Connections that are kept open and shared, with a bound on their number. */
export interface BucketAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Makes a set of connections. */
export function makeAgents(maxSockets: number): BucketAgents {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: 16, scheduling: 'lifo' } as const;
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** There is a connection, or one was waited for, and nothing has come for as long as may be. */
export class NoAnswer extends TsregError {
  constructor(reason: string) {
    super(reason, { code: 'network' });
  }
}

/** Sends a request; returns when the head of the answer is there. Throws `network` where there is none, `NoAnswer` among it. */
export function sendRequest(
  { method, url, headers, body }: SignedRequest,
  { agents, timeouts, signal }: SendOptions,
): Promise<IncomingMessage> {
  const isPlain = url.startsWith('http:');
  const options = { method, headers, ...(signal === null ? {} : { signal }) };
  return new Promise((resolve, reject) => {
    const request = isPlain
      ? httpRequest(url, { ...options, agent: agents.http })
      : httpsRequest(url, { ...options, agent: agents.https });
    // Also bounds the wait for a free connection.
    const waiting = setTimeout(
      () => request.destroy(new NoAnswer('no connection in time')),
      timeouts.connectMs + timeouts.idleMs,
    );
    request.once('socket', (socket) => {
      clearTimeout(waiting);
      if (socket.connecting) {
        const connecting = setTimeout(
          () => request.destroy(new TsregError('no connection in time', { code: 'network' })),
          timeouts.connectMs,
        );
        const stop = (): void => clearTimeout(connecting);
        socket.once(isPlain ? 'connect' : 'secureConnect', stop).once('close', stop);
      }
    });
    request.setTimeout(timeouts.idleMs);
    request.once('timeout', () => request.destroy(new NoAnswer('no response in time')));
    request.on('error', (error) => {
      clearTimeout(waiting);
      reject(asNetworkError(error));
    });
    request.once('response', (answer) => {
      // From here on whoever reads the body says when it waits: a slow reader is no reason to hang up.
      answer.socket.setTimeout(0);
      resolve(answer);
    });
    sendBody(request, body?.() ?? null);
  });
}

function sendBody(request: ReturnType<typeof httpRequest>, body: Uint8Array | Readable | null): void {
  if (body === null || body instanceof Uint8Array) {
    request.end(body ?? undefined);
    return;
  }
  body.once('error', (error) => request.destroy(error));
  request.once('close', () => body.destroy());
  body.pipe(request);
}

/** Reads a body part by part. Throws `network` where it is cut off, or no byte comes for `idleMs` while one is waited for. */
export async function* readBody(answer: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array, void> {
  const chunks: AsyncIterator<unknown> = answer[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => {
        answer.destroy(new TsregError('the response stopped before its end', { code: 'network' }));
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
    answer.destroy();
  }
}

/** Reads a short body as text. Throws `network` also for one that is longer. */
export async function readText(
  answer: IncomingMessage,
  { idleMs, maxBytes }: { readonly idleMs: number; readonly maxBytes: number },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBody(answer, idleMs)) {
    size += chunk.length;
    if (size > maxBytes) throw new TsregError('the response is too long', { code: 'network' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Errors of sockets as one of ours, so that they do not pass for a fault of this program. */
function asNetworkError(error: unknown): TsregError {
  if (error instanceof TsregError) return error;
  const isError = error instanceof Error;
  const reason = isError && 'code' in error ? `${error.message} (${String(error.code)})` : String(error);
  const hint = connectionHint(error, { what: 'the store', address: '`endpoint` in `--storage`' });
  return new TsregError(isError && !('code' in error) ? error.message : reason, {
    code: 'network',
    ...(hint === null ? {} : { hint }),
  });
}
