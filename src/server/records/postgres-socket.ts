/** The connection to a PostgreSQL server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const DEFAULT_PORT = 5432;

/** The address of a server: host and port, or a Unix socket. */
export type ServerAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Returns the servers that `url` names, separated by commas. A host that begins with `/` is a folder. */
export function serverAddresses(url: string): readonly ServerAddress[] {
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  const servers = authority.slice(authority.lastIndexOf('@') + 1);
  return servers.split(',').map((server) => {
    const [, inBrackets, plain = '', number] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(server) ?? [];
    const host = inBrackets ?? decodeURIComponent(plain);
    const port = number === undefined ? DEFAULT_PORT : Number(number);
    return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host: host || 'localhost', port };
  });
}

/** Connects to the first reachable server. Throws the error of the last one if none is reachable. */
export async function openSocket(
  servers: readonly ServerAddress[],
  timeoutMs: number,
): Promise<Socket & { host?: string }> {
  let failure: unknown = new ConnectionLost('no server is named');
  for (const server of servers) {
    const socket = connect(server);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
      // The driver checks the certificate against this name.
      return Object.assign(socket, 'host' in server ? { host: server.host } : {});
    } catch (error) {
      socket.destroy();
      const isLate = error instanceof Error && error.name === 'AbortError';
      failure = isLate ? new ConnectionLost('no response in time') : error;
    }
  }
  throw failure;
}

/** The error for a connection that was lost, or could not be opened. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'CONNECTION_CLOSED';
}
