/** Headers that keep browsers from doing more with an answer than they should. */
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import type { HttpEnv } from './http-env.ts';

/** Adds the headers that every answer has; those of pages are the pages' own. */
export function securityHeaders({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const isSecure = baseUrl.startsWith('https:');
  return (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    if (isSecure) c.header('Strict-Transport-Security', 'max-age=31536000');
    return next();
  };
}
