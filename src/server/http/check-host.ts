/**
 * Protection against DNS rebinding. A foreign site can let its name resolve to any address. The browser of a visitor
 * then treats this server's responses as those of the site. An IP address as the host cannot be such a name.
 */
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import { ApiError } from './api-error.ts';
import type { HttpEnv } from './http-env.ts';

/** Health checks may use any host: the responses contain nothing about the registry. */
const HEALTH = /^\/(?:livez|readyz|healthz)$/;

/**
 * Returns middleware that rejects requests with 421 unless their `Host` is that of the base URL, `localhost` or an IP
 * address. Ports do not matter. Requests without the header pass: they do not come from a browser.
 */
export function checkHost({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const ownHost = new URL(baseUrl).hostname;
  return async (c, next) => {
    const host = c.req.header('host');
    if (host !== undefined && !HEALTH.test(c.req.path)) {
      const name = hostNameOf(host);
      if (name === null) throw new ApiError(400, 'the header `Host` is not a host');
      if (name !== ownHost && name !== 'localhost' && isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0) {
        throw new ApiError(
          421,
          `this server is not \`${name}\` but \`${ownHost}\`: use that name, or set \`--base-url\``,
        );
      }
    }
    await next();
  };
}

/** Returns the host name in lower case, without port and trailing dot; null if `host` is invalid. */
function hostNameOf(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}
