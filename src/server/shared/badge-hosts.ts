/** The sites whose badges readmes may show, and which of their addresses are badges. */

/** The sites that are used unless the operator or an admin names others. Only the common ones that serve badges. */
export const DEFAULT_BADGE_HOSTS: readonly string[] = [
  'img.shields.io',
  'badgen.net',
  'flat.badgen.net',
  'badge.fury.io',
  'docs.rs',
  'deps.rs',
  'github.com',
  'codecov.io',
  'coveralls.io',
  'isitmaintained.com',
];

/** Sites to which badge.fury.io and coveralls.io redirect, always allowed for redirects. */
export const REDIRECT_HOSTS: readonly string[] = ['d25lcipzij17d.cloudfront.net', 's3.amazonaws.com'];

/** The badges of sites that also serve files of their users. */
const BADGE_PATHS: ReadonlyMap<string, RegExp> = new Map([
  ['d25lcipzij17d.cloudfront.net', /^\/badge\.svg$/],
  ['docs.rs', /^\/[^/]+\/(?:[^/]+\/)?badge\.svg$/],
  ['github.com', /^\/[^/]+\/[^/]+\/(?:actions\/)?workflows\/[^/]+\/badge\.svg$/],
  ['s3.amazonaws.com', /^\/assets\.coveralls\.io\/badges\/[^/]+$/],
]);

/** Maximum number of sites in a list. */
export const MAX_BADGE_HOSTS = 50;
const MAX_HOST_CHARS = 253;
const MAX_ADDRESS_CHARS = 1000;

/**
 * Matches a name with at least two labels, of which the last one begins with a letter. So neither addresses of networks
 * nor `localhost` match.
 */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns true for a name of a site in lower case, such as `img.shields.io`. */
export function isBadgeHost(text: string): boolean {
  return text.length <= MAX_HOST_CHARS && HOST.test(text);
}

/** Returns the address of a badge in its normal form, without fragment; null if it is none of the sites in `hosts`. */
export function badgeAddress(text: string, hosts: readonly string[]): string | null {
  if (text.length > MAX_ADDRESS_CHARS || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname, port, username, password } = url;
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return null;
  if (!hosts.includes(hostname) || BADGE_PATHS.get(hostname)?.test(url.pathname) === false) return null;
  url.hash = '';
  return url.href.length > MAX_ADDRESS_CHARS ? null : url.href;
}
