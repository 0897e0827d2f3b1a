/** URLs of requests, by the rules of curl. */
import { CurlError } from './curl-error.ts';

/** Protocols that curl knows but cargo never uses. */
const OTHER_PROTOCOL =
  /^(dict|file|ftps?|gophers?|imaps?|ldaps?|mqtts?|pop3s?|rtsp|scp|sftp|smbs?|smtps?|socks(?:4a?|5h?)?|telnet|tftp|wss?):\/\//i;

/** Returns the error for a URL with one of these protocols; null for other URLs. */
function refusedProtocol(url: string, where = ''): CurlError | null {
  const name = OTHER_PROTOCOL.exec(url)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const reason = name.startsWith('socks') ? 'not for transfers' : `disabled${where}`;
  return new CurlError(1, `Protocol "${name}" is ${reason}`, { isRefusedProtocol: true });
}

/** Returns the URL in a `Location` header of a response from `from`. Throws curl's error if it is not HTTP. */
export function redirectTarget(location: string, from: URL): URL {
  const refused = refusedProtocol(location, ' (in redirect)');
  if (refused !== null) throw refused;
  const problem = 'The redirect target URL could not be parsed';
  try {
    return parseUrl(location, from);
  } catch (error) {
    if (!(error instanceof CurlError)) throw error;
    if (error.isRefusedProtocol)
      throw new CurlError(1, `${problem}: Unsupported URL scheme`, { isRefusedProtocol: true });
    const isHostMissing = /^https?:\/\/(?:[/?#]|$)/i.test(location);
    throw new CurlError(3, `${problem}: ${isHostMissing ? 'No host part in the URL' : 'Bad hostname'}`);
  }
}

/** Parses a URL, which may be relative to `base`. Throws curl's error unless it is an HTTP URL. */
export function parseUrl(text: string, base?: URL): URL {
  // `URL` would remove or encode these characters.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x20\x7f]/.test(text)) throw new CurlError(3, 'URL rejected: Malformed input to a URL function');
  if (URL.canParse(text, base?.href)) {
    const url = new URL(text, base?.href);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  }
  throw refusedUrl(text);
}

/** Returns curl's error for a URL that it rejects. */
function refusedUrl(text: string): CurlError {
  const refused = refusedProtocol(text);
  if (refused !== null) return refused;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return new CurlError(1, `Protocol "${scheme}" not supported`, { isRefusedProtocol: true });
  }
  const hasHost = /^(?:https?:\/\/)?[^/?#]/i.test(text);
  return new CurlError(3, hasHost ? null : 'URL rejected: No host part in the URL');
}
