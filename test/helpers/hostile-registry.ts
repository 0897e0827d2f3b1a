import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** A sparse registry on 127.0.0.1 that serves arbitrary content. */
export interface HostileRegistry extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** The index URL, as manifests and index lines contain it. */
  readonly index: string;
  /** The requested paths. */
  readonly requests: string[];
  /** Requests with an `Authorization` header: path and token. */
  readonly tokens: (readonly [path: string, token: string])[];
  /** Bodies by path. Other paths get `fallback`. */
  readonly files: Map<string, string | Buffer>;
  /** The response body for every other path; 404 if null. */
  fallback: string | Buffer | null;
}

/** Starts a registry that has only a `config.json`, with downloads from `/dl`. */
export async function startHostileRegistry(): Promise<HostileRegistry> {
  const requests: string[] = [];
  const tokens: (readonly [string, string])[] = [];
  const files = new Map<string, string | Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '');
    requests.push(path);
    const token = request.headers.authorization;
    if (token !== undefined) tokens.push([path, token]);
    const body = files.get(path) ?? registry.fallback;
    response.writeHead(body === null ? 404 : 200, { etag: '"e"' });
    response.end(body);
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  const registry: HostileRegistry = {
    ...{ url, index: `sparse+${url}`, requests, tokens, files, fallback: null },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  files.set('/config.json', JSON.stringify({ dl: `${url}dl`, api: url }));
  return registry;
}
