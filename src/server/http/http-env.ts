/** What hono carries along with a request. */
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { TrustedProxies } from './trusted-proxies.ts';

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
 * The address of the client: that of the connection, or, where that is a trusted proxy's, the last one of
 * `X-Forwarded-For` that is not.
 */
export function clientAddress(c: HttpContext, proxies: TrustedProxies): string {
  let client = c.env.incoming?.socket.remoteAddress ?? 'unknown';
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',');
  while (proxies.has(client)) {
    const next = forwardedAddress(hops.pop()?.trim() ?? '');
    if (next === null) break;
    client = next;
  }
  return client;
}

/** True for a request that comes from a trusted proxy, whose headers are taken at their word. */
export function isFromProxy(c: HttpContext, proxies: TrustedProxies): boolean {
  return proxies.has(c.env.incoming?.socket.remoteAddress ?? '');
}

/** Without the port that some proxies name as well: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
function forwardedAddress(text: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}
