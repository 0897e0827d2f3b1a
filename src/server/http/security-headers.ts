/** Headers that keep browsers from doing more with an answer than they should. */
import type { MiddlewareHandler } from 'hono';
import type { ServerSettings } from '../server-context.ts';
import type { HttpEnv } from './http-env.ts';

/** Images of readmes may be anywhere; everything else is the server's own. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Adds the headers; what a handler has set itself stays. */
export function securityHeaders({ baseUrl }: ServerSettings): MiddlewareHandler<HttpEnv> {
  const isSecure = baseUrl.startsWith('https:');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('X-Content-Type-Options', 'nosniff');
    if (isSecure) headers.set('Strict-Transport-Security', 'max-age=31536000');
    if (headers.get('content-type')?.startsWith('text/html') !== true) return;
    for (const [name, value] of Object.entries(PAGE_HEADERS)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
