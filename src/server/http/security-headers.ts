/** Headers that keep browsers from doing more with an answer than they should. */
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import type { HttpEnv } from './http-env.ts';

/** Adds the headers that every answer has; those of pages are the pages' own. */
export function securityHeaders({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const isSecure = baseUrl.startsWith('https:');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('X-Content-Type-Options', 'nosniff');
    if (isSecure) headers.set('Strict-Transport-Security', 'max-age=31536000');
  };
}
