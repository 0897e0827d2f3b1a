/** The server's socket: opening it, and closing it without losing a request. */
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { TsregError } from '../../core/errors/error.ts';
import { networkOf } from './network-of.ts';

/** Options of a listener. */
export interface ListenOptions {
  readonly address: ListenAddress;
  /** null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Unlimited if absent. */
  readonly connections?: ConnectionLimits;
  /** What the caller can do if the address cannot be used, for the message. Default: pass `--listen`. */
  readonly advice?: string;
  /** How long a connection may be idle. Default: one minute. */
  readonly idleMs?: number;
}

/** Contents of PEM files. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Maximum numbers of connections at a time. Further ones are closed at once. */
export interface ConnectionLimits {
  readonly max: number;
  /** Maximum per network. */
  readonly maxOfClient: number;
  /** Returns true for the address of a proxy, whose connections belong to many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** A host and a port. Port 0 means any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A function that responds to a request. `env` has the corresponding objects of Node. */
export type FetchHandler = (request: Request, env: object) => Response | Promise<Response>;

/** An open socket. */
export interface Listener {
  /** The requested address, with the actual port. */
  readonly address: ListenAddress;
  /** Sets the handler. Requests wait until it is set. */
  serve(handler: FetchHandler): void;
  /**
   * Accepts no more connections, lets requests in progress finish, and returns when all connections are closed. Closes
   * the unfinished ones after `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Requests of one connection that may wait for their responses. Current clients send one after the other, but Node
 * starts all that have arrived.
 */
const MAX_PIPELINED = 4;

/** Maximum number of headers of a request. */
export const MAX_HEADERS = 100;

/** Time limits for the head of a request, for all of it and between requests, and the bytes of the head. */
const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 15_000,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 5_000,
};
const IDLE_TIMEOUT_MS = 60_000;
/** How long a response may take to begin. The server passes a large upload on to a store that may be slow. */
const MAX_RESPONSE_MS = 300_000;

/** How often idle connections are closed while the server stops. */
const SWEEP_MS = 50;
/** How long a new connection may take to send the head of a request while the server stops. */
const LAST_HEAD_MS = 1000;

/** Parses `HOST:PORT`, `[IPV6]:PORT` or `:PORT`. Throws a usage error if `text` is none of them. */
export function parseListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([\da-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3] ?? Number.NaN);
  if (match === null || port > 65_535 || (match[1] !== undefined && isIP(match[1]) !== 6)) {
    const isPort = /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
    const example = `127.0.0.1:${isPort ? text : 7878}`;
    throw new TsregError(`cannot listen on \`${text}\`: expected \`HOST:PORT\`, as in \`${example}\``, {
      code: 'usage',
    });
  }
  const [, ipv6, host] = match;
  return { host: ipv6 ?? (host || '127.0.0.1'), port };
}

/** Returns `HOST:PORT` as in URLs. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${formatHost(host)}:${port}`;
}

function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Opens the socket. Throws an I/O error if that fails. */
export async function listen({
  address,
  tls,
  connections,
  advice = 'pass `--listen HOST:PORT` to use another address',
  idleMs = IDLE_TIMEOUT_MS,
}: ListenOptions): Promise<Listener> {
  // Assigned at once: a promise runs its function before it is returned.
  let serve: Listener['serve'] = () => {};
  const handlerIsSet = new Promise<FetchHandler>((resolve) => {
    serve = resolve;
  });
  // HTTP/1.0 requests, such as health checks of load balancers, need no `Host` header.
  const respond = getRequestListener(async (request, env) => (await handlerIsSet)(request, env), {
    hostname: formatHost(address.host),
  });
  const lastRequests: LastRequests = new Map();
  /** Includes connections whose TLS handshake is not finished. */
  const sockets = new Set<Socket>();
  const pendingCounts = new WeakMap<Socket, number>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const count = (pendingCounts.get(socket) ?? 0) + 1;
    pendingCounts.set(socket, count);
    // Node still delivers requests that arrived together with the first one above the limit.
    if (count > MAX_PIPELINED) return void socket.destroy();
    response.once('close', () => pendingCounts.set(socket, (pendingCounts.get(socket) ?? 1) - 1));
    lastRequests.set(socket, { request, response, startedMs: performance.now() });
    void respond(request, response);
  };
  const server =
    tls === null
      ? createHttpServer(LIMITS, onRequest)
      : createHttpsServer({ ...LIMITS, cert: tls.certificate, key: tls.key }, onRequest);
  // Node drops further headers. One above the limit shows that there were too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  if (connections !== undefined) limitConnections(server, connections);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    lastRequests.set(socket, null);
    socket.once('close', () => lastRequests.delete(socket));
  });
  server.setTimeout(idleMs, (socket: Socket) => {
    const last = lastRequests.get(socket) ?? null;
    if (last !== null && isUnderWay(last)) socket.setTimeout(idleMs);
    else socket.destroy();
  });
  const port = await open(server, address, advice);
  return {
    address: { host: address.host, port },
    serve,
    stop: (graceMs) => stop(server, { lastRequests, sockets, graceMs }),
  };
}

/** Limits connections before the TLS handshake, which is their most expensive part. */
function limitConnections(server: Server, { max, maxOfClient, isProxy }: ConnectionLimits): void {
  server.maxConnections = max;
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const client = networkOf(remoteAddress);
    const count = (counts.get(client) ?? 0) + 1;
    counts.set(client, count);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 1) - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    });
    if (count > maxOfClient) socket.destroy();
  });
}

/** The last request of each open connection; null for a connection that has sent none. */
type LastRequests = Map<Socket, LastRequest | null>;

/** The last request of a connection, and its response. */
interface LastRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
}

/** Returns true while the client has sent everything and waits for a response that is not overdue. */
function isUnderWay({ request, response, startedMs }: LastRequest): boolean {
  return request.complete && !response.headersSent && performance.now() - startedMs < MAX_RESPONSE_MS;
}

/** Opens the socket and returns its port. `advice` is for the message of a failure. */
async function open(server: Server, { host, port }: ListenAddress, advice: string): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const place = formatAddress({ host, port });
    throw new TsregError(`failed to listen on \`${place}\`: ${advice}`, { cause: error });
  }
  // Another form would be the path of a Unix socket.
  const boundAddress = server.address();
  return typeof boundAddress === 'object' && boundAddress !== null ? boundAddress.port : port;
}

/** Stops a server as `Listener.stop` states. */
async function stop(
  server: Server,
  {
    lastRequests,
    sockets,
    graceMs,
  }: {
    readonly lastRequests: LastRequests;
    readonly sockets: ReadonlySet<Socket>;
    readonly graceMs: number;
  },
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A keep-alive connection is idle as soon as its last response was sent.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  // Node does not treat a connection as idle that has sent no request yet, or only a part of one.
  const destroyUnused = setTimeout(() => {
    for (const [socket, last] of lastRequests) {
      if (last === null || last.response.writableFinished) socket.destroy();
    }
  }, LAST_HEAD_MS);
  const cutOff = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(destroyUnused);
    clearTimeout(cutOff);
  }
}
