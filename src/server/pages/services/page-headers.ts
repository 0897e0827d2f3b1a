/** Headers of pages. */
import type { Viewer } from '../shared/layout.ts';

/** Pages load only resources of this site, run only its script, and cannot be framed. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the headers of a page for a viewer; null if nobody is signed in. No cache may store pages of a user. */
export function pageHeaders(viewer: Viewer | null): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_POLICY,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': viewer === null ? 'private, no-cache' : 'private, no-store',
    Vary: 'Cookie',
  };
}
