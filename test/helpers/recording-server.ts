import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { listen } from './listen.ts';
import { certificate, privateKey } from './public-registry-certificates.ts';

/** One received request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they were sent; after `https://HOST` if the server acted as a proxy. */
  readonly target: string;
  /** In the order and the spelling in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A response of the server. */
export interface WireAnswer {
  /** 200 by default. */
  readonly status?: number;
  /** The standard reason of the status by default. */
  readonly reason?: string;
  /**
   * In this order. A `Content-Length` is added unless they contain one or a `Transfer-Encoding`, or the status has no
   * body.
   */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** Sent before the response, an interim response for example. */
  readonly before?: string;
  /** The whole response, instead of all fields above. */
  readonly raw?: string | Buffer;
  /** Sends only this many bytes of the response and closes the connection. */
  readonly cut?: number;
  /** With `cut`: keeps the connection open. */
  readonly stalls?: boolean;
  /** Closes the connection after the response. */
  readonly close?: boolean;
  readonly delayMs?: number;
}

export type Responder = (request: RecordedRequest) => WireAnswer | Promise<WireAnswer>;

/**
 * An HTTP/1.1 server on 127.0.0.1 that sends exactly the given bytes and records the requests. As a proxy it does not
 * forward anything: it responds in place of every host.
 */
export interface RecordingServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: RecordedRequest[];
  /** Replaces the responder, clears `requests` and closes all connections. */
  restart(responder: Responder): void;
  close(): Promise<void>;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Starts a server on a free port. Every request gets 404 until `restart`. */
export async function startRecordingServer(): Promise<RecordingServer> {
  let respond: Responder = () => ({ status: 404 });
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serveConnection(socket, (request) => {
      requests.push(request);
      return respond(request);
    }).catch(() => socket.destroy());
  });
  const port = await listen(server);
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      dropAll();
      server.close(() => resolve());
    });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    restart: (responder) => {
      dropAll();
      respond = responder;
      requests.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the value of a header by its lower-case name; null if it does not exist. */
export function headerOf({ headers }: Pick<RecordedRequest, 'headers'>, name: string): string | null {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? null;
}

/** Responds to one request after the other until either side closes the connection. */
async function serveConnection(
  socket: Socket,
  respond: (request: RecordedRequest) => WireAnswer | Promise<WireAnswer>,
  origin = '',
): Promise<void> {
  const reader = new SocketReader(socket);
  for (;;) {
    const head = await reader.until('\r\n\r\n', /^[^A-Z]/);
    if (head === null) return;
    const [line = '', ...rest] = head.toString('latin1').trimEnd().split('\r\n');
    const [method = '', target = ''] = line.split(' ');
    if (!/^[A-Z]+$/.test(method)) {
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    const headers = rest.map((one): [string, string] => {
      const colon = one.indexOf(':');
      return [one.slice(0, colon), one.slice(colon + 1).trim()];
    });
    if (method === 'CONNECT') {
      reader.stop();
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const secure = new TLSSocket(socket, { isServer: true, cert: certificate, key: privateKey });
      secure.on('error', () => socket.destroy());
      return await serveConnection(secure, respond, `https://${target.replace(/:443$/, '')}`);
    }
    if (headerOf({ headers }, 'expect') === '100-continue') socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    const body = await readBody(reader, headers);
    if (body === null) return;
    const answer = await respond({ method, target: `${origin}${target}`, headers, body });
    if (answer.delayMs !== undefined) await sleep(answer.delayMs);
    const bytes = answerBytes(answer, method);
    if (answer.cut !== undefined) {
      if (answer.stalls === true) socket.write(bytes.subarray(0, answer.cut));
      else socket.end(bytes.subarray(0, answer.cut));
      return;
    }
    if (answer.close === true) {
      socket.end(bytes);
      return;
    }
    socket.write(bytes);
  }
}

async function readBody(reader: SocketReader, headers: RecordedRequest['headers']): Promise<Buffer | null> {
  if (headerOf({ headers }, 'transfer-encoding') !== 'chunked') {
    return await reader.take(Number(headerOf({ headers }, 'content-length') ?? 0));
  }
  const parts: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt((await reader.until('\r\n'))?.toString('latin1') ?? '', 16);
    const part = await reader.take(Number.isNaN(size) ? 0 : size + 2);
    if (part === null) return null;
    if (part.length <= 2) return Buffer.concat(parts);
    parts.push(part.subarray(0, -2));
  }
}

function answerBytes(answer: WireAnswer, method: string): Buffer {
  if (answer.raw !== undefined) return Buffer.from(answer.raw);
  const { status = 200, headers = [], before = '' } = answer;
  const body = Buffer.from(answer.body ?? '');
  const names = headers.map(([name]) => name.toLowerCase());
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const hasLength = names.includes('content-length') || names.includes('transfer-encoding');
  if (!hasLength && status !== 204 && status !== 304) lines.push(`Content-Length: ${body.length}`);
  const reason = answer.reason ?? reasons[status] ?? 'Other';
  const head = `${before}HTTP/1.1 ${status} ${reason}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), method === 'HEAD' ? Buffer.alloc(0) : body]);
}

/** Reads bytes from a socket. Methods return null if the socket ends first. */
class SocketReader {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #isEnded = false;
  #wake: () => void = () => undefined;

  readonly #add = (chunk: Buffer): void => {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    this.#wake();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#add);
    const end = (): void => {
      this.#isEnded = true;
      this.#wake();
    };
    socket.on('end', end);
    socket.on('close', end);
  }

  /** Leaves the following bytes to another reader. */
  stop(): void {
    this.#socket.off('data', this.#add);
  }

  /** Returns the bytes up to and including `mark`, or everything received so far if that matches `other`. */
  async until(mark: string, other?: RegExp): Promise<Buffer | null> {
    for (;;) {
      if (other?.test(this.#buffer.toString('latin1')) === true) return this.#buffer;
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) return await this.take(at + mark.length);
      if (!(await this.#more())) return null;
    }
  }

  async take(count: number): Promise<Buffer | null> {
    while (this.#buffer.length < count) if (!(await this.#more())) return null;
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }

  async #more(): Promise<boolean> {
    if (this.#isEnded || this.#socket.destroyed) return false;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return true;
  }
}
