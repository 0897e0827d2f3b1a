/** What hono carries along with a request. */
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
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return /^[\da-fA-F.:]{2,45}$/.test(forwarded) ? forwarded : address;
}

function isPrivate(address: string): boolean {
  return /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]/i.test(address);
}
