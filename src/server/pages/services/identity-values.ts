/** Checks the parts of an identity, from flags and from admins. */
import type { Logo, LogoKind } from '../../server-context.ts';

/** Maximum length of the name of the site. */
export const MAX_SITE_NAME_CHARS = 60;
/** Maximum length of the registry's name in examples. */
export const MAX_REGISTRY_NAME_CHARS = 64;
/** Maximum bytes of a logo. */
export const MAX_LOGO_BYTES = 256 * 1024;
/** Maximum bytes of the Markdown on the start page. */
export const MAX_WELCOME_BYTES = 64 * 1024;

/** Returns the name of a site without space around it; null if it is empty, too long or has invisible characters. */
export function parseSiteName(text: string): string | null {
  const name = text.trim();
  return name !== '' && name.length <= MAX_SITE_NAME_CHARS && !/\p{C}/u.test(name) ? name : null;
}

/**
 * Returns a name that cargo accepts for a registry; null for others. The name is also a bare key of TOML, and a part of
 * environment variables. Cargo Book: Configuration, `[registries]`.
 */
export function parseRegistryName(name: string): string | null {
  const isValid = /^[a-z_][\w-]*$/i.test(name) && name.length <= MAX_REGISTRY_NAME_CHARS;
  // cargo compares its own name for crates.io exactly, but environment variables have no case.
  return isValid && name.toLowerCase() !== 'crates-io' ? name : null;
}

/** Returns Markdown with the line ends of Unix; null if it is too long. */
export function parseWelcome(text: string): string | null {
  const markdown = text.replaceAll('\r\n', '\n').trim();
  return Buffer.byteLength(markdown) <= MAX_WELCOME_BYTES ? markdown : null;
}

/** Returns the logo in a file; null if it is too large or has another format than the supported ones. */
export function logoOf(file: Uint8Array): Logo | null {
  if (file.length > MAX_LOGO_BYTES) return null;
  const bytes = Buffer.from(file);
  const kind = logoKindOf(bytes);
  return kind === null ? null : { bytes, kind };
}

/** Returns the format of an image by its first bytes; null if it is none of the supported ones. */
function logoKindOf(bytes: Buffer): LogoKind | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^RIFF....WEBP$/s.test(start)) return 'webp';
  return startsWithSvg(bytes.toString('utf8', 0, 4 * 1024)) ? 'svg' : null;
}

/** Matches a byte order mark, an XML declaration, comments and a document type without internal parts. */
const BEFORE_SVG = /^\uFEFF?(?:\s+|<\?[^>]*>|<!--[^]*?-->|<![a-z][^>[]*>)*/i;

/** Returns true if the first element is `svg`. */
function startsWithSvg(text: string): boolean {
  return /^<svg[\s>]/.test(text.replace(BEFORE_SVG, ''));
}
