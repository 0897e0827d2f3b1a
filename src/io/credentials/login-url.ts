/** The page on which users of a registry log in. Cargo Book: Registry Index, "Registry authentication". */

// RFC 9110, sections 5.6 and 11: a challenge is a scheme, then parameters, whose values are tokens or quoted strings.

const PRINTABLE = /^[\t\x20-\x7e]*$/;
/** The scheme of a challenge, up to its first parameter. */
const SCHEME = /(?:^|[\s,])cargo\s+/gi;
/** A parameter and the comma after it: the name, then in the second group a quoted value or in the third a bare one. */
const PARAMETER = /^([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))\s*,?\s*/i;

/**
 * Returns the last valid `login_url` of the `Cargo` challenges in the `WWW-Authenticate` headers; null if there is
 * none. Ignores headers that are not printable ASCII.
 */
export function loginUrlIn(headers: readonly (readonly [name: string, value: string])[]): string | null {
  const url = headers
    .filter(([name, value]) => name.toLowerCase() === 'www-authenticate' && PRINTABLE.test(value))
    .flatMap(([, value]) => loginUrlsOf(value))
    .findLast((text) => URL.canParse(text));
  return url === undefined ? null : new URL(url).href;
}

/** Returns all `login_url` parameters of a header, valid or not. */
function loginUrlsOf(header: string): readonly string[] {
  const urls: string[] = [];
  for (const { index, 0: scheme } of header.matchAll(SCHEME)) {
    let parameters = header.slice(index + scheme.length);
    for (let match = PARAMETER.exec(parameters); match !== null; match = PARAMETER.exec(parameters)) {
      const [parameter, key = '', quoted, bare = ''] = match;
      if (key.toLowerCase() === 'login_url') urls.push((quoted ?? bare).replaceAll(/\\(.)/g, '$1'));
      parameters = parameters.slice(parameter.length);
    }
  }
  return urls;
}
