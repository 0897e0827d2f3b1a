/** What hono carries along with a request. */
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** For `Hono` and `Context`. */
export interface HttpEnv {
  /** Nothing where a request came from no socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Names the request in the log and in `X-Request-Id`. */
    requestId: string;
    /** Login of the user that the request is from, once it is known. */
    login?: string;
  };
}

/** A request to the server and its answer. */
export type HttpContext = Context<HttpEnv>;

/**
 * The address of the client. Behind a proxy on a private address, and if `trustsProxy`, the last one that the proxy
 * names.
 */
export function clientAddress(c: HttpContext, trustsProxy: boolean): string {
  const address = c.env.incoming?.socket.remoteAddress ?? 'unknown';
  if (!trustsProxy || !isPrivate(address)) return address;
  return forwardedAddress(c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '') ?? address;
}

/** Without the port that some proxies name as well: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
function forwardedAddress(text: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}

/** True for addresses that are not of the public network. */
export function isPrivate(address: string): boolean {
  return /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)|^::1$|^f[cd]/i.test(
    address,
  );
}
