import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ImitatedBucket } from './imitated-bucket.ts';

/** A static file server for the public part of a bucket, without any rules. */
export interface StaticServer extends AsyncDisposable {
  /** The URL without a slash at the end. */
  readonly url: string;
  /** Status and path of each request: `404 /index/ab/cd/abcd`. */
  readonly log: string[];
}

/** Starts a server on 127.0.0.1. */
export async function serveStatic(bucket: Pick<ImitatedBucket, 'objects'>): Promise<StaticServer> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '');
    const object = bucket.objects.get(`pre/static${path}`);
    response.writeHead(object === undefined ? 404 : 200, object?.headers);
    response.end(object?.bytes);
    log.push(`${object === undefined ? 404 : 200} ${path}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
