/** URLs as cargo reads and writes them: the WHATWG rules, with cargo's messages. */
import { TsregError } from '../errors/error.ts';
import { rootOfPath } from '../files/path.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Bytes that Rust escapes in a path segment of a file URL, besides controls and all that is not ASCII. */
const ESCAPED_IN_SEGMENT = /[\x00-\x20"#%<>?\\`{}\x7f]/g;

/**
 * Normalises a URL: an absolute one, or one that is read from where the URL `base` is. Throws with cargo's words, where a scp-like address comes with the hint
 * to write `ssh://`.
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
  // Rust drops empty segments at the beginning of a file's path, which the WHATWG rules keep by now.
  if (href.startsWith('file:')) href = href.replace(/^(file:\/\/[^/]*\/)\/+/, '$1');
  // Younger releases of Node escape `^` in paths; Rust leaves it as it is.
  return text.includes('^') && !text.includes('%5E') ? href.replaceAll('%5E', '^') : href;
}

/**
 * The `file://` URL of an absolute path. Empty and `.` components vanish, `..` stays. A path of Windows has its drive or
 * its server in front, without the mark `\\?\`.
 */
export function pathToUrl(path: string): string {
  const root = rootOfPath(path);
  let url = 'file://';
  for (const segment of withSlashes(path).split('/')) {
    if (segment !== '' && segment !== '.') url += `/${encodeSegment(segment)}`;
  }
  if (url === 'file://') return 'file:///';
  if (/^file:\/\/\/[A-Za-z]:$/.test(url) && root !== '/') return `${url}/`;
  return isShare(path) ? url.replace('file:///', 'file://') : url;
}

/**
 * The path of a `file://` URL without a host, one of Windows where it begins with a drive; null for any other URL.
 */
export function urlToPath(url: string): string | null {
  if (!url.startsWith('file:///')) return null;
  const path = splitUrl(url).path;
  // Only on Windows does a drive begin a path.
  const isOnDrive = path.charCodeAt(2) === 58 && rootOfPath(path.slice(1)) !== null;
  const native = isOnDrive ? path.slice(1).replaceAll('/', '\\') : path;
  if (!native.includes('%')) return native;
  try {
    return decodeURIComponent(native);
  } catch {
    return null; // not UTF-8
  }
}

/**
 * The form of a URL by which sources are compared: one trailing slash less. Git URLs also lose their `.git`, and are lower
 * case over https on github.com, as these spellings lead to one repository. Those of sparse indexes are as many servers'
 * paths as spellings (CVE-2026-5222). `url` is normalised already, with its `sparse+` if it has one.
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
    // Another scheme can have another port and other characters.
    if (!canonical.startsWith('https:'))
      canonical = parseUrl(`https${canonical.slice(canonical.indexOf(':'))}`);
    canonical = replacePath(canonical, splitUrl(canonical).path.toLowerCase());
  }
  const trimmed = splitUrl(canonical).path;
  if (!trimmed.endsWith('.git')) return canonical;
  const slash = trimmed.lastIndexOf('/');
  const last = trimmed.slice(slash + 1, -'.git'.length);
  const parent = slash <= 1 ? '' : trimmed.slice(0, slash);
  // Rust puts the shortened segment back as if it were unescaped text.
  return replacePath(canonical, `${parent}/${last.replaceAll('%', '%25')}`);
}

/**
 * Fails if the user or the host of a URL begins with `-`: ssh, which git hands them to, would take it for an option. Git
 * decodes them first.
 */
export function checkAuthority(url: string): void {
  const { base } = splitUrl(url);
  const authority = base.slice(base.indexOf('//') + 2).replace(/%2d/gi, '-');
  if (!/^-|@-/.test(authority)) return;
  throw new TsregError(`invalid url \`${url}\`: user and host cannot start with \`-\``, { code: 'manifest' });
}

/** The last segment of the path of a URL; empty after a trailing slash. */
export function lastPathSegment(url: string): string {
  const { path } = splitUrl(url);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The host of a URL without user and port; empty if it has none. */
export function urlHost(url: string): string {
  const authority = /:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(url);
  return authority?.[1] ?? '';
}

/** Splits at the path: what stands before it, the path, and query with fragment. */
export function splitUrl(url: string): { base: string; path: string; rest: string } {
  const schemeEnd = url.indexOf(':') + 1;
  let start = schemeEnd;
  if (url.startsWith('//', schemeEnd)) {
    start = schemeEnd + 2;
    while (start < url.length && !isEndOfAuthority(url.charCodeAt(start))) start++;
  }
  let end = start;
  while (end < url.length && url.charAt(end) !== '?' && url.charAt(end) !== '#') end++;
  return { base: url.slice(0, start), path: url.slice(start, end), rest: url.slice(end) };
}

/** True for `/`, `?` and `#`. */
function isEndOfAuthority(unit: number): boolean {
  return unit === 47 || unit === 63 || unit === 35;
}

/** A path of Windows with slashes and without its mark; any other as it is. */
function withSlashes(path: string): string {
  const root = rootOfPath(path);
  if (root === null || root === '/') return path;
  return path.replace(/^\\\\\?\\(?:UNC(?=\\))?/, '').replaceAll('\\', '/');
}

function isShare(path: string): boolean {
  return /^\\\\(?:\?\\UNC\\|[^?.])/.test(path);
}

function replacePath(url: string, path: string): string {
  const { base, rest } = splitUrl(url);
  return base + path + rest;
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

function whyInvalid(text: string): string {
  const trimmed = text.trim();
  const scheme = SCHEME.exec(trimmed)?.[0].toLowerCase();
  if (scheme === undefined) return 'relative URL without a base';
  const isSpecial = ['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:'].includes(scheme);
  const authority =
    trimmed
      .slice(scheme.length)
      .replace(/^[/\\]+/, '')
      .split(isSpecial ? /[/?#\\]/ : /[/?#]/)[0] ?? '';
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.startsWith('[')) {
    return /^\[[0-9a-f:.]*\]/i.test(hostAndPort) && URL.canParse(`http://${hostAndPort.replace(/\].*/, ']')}`)
      ? 'invalid port number'
      : 'invalid IPv6 address';
  }
  const colon = hostAndPort.indexOf(':');
  const host = colon === -1 ? hostAndPort : hostAndPort.slice(0, colon);
  if (host === '') return 'empty host';
  if (URL.canParse(isSpecial ? `http://${host}/` : `${scheme}//${host}/`)) return 'invalid port number';
  if (!isSpecial) return 'invalid domain character';
  if (/^(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?$/i.test(host)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}
