/** URLs as cargo reads and writes them: the WHATWG rules, with cargo's messages. */
import { TsregError } from '../errors/error.ts';
import { rootOfPath } from '../files/path.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Characters that Rust escapes in a path segment of a file URL, besides all that are not ASCII. */
const ESCAPED_IN_SEGMENT = /[\x00-\x20"#%<>?\\`{}\x7f]/g;

/**
 * Returns a normalized URL; `base` resolves a relative one. Throws `manifest` with cargo's message. For an scp-like
 * address, the message suggests `ssh://`.
 */
export function parseUrl(text: string, base?: string): string {
  let href: string;
  try {
    href = new URL(text, base).href;
  } catch {
    const reason = whyInvalid(text);
    const hint = text.startsWith('git@') ? `; try using \`ssh://${text.replace(':', '/')}\` instead` : '';
    throw new TsregError(`invalid url \`${text}\`: ${reason}${hint}`, { code: 'manifest' });
  }
  // Rust drops empty segments at the beginning of a file's path. The WHATWG rules keep them.
  if (href.startsWith('file:')) href = href.replace(/^(file:\/\/[^/]*\/)\/+/, '$1');
  // Newer releases of Node escape `^` in paths. Rust does not.
  return text.includes('^') && !text.includes('%5E') ? href.replaceAll('%5E', '^') : href;
}

/**
 * Returns the `file://` URL of an absolute path. Drops empty and `.` components, keeps `..`. A Windows path keeps its
 * drive or server, but not its prefix `\\?\`.
 */
export function pathToUrl(path: string): string {
  const root = rootOfPath(path);
  let url = 'file://';
  for (const segment of withSlashes(path).split('/')) {
    if (segment !== '' && segment !== '.') url += `/${encodeSegment(segment)}`;
  }
  if (url === 'file://') return 'file:///';
  // A drive, as in `file:///C:/`.
  if (/^file:\/\/\/[A-Za-z]:$/.test(url) && root !== '/') return `${url}/`;
  // A share, as in `file://server/share`.
  return isShare(path) ? url.replace('file:///', 'file://') : url;
}

/**
 * Returns the path of a `file://` URL without a host, as a Windows path if it begins with a drive. Returns null for any
 * other URL.
 */
export function urlToPath(url: string): string | null {
  if (!url.startsWith('file:///')) return null;
  const path = splitUrl(url).path;
  // Only Windows paths begin with a drive.
  const isOnDrive = path.charAt(2) === ':' && rootOfPath(path.slice(1)) !== null;
  const native = isOnDrive ? path.slice(1).replaceAll('/', '\\') : path;
  if (!native.includes('%')) return native;
  try {
    return decodeURIComponent(native);
  } catch {
    return null; // not UTF-8
  }
}

/**
 * Returns the form of a URL by which sources are compared, without a trailing slash. Git URLs also lose their `.git`,
 * and those on github.com become lower case with https, because these spellings lead to one repository. URLs of sparse
 * indexes keep their spelling, because each is a different path on the server (CVE-2026-5222). `url` is normalized,
 * with `sparse+` for a sparse index. Throws `manifest` for a URL such as `mailto:name`.
 */
export function canonicalizeUrl(url: string): string {
  const { base, path } = splitUrl(url);
  if (!path.startsWith('/') && !base.includes('://')) {
    throw new TsregError(`invalid url \`${url}\`: cannot-be-a-base-URLs are not supported`, {
      code: 'manifest',
    });
  }
  let canonical = url;
  if (path.length > 1 && path.endsWith('/')) canonical = replacePath(canonical, path.slice(0, -1));
  if (canonical.startsWith('sparse+')) return canonical;
  if (urlHost(canonical) === 'github.com') {
    // The rules for ports and characters depend on the scheme.
    if (!canonical.startsWith('https:'))
      canonical = parseUrl(`https${canonical.slice(canonical.indexOf(':'))}`);
    canonical = replacePath(canonical, splitUrl(canonical).path.toLowerCase());
  }
  const canonicalPath = splitUrl(canonical).path;
  if (!canonicalPath.endsWith('.git')) return canonical;
  const slash = canonicalPath.lastIndexOf('/');
  const last = canonicalPath.slice(slash + 1, -'.git'.length);
  // Without its last segment, `//x.git` is `/` in Rust.
  const parent = slash <= 1 ? '' : canonicalPath.slice(0, slash);
  // Rust puts the shortened segment back as if it were unescaped text.
  return replacePath(canonical, `${parent}/${last.replaceAll('%', '%25')}`);
}

/**
 * Throws `manifest` if the user or the host of a URL begins with `-`. git decodes both and passes them to ssh, which
 * would read them as an option.
 */
export function checkAuthority(url: string): void {
  const { base } = splitUrl(url);
  const authority = base.slice(base.indexOf('//') + 2).replace(/%2d/gi, '-');
  if (!/^-|@-/.test(authority)) return;
  throw new TsregError(`invalid url \`${url}\`: user and host cannot start with \`-\``, { code: 'manifest' });
}

/** Returns the last segment of the path of a URL; empty after a trailing slash. */
export function lastPathSegment(url: string): string {
  const { path } = splitUrl(url);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the host of a URL without user and port; empty if there is none. */
export function urlHost(url: string): string {
  const authority = /:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(url);
  return authority?.[1] ?? '';
}

/** Splits a URL into the part before the path, the path, and query with fragment (`suffix`). */
export function splitUrl(url: string): { base: string; path: string; suffix: string } {
  const schemeEnd = url.indexOf(':') + 1;
  let start = schemeEnd;
  if (url.startsWith('//', schemeEnd)) {
    start = schemeEnd + 2;
    while (start < url.length && !isEndOfAuthority(url.charAt(start))) start++;
  }
  let end = start;
  while (end < url.length && url.charAt(end) !== '?' && url.charAt(end) !== '#') end++;
  return { base: url.slice(0, start), path: url.slice(start, end), suffix: url.slice(end) };
}

/** Splits a `suffix` of `splitUrl`. The fragment is null if there is no `#`. */
export function splitSuffix(suffix: string): { query: string; fragment: string | null } {
  const hash = suffix.indexOf('#');
  return hash === -1
    ? { query: suffix, fragment: null }
    : { query: suffix.slice(0, hash), fragment: suffix.slice(hash + 1) };
}

function isEndOfAuthority(character: string): boolean {
  return character === '/' || character === '?' || character === '#';
}

/** Returns a Windows path with slashes and without its prefix; other paths stay as they are. */
function withSlashes(path: string): string {
  const root = rootOfPath(path);
  if (root === null || root === '/') return path;
  return path.replace(/^\\\\\?\\(?:UNC(?=\\))?/, '').replaceAll('\\', '/');
}

/** Returns true for a Windows path that begins with a server. */
function isShare(path: string): boolean {
  return /^\\\\(?:\?\\UNC\\|[^?.])/.test(path);
}

function replacePath(url: string, path: string): string {
  const { base, suffix } = splitUrl(url);
  return base + path + suffix;
}

function encodeSegment(segment: string): string {
  let encoded = segment.replace(
    ESCAPED_IN_SEGMENT,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  if (/[^\x00-\x7f]/.test(encoded)) {
    encoded = encoded.replace(/[^\x00-\x7f]+/g, (run) => encodeURIComponent(run));
  }
  return encoded;
}

/**
 * Returns the reason in the words of the Rust crate `url`, for text that the WHATWG rules reject. Finds it from the
 * left: scheme, host, port.
 */
function whyInvalid(text: string): string {
  const trimmed = text.trim();
  const scheme = SCHEME.exec(trimmed)?.[0].toLowerCase();
  if (scheme === undefined) return 'relative URL without a base';
  // The special schemes of the WHATWG rules. Only in their URLs, `\` separates like `/`, and hosts are domains.
  const isSpecial = ['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:'].includes(scheme);
  const authority = trimmed
    .slice(scheme.length)
    .replace(/^[/\\]+/, '')
    .replace(isSpecial ? /[/?#\\].*/s : /[/?#].*/s, '');
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.startsWith('[')) {
    return /^\[[0-9a-f:.]*\]/i.test(hostAndPort) && URL.canParse(`http://${hostAndPort.replace(/\].*/, ']')}`)
      ? 'invalid port number'
      : 'invalid IPv6 address';
  }
  const colon = hostAndPort.indexOf(':');
  const host = colon === -1 ? hostAndPort : hostAndPort.slice(0, colon);
  if (host === '') return 'empty host';
  // A valid host leaves only the port. `http:` has the rules of all special schemes.
  if (URL.canParse(isSpecial ? `http://${host}/` : `${scheme}//${host}/`)) return 'invalid port number';
  if (!isSpecial) return 'invalid domain character';
  // A host whose last part is a number must be an IPv4 address.
  if (/^(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?$/i.test(host)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}
