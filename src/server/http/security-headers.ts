/** Security headers for browsers. */
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import type { HttpEnv } from './http-env.ts';

/** Returns middleware that adds the security headers of every response. Pages add their own. */
export function securityHeaders({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const isSecure = baseUrl.startsWith('https:');
  return (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    if (isSecure) c.header('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
}
