/** Hono's context of a request, the parameters of its path, and the address of the client. */
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { present } from '../../core/errors/assert.ts';
import type { TrustedProxies } from '../shared/trusted-proxies.ts';
import { networkOf } from './network-of.ts';

/** The type parameter of `Hono` and `Context`. */
export interface HttpEnv {
  /** Empty if the request did not come from a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Identifies the request in the log and in `X-Request-Id`; see `requestIdOf`. */
    requestId?: string;
    /** Login of the authenticated user, once known. */
    login?: string;
  };
}

/** A request to the server and its response. */
export type HttpContext = Context<HttpEnv>;

/** Returns the ID of a request; null if it came through a separate listener for metrics, which has none. */
export function requestIdOf(c: HttpContext): string | null {
  return c.get('requestId') ?? null;
}

/** Returns a parameter of the path that the route has matched. */
export function routeParam(c: HttpContext, name: string): string {
  return present(c.req.param(name), `the parameter \`${name}\` of the route`);
}

/**
 * Returns the address of the client: that of the connection or, if it is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy.
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

/** Returns the network of the client, by which clients are counted. */
export function clientNetwork(c: HttpContext, proxies: TrustedProxies): string {
  return networkOf(clientAddress(c, proxies));
}

/** Returns true if the request comes from a trusted proxy, whose headers are trusted. */
export function isFromProxy(c: HttpContext, proxies: TrustedProxies): boolean {
  return proxies.has(c.env.incoming?.socket.remoteAddress ?? '');
}

/** Returns an address without the port that some proxies add (`192.0.2.1:49152`, `[2001:db8::1]:49152`), or null. */
function forwardedAddress(text: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}
