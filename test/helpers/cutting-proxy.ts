import { once } from 'node:events';
import net from 'node:net';

/** A way to a server that can be cut. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Connections that were made so far. */
  readonly count: number;
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Cuts the connection that sends this text next, once the server has it, before the client gets an answer. */
  cutBehind(text: string): void;
}

/** Opens a way to a server on 127.0.0.1. */
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
      // The server has done what it answers.
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
