/** URLs that cargo's HTTP library accepts: RFC 3986, with the exceptions of the crate `http`. */
import { CurlError } from './curl-error.ts';

/** Limits of the crate. */
const MAX_BYTES = 65_534;
const MAX_SCHEME_LENGTH = 64;
const MAX_COLONS = 8;
/** The part of a URL that the hint shows. */
const MAX_SHOWN_LENGTH = 200;
const AUTHORITY_CHAR = /[!$&'()*+,\-.;=_~0-9A-Za-z]/;
/** The path with an optional query, up to the start of the fragment. Bytes above ASCII are allowed. */
const PATH_AND_QUERY = /^[!"$-;=@-_a-z{|}~\u0080-\uffff]*(?:\?[!$-;=?-~\u0080-\uffff]*)?(?:#|$)/;

/**
 * Returns `url`. Throws `network`, with the message of cargo's HTTP library, if it is not a URI. Does not check that
 * the protocol is HTTP.
 */
export function checkUri(url: string): string {
  // The library rejects an empty host; cargo inserts one.
  const problem = findProblem(url.replace(/^file:\/\/\//, 'file://localhost/'));
  if (problem === null) return url;
  // First without the login: a cut in it would remove the `@` by which it is found.
  const shownUrl = url.replace(/\/\/[^/]*@/, '//').slice(0, MAX_SHOWN_LENGTH);
  throw new CurlError(3, null, { message: problem, hint: `correct the URL \`${shownUrl}\`` });
}

/** Returns the library's message; null for a URI. */
function findProblem(url: string): string | null {
  if (Buffer.byteLength(url) > MAX_BYTES) return 'uri too long';
  if (url === '') return 'empty string';
  if (url === '*') return null;
  if (url.startsWith('/')) return findPathProblem(url);
  const scheme = /^([a-z0-9+.~-]*):\/\//i.exec(url)?.[1];
  if (scheme !== undefined && scheme.length > MAX_SCHEME_LENGTH) return 'scheme too long';
  const afterScheme = scheme === undefined ? url : url.slice(scheme.length + '://'.length);
  if (afterScheme === '') return 'empty string';
  const authority = afterScheme.replace(/[/?#].*/s, '');
  const problem = findAuthorityProblem(authority);
  if (problem !== null) return problem;
  const path = afterScheme.slice(authority.length);
  if (scheme === undefined) return path === '' ? null : 'invalid format';
  return authority === '' ? 'invalid format' : findPathProblem(path);
}

/** Checks an authority, `USER@HOST:PORT`; brackets surround an IPv6 address. Returns null if it is valid. */
function findAuthorityProblem(authority: string): string | null {
  const invalid = 'invalid authority';
  let colons = 0;
  let hasPercent = false;
  let brackets: 'none' | 'open' | 'closed' = 'none';
  for (const char of authority) {
    switch (char) {
      case '%':
        hasPercent = true;
        break;
      case ':':
        colons += 1;
        if (colons > MAX_COLONS) return invalid;
        break;
      case '[':
        if (hasPercent || brackets !== 'none') return invalid;
        brackets = 'open';
        break;
      case ']':
      case '@':
        if (char === ']') {
          if (brackets !== 'open') return invalid;
          brackets = 'closed';
        }
        // The text before it was the user, or the content of the brackets.
        colons = 0;
        hasPercent = false;
        break;
      default:
        if (!AUTHORITY_CHAR.test(char)) return 'invalid uri character';
    }
  }
  return brackets === 'open' || colons > 1 || hasPercent || authority.endsWith('@') ? invalid : null;
}

function findPathProblem(path: string): string | null {
  return PATH_AND_QUERY.test(path) ? null : 'invalid uri character';
}
