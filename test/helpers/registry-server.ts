import { createHash } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type BuiltCrate, indexFiles } from './crate.ts';
import { listen } from './listen.ts';

/** A fault in some responses of the server. */
export interface Fault {
  /** Applies to requests whose path (below the registry) contains this; to every request by default. */
  readonly path?: string;
  /** The number of responses that it affects; all of them by default. */
  readonly times?: number;
  /**
   * `status`: responds with `status`, `headers` and `body`. `slow`: sends a tenth of the body every 20 milliseconds.
   * `cut`: closes the connection in the middle of the body. `refuse`: closes it before the head. `short`: half of the
   * body, as if complete. `long`: a content-length that is larger than the body. `flip`: one byte is changed. `gzip`:
   * declares gzip, sends something else. `gzip-cut`: half of a gzip body, as if complete. `compressed`: a correct gzip
   * body. `replace`: responds with `body`. All kinds but `refuse` and `status` wait `delayMs` first.
   */
  readonly kind:
    | 'status'
    | 'slow'
    | 'cut'
    | 'refuse'
    | 'short'
    | 'long'
    | 'flip'
    | 'gzip'
    | 'gzip-cut'
    | 'compressed'
    | 'replace';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
}

/** A registry on the server. */
export interface Mount {
  readonly crates: readonly BuiltCrate[];
  /** Fields that replace those of config.json or are added to it. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The Authorization header that every request needs. */
  readonly token?: string;
  readonly faults?: readonly Fault[];
}

/** One received request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  status: number;
}

/** A sparse registry server on 127.0.0.1. */
export interface RegistryServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Every request in order of arrival. */
  readonly requests: SeenRequest[];
  /** Serves `mount` below `/prefix/`; its index is `sparse+URL/prefix/`. Replaces the previous registry there. */
  mount(prefix: string, mount: Mount): void;
  unmount(prefix: string): void;
  close(): Promise<void>;
}

interface Mounted {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly token: string | null;
  readonly faults: { readonly fault: Fault; left: number }[];
}

/** Starts a server on a free port. */
export async function startRegistryServer(): Promise<RegistryServer> {
  const mounts = new Map<string, Mounted>();
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let base = '';

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname,
      headers: request.headers,
      status: 0,
    };
    requests.push(seen);
    answer(seen, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });

  async function answer(seen: SeenRequest, response: http.ServerResponse): Promise<void> {
    const send = (status: number, headers: Record<string, string>, body: Buffer): void => {
      seen.status = status;
      response.writeHead(status, { 'content-length': String(body.length), ...headers });
      response.end(body);
    };
    const prefix = [...mounts.keys()].find((name) => seen.path.startsWith(`/${name}/`));
    const mounted = prefix === undefined ? undefined : mounts.get(prefix);
    if (prefix === undefined || mounted === undefined) return send(404, {}, Buffer.from('no such registry'));
    const path = decodeURIComponent(seen.path.slice(prefix.length + 2));
    if (mounted.token !== null && seen.headers.authorization !== mounted.token) {
      return send(
        401,
        { 'WWW-Authenticate': `Cargo login_url="${base}/me"` },
        Buffer.from('a token is needed'),
      );
    }
    const found = mounted.faults.find(({ fault, left }) => left > 0 && path.includes(fault.path ?? ''));
    if (found !== undefined) found.left -= 1;
    const fault = found?.fault;
    if (fault?.kind === 'refuse') return void response.destroy();
    if (fault?.kind === 'status') {
      return send(fault.status ?? 500, { ...fault.headers }, Buffer.from(fault.body ?? 'out of order'));
    }
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    const body = fault?.kind === 'replace' ? Buffer.from(fault.body ?? '') : mounted.files.get(path);
    if (body === undefined) return send(404, {}, Buffer.from('not found'));
    const isArchive = path.endsWith('/download');
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 8)}"`;
    const headers: Record<string, string> = {
      'content-type': isArchive ? 'application/gzip' : 'text/plain',
      ...(isArchive ? {} : { etag }),
      ...fault?.headers,
    };
    if (!isArchive && fault === undefined && seen.headers['if-none-match'] === etag) {
      seen.status = 304;
      response.writeHead(304, { etag });
      response.end();
      return;
    }
    if (fault === undefined || fault.kind === 'replace') return send(200, headers, body);
    seen.status = 200;
    switch (fault.kind) {
      case 'slow': {
        response.writeHead(200, { ...headers, 'content-length': String(body.length) });
        const step = Math.max(1, Math.ceil(body.length / 10));
        for (let at = 0; at < body.length; at += step) {
          response.write(body.subarray(at, at + step));
          await sleep(20);
        }
        response.end();
        return;
      }
      case 'cut':
        response.writeHead(200, { ...headers, 'content-length': String(body.length) });
        response.write(body.subarray(0, body.length >> 1));
        await sleep(50);
        response.destroy();
        return;
      case 'short':
        return send(200, headers, body.subarray(0, body.length >> 1));
      case 'long':
        response.writeHead(200, { ...headers, 'content-length': String(body.length + 100) });
        response.write(body);
        await sleep(50);
        response.destroy();
        return;
      case 'flip': {
        const wrong = Buffer.from(body);
        const at = wrong.length >> 1;
        wrong[at] = (wrong[at] ?? 0) ^ 0x20;
        return send(200, headers, wrong);
      }
      case 'gzip':
        return send(200, { ...headers, 'content-encoding': 'gzip' }, Buffer.from('not gzip at all'));
      case 'gzip-cut': {
        const packed = gzipSync(body);
        return send(200, { ...headers, 'content-encoding': 'gzip' }, packed.subarray(0, packed.length >> 1));
      }
      case 'compressed':
        return send(200, { ...headers, 'content-encoding': 'gzip' }, gzipSync(body));
      default:
        return send(500, {}, Buffer.from('unknown fault'));
    }
  }

  base = `http://127.0.0.1:${await listen(server)}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return {
    url: base,
    requests,
    mount: (prefix, mount) => {
      mounts.set(prefix, {
        files: servedFiles(`${base}/${prefix}`, mount),
        token: mount.token ?? null,
        faults: (mount.faults ?? []).map((fault) => ({
          fault,
          left: fault.times ?? Number.POSITIVE_INFINITY,
        })),
      });
    },
    unmount: (prefix) => {
      mounts.delete(prefix);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function servedFiles(url: string, mount: Mount): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const config = { dl: `${url}/dl`, api: url, ...mount.config };
  files.set('config.json', Buffer.from(JSON.stringify(config)));
  for (const [name, text] of indexFiles(mount.crates)) files.set(name, Buffer.from(text));
  for (const crate of mount.crates) {
    if (crate.archive === null) continue;
    files.set(`dl/${crate.decl.name}/${crate.decl.version}/download`, crate.archive);
  }
  return files;
}
