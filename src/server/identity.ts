/** Reads and checks the options by which a registry presents itself. */
import { createReadStream } from 'node:fs';
import { TsregError, withContextAsync } from '../core/errors/error.ts';
import { loadReadmeRenderer } from './pages/readme.ts';
import { withSigns } from './pages/readme-signs.ts';
import type { Identity, Logo, LogoKind } from './server-context.ts';
import { type Colour, parseColour } from './shared/colour.ts';
import type { IdentityOptions } from './start-options.ts';

const MAX_NAME_CHARS = 60;
const MAX_REGISTRY_NAME_CHARS = 64;
const KIB = 1024;
const MAX_LOGO_BYTES = 256 * KIB;
const MAX_WELCOME_BYTES = 64 * KIB;

/** Returns the identity of a registry. Reads its files. Throws `usage` for the first invalid option. */
export async function readIdentity(options: IdentityOptions): Promise<Identity> {
  const { logoPath, welcomePath } = options;
  return {
    siteName: checkSiteName(options.siteName),
    registryName: checkRegistryName(options.registryName),
    accent: checkAccent(options.accent),
    logo: logoPath === null ? null : await readLogo(logoPath),
    welcomeHtml: welcomePath === null ? null : await readWelcome(welcomePath),
  };
}

function checkSiteName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME_CHARS && !/\p{C}/u.test(name)) return name;
  throw invalid('name', text, `1 to ${MAX_NAME_CHARS} visible characters`);
}

/** Checks a name that cargo accepts. It must also be a bare key of TOML and a part of environment variables. */
function checkRegistryName(name: string): string {
  const isValid = /^[a-z_][\w-]*$/i.test(name) && name.length <= MAX_REGISTRY_NAME_CHARS;
  // cargo compares its own name for crates.io exactly, but environment variables have no case.
  if (isValid && name.toLowerCase() !== 'crates-io') return name;
  throw invalid(
    'registry-name',
    name,
    'a name for `[registries.NAME]` of ASCII letters, digits, `-` and `_` that starts with a letter or `_` and is not `crates-io`',
  );
}

function checkAccent(text: string): Colour {
  const colour = parseColour(text);
  if (colour !== null) return colour;
  throw invalid('accent', text, 'a colour such as `#3451b2`');
}

async function readLogo(path: string): Promise<Logo> {
  const bytes = await readSmallFile(path, { flag: 'logo', maxBytes: MAX_LOGO_BYTES });
  const kind = logoKindOf(bytes);
  if (kind !== null) return { bytes, kind };
  throw invalid('logo', path, 'a file with an SVG, PNG, WebP or JPEG image');
}

/** Returns the format that the first bytes of an image tell; null if it is none of the supported ones. */
function logoKindOf(bytes: Buffer): LogoKind | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^RIFF....WEBP$/s.test(start)) return 'webp';
  return startsWithSvg(bytes.toString('utf8', 0, 4 * KIB)) ? 'svg' : null;
}

/** Matches a byte order mark, an XML declaration, comments and a document type without internal parts. */
const BEFORE_SVG = /^\uFEFF?(?:\s+|<\?[^>]*>|<!--[^]*?-->|<![a-z][^>[]*>)*/i;

/** Returns true if the first element is `svg`. */
function startsWithSvg(text: string): boolean {
  return /^<svg[\s>]/.test(text.replace(BEFORE_SVG, ''));
}

async function readWelcome(path: string): Promise<string> {
  const bytes = await readSmallFile(path, { flag: 'welcome', maxBytes: MAX_WELCOME_BYTES });
  const renderer = await loadReadmeRenderer();
  const rendered = renderer.render(bytes.toString('utf8'), { repository: null, readmePath: null });
  return withSigns(rendered).text;
}

async function readSmallFile(
  path: string,
  { flag, maxBytes }: { readonly flag: string; readonly maxBytes: number },
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  // `end` is inclusive: one more byte than allowed shows that the file is too large.
  await withContextAsync(`failed to read \`${path}\``, async () => {
    for await (const chunk of createReadStream(path, { end: maxBytes })) chunks.push(chunk);
  });
  const bytes = Buffer.concat(chunks);
  if (bytes.length <= maxBytes) return bytes;
  throw invalid(flag, path, `a file of at most ${maxBytes / KIB} KiB`);
}

function invalid(flag: string, value: string, expected: string): TsregError {
  return new TsregError(`invalid value \`${value}\` for \`--${flag}\`: expected ${expected}`, {
    code: 'usage',
  });
}
