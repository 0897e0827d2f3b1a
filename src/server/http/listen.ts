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
import { TsregError } from '../../errors/error.ts';
import { networkOf } from './network-of.ts';

/** Where and how to listen. */
export interface ListenOptions {
  readonly address: ListenAddress;
  /** Texts of PEM files; null for plain HTTP. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** Any number unless given. */
  readonly connections?: ConnectionLimits;
  /** By which flag another address is given; `--listen` unless given. */
  readonly flag?: string;
  /** How long a connection may stay without a byte; a minute unless given. */
  readonly idleMs?: number;
}

/** How many connections there may be at a time; what is more is closed at once. */
export interface ConnectionLimits {
  readonly max: number;
  /** Of one network. */
  readonly maxOfClient: number;
  /** True for the address of a proxy, whose connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Host and port; port 0 for any that is free. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Answers a request, given what Node knows of it. */
export type FetchHandler = (request: Request, env: object) => Response | Promise<Response>;

/** An open socket. */
export interface Listener {
  /** As asked for, with the port that it got. */
  readonly address: ListenAddress;
  /** Uses `handler` from now on; until then requests wait. */
  serve(handler: FetchHandler): void;
  /**
   * Takes no more connections, lets requests in flight finish, and returns when all are gone. What has not finished
   * after `graceMs` is cut off.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Requests of one connection that may wait for their answers. Clients of today send one after the other; Node begins with
 * all that have come.
 */
const MAX_PIPELINED = 4;

/** Lines that the head of a request may have. */
export const MAX_HEADERS = 100;

/** Time for the head of a request, for all of it, and between bytes. */
const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 15_000,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 5_000,
};
const IDLE_TIMEOUT_MS = 60_000;
/** How long an answer may be worked on: a large upload goes on to a store that may be slow. */
const MAX_WORK_MS = 300_000;

/** How often idle connections are looked for while the server stops. */
const SWEEP_MS = 50;
/** Within this time a connection that was just made has to send the head of its request then. */
const LAST_HEAD_MS = 1000;

/** Reads `HOST:PORT`, `[IPV6]:PORT` or `:PORT`. Throws a usage error. */
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
  return { host: match[1] ?? (match[2] === '' ? '127.0.0.1' : (match[2] ?? '')), port };
}

/** `HOST:PORT` as it stands in URLs. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${formatHost(host)}:${port}`;
}

function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Opens the socket. Throws an I/O error where that is not possible. */
export async function listen({
  address,
  tls,
  connections,
  flag = '--listen',
  idleMs = IDLE_TIMEOUT_MS,
}: ListenOptions): Promise<Listener> {
  let serve: Listener['serve'] = () => {};
  const ready = new Promise<FetchHandler>((resolve) => {
    serve = resolve;
  });
  // HTTP/1.0 does without the header `Host`, and health checks of load balancers do.
  const answer = getRequestListener(async (request, env) => (await ready)(request, env), {
    hostname: formatHost(address.host),
  });
  const works = new Map<Socket, Work | null>();
  const unanswered = new WeakMap<Socket, number>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    // What came in one piece with the first of too many is still handed over.
    if (count > MAX_PIPELINED) return void socket.destroy();
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    works.set(request.socket, { request, response, startedMs: performance.now() });
    void answer(request, response);
  };
  const server =
    tls === null
      ? createHttpServer(LIMITS, onRequest)
      : createHttpsServer({ ...LIMITS, cert: tls.certificate, key: tls.key }, onRequest);
  // Node drops what is more, so that one more tells of too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  if (connections !== undefined) limitConnections(server, connections);
  server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    works.set(socket, null);
    socket.once('close', () => works.delete(socket));
  });
  server.setTimeout(idleMs, (socket: Socket) => {
    const work = works.get(socket) ?? null;
    if (work !== null && isUnderWay(work)) socket.setTimeout(idleMs);
    else socket.destroy();
  });
  const port = await open(server, address, flag);
  return { address: { host: address.host, port }, serve, stop: (graceMs) => stop(server, works, graceMs) };
}

/** Before TLS, which costs most of what a connection does. */
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
      const rest = (counts.get(client) ?? 1) - 1;
      if (rest === 0) counts.delete(client);
      else counts.set(client, rest);
    });
    if (count > maxOfClient) socket.destroy();
  });
}

/** A request of a connection, and what is to become the answer. */
interface Work {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
}

/** True while the client has sent everything and can only wait. */
function isUnderWay({ request, response, startedMs }: Work): boolean {
  return request.complete && !response.headersSent && performance.now() - startedMs < MAX_WORK_MS;
}

async function open(server: Server, { host, port }: ListenAddress, flag: string): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const place = formatAddress({ host, port });
    throw new TsregError(
      `failed to listen on \`${place}\`: pass \`${flag} HOST:PORT\` to use another address`,
      {
        cause: error,
      },
    );
  }
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}

async function stop(server: Server, works: ReadonlyMap<Socket, Work | null>, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that is kept open for more requests is idle as soon as its last one was answered.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  // To Node one is not idle on which nothing was asked yet, or half a question.
  const last = setTimeout(() => {
    for (const [socket, work] of works) {
      if (work === null || work.response.writableFinished) socket.destroy();
    }
  }, LAST_HEAD_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(last);
    clearTimeout(cut);
  }
}
