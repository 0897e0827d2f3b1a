import type { AddressInfo, Server } from 'node:net';

/** Makes a server listen on a free port of 127.0.0.1 and returns the port. Rejects if it cannot. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
