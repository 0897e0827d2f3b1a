/** Headers of documentation, which has scripts that the registry does not trust. */
import { extname } from 'node:path';

/**
 * Pages have an origin of their own: their scripts can read neither cookies, storage nor responses of the registry.
 * They load only files of the registry. rustdoc's search is a form that its script handles, but `form-action` lets no
 * page send a form. Popups are normal pages, as links to other sites need. No rule keeps scripts from showing another
 * path of the registry in the address bar, with `history.replaceState`. `STATIC_POLICY` allows no scripts.
 */
const FULL_POLICY = policyOf([
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
  "script-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
]);
const STATIC_POLICY = policyOf(['sandbox allow-popups allow-popups-to-escape-sandbox']);

/** Returns the policy with these rules and the common ones. */
function policyOf(rules: readonly string[]): string {
  return [
    ...rules,
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Types by extension. Files with another extension are downloads. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.gif', 'image/gif'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.md', 'text/plain; charset=utf-8'],
  ['.png', 'image/png'],
  ['.rs', 'text/plain; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.ttf', 'font/ttf'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webp', 'image/webp'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
]);

/** Returns true for a page, or a folder with a page; false for a file that pages load. */
export function isPagePath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.endsWith('.html') || !name.includes('.');
}

/** The properties of a file that its path does not determine. */
export interface DocumentationFileOptions {
  /** That of its content. */
  readonly etag: string;
  readonly allowsScripts: boolean;
}

/** Returns the headers of a file. */
export function documentationHeaders(
  path: string,
  { etag, allowsScripts }: DocumentationFileOptions,
): Record<string, string> {
  const type = TYPES.get(extname(path));
  return {
    ...(isPagePath(path) ? PAGE_HEADERS : FILE_HEADERS),
    'Content-Type': type ?? 'application/octet-stream',
    'Content-Security-Policy': allowsScripts ? FULL_POLICY : STATIC_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    // The address contains a ticket.
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ETag: etag,
  };
}

/** Each request for a page checks the reader's rights. */
const PAGE_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Cookie, Accept-Encoding',
};

/**
 * The ticket in the address changes with the content. Without these permissions, pages without the origin of the
 * registry could not load fonts, or files at all.
 */
const FILE_HEADERS = {
  'Cache-Control': 'private, max-age=86400, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  Vary: 'Accept-Encoding',
};
