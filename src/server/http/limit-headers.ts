/** How much a request may say before it begins. */
import type { MiddlewareHandler } from 'hono';
import { ApiError } from './api-error.ts';
import type { HttpEnv } from './http-env.ts';
import { MAX_HEADERS } from './listen.ts';

/** Refuses requests with more than `MAX_HEADERS` lines, of which some have been dropped already. */
export function limitHeaders(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const lines = (c.env.incoming?.rawHeaders.length ?? 0) / 2;
    if (lines <= MAX_HEADERS) return await next();
    throw new ApiError(431, `the request has too many headers (max ${MAX_HEADERS})`, {
      Connection: 'close',
    });
  };
}
