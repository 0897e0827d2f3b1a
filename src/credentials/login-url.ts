/** Where a registry tells its users to log in. Cargo Book: Registry Index, "Registry authentication". */

const SCHEME = /(?:^|[\s,])cargo\s+/gi;
const PARAMETER = /^([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))\s*,?\s*/i;

/** `login_url` of the `Cargo` challenge in the headers `WWW-Authenticate`; null if there is none that is a URL. */
export function loginUrlIn(headers: readonly (readonly [name: string, value: string])[]): string | null {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'www-authenticate') continue;
    const url = parameterOf(value);
    if (url !== null && URL.canParse(url)) return new URL(url).href;
  }
  return null;
}

function parameterOf(challenge: string): string | null {
  for (const { index, 0: scheme } of challenge.matchAll(SCHEME)) {
    let rest = challenge.slice(index + scheme.length);
    for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
      if (match[1]?.toLowerCase() === 'login_url')
        return (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1');
      rest = rest.slice(match[0].length);
    }
  }
  return null;
}
