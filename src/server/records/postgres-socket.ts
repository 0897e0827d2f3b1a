/** The connection to a PostgreSQL server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const DEFAULT_PORT = 5432;

/** The address of a server: host and port, or a Unix socket. */
export type ServerAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * Returns the servers that `url` names, separated by commas. A host that begins with `/` (escaped in the URL) is the
 * folder of a Unix socket. PostgreSQL documentation: Connection Strings.
 */
export function serverAddresses(url: string): readonly ServerAddress[] {
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  const servers = authority.slice(authority.lastIndexOf('@') + 1);
  return servers.split(',').map((server) => {
    // `[IPV6]:PORT` or `NAME:PORT`, both also without the port.
    const [, ipv6, name = '', portText] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(server) ?? [];
    const host = ipv6 ?? decodeURIComponent(name);
    const port = portText === undefined ? DEFAULT_PORT : Number(portText);
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
      const isTimeout = error instanceof Error && error.name === 'AbortError';
      failure = isTimeout ? new ConnectionLost('no response in time') : error;
    }
  }
  throw failure;
}

/** The error for a connection that was lost, or could not be opened. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  /** The driver's code, so that `isLost` recognizes this error too. */
  readonly code = 'CONNECTION_CLOSED';
}
