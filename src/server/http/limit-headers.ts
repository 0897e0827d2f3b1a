/** The limit for the headers of a request. */
import type { MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.ts';
import type { HttpEnv } from './http-env.ts';
import { MAX_HEADERS } from './listen.ts';

/** Returns middleware that rejects requests with more than `MAX_HEADERS` headers, some of which Node has dropped. */
export function limitHeaders(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const lines = (c.env.incoming?.rawHeaders.length ?? 0) / 2;
    if (lines <= MAX_HEADERS) return await next();
    throw new ApiError(431, `the request has too many headers (max ${MAX_HEADERS})`, {
      Connection: 'close',
    });
  };
}
