/**
 * Which names the server answers to. A page of a foreign site can have its name lead to any address ("DNS rebinding"), and
 * its reader's browser then takes what this server answers for that site's own. An address as the host cannot be such a
 * name.
 */
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import { ApiError } from './api-error.ts';
import type { HttpEnv } from './http-env.ts';

/** Those who watch over the server may ask for it by any name: the answers say nothing of the registry. */
const HEALTH = /^\/(?:livez|readyz|healthz)$/;

/**
 * Refuses requests whose `Host` is neither the base URL's, nor `localhost`, nor an IP address, with 421; ports do not
 * matter. Requests without the header come from no browser.
 */
export function checkHost({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const own = new URL(baseUrl).hostname;
  return async (c, next) => {
    const host = c.req.header('host');
    if (host !== undefined && !HEALTH.test(c.req.path)) {
      const name = hostNameOf(host);
      if (name === null) throw new ApiError(400, 'the header `Host` is not a host');
      if (name !== own && name !== 'localhost' && isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0) {
        throw new ApiError(
          421,
          `this server is not \`${name}\` but \`${own}\`: use that name, or set \`--base-url\``,
        );
      }
    }
    await next();
  };
}

/** In lower case, without port and the dot at the end; null for what is no host. */
function hostNameOf(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}
