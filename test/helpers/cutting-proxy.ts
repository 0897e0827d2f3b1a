import { once } from 'node:events';
import net from 'node:net';

/** A proxy whose connections a test can cut. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of connections so far. */
  readonly count: number;
  /** Closes every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /**
   * Closes the connection that sends `text` next, after the server receives it and before the client gets a response.
   */
  cutBehind(text: string): void;
}

/** Starts a proxy to a server on 127.0.0.1. */
export async function startCuttingProxy(target: { readonly port: number }): Promise<CuttingProxy> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let count = 0;
  let last: string | null = null;
  const server = net.createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    count += 1;
    const upstream = net.connect(target.port, '127.0.0.1');
    let isDeaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk);
      if (last === null || !chunk.includes(last)) return;
      last = null;
      isDeaf = true;
    });
    upstream.on('data', (chunk: Buffer) => {
      // The server has already performed the request.
      if (isDeaf) client.destroy();
      else client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get count() {
      return count;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    cutBehind(text) {
      last = text;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
