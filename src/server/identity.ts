/** Reads and checks the options by which a registry presents itself. */
import { createReadStream } from 'node:fs';
import { TsregError, withContextAsync } from '../core/errors/error.ts';
import { loadReadmeRenderer } from './pages/readme/readme.ts';
import { withSigns } from './pages/readme/readme-signs.ts';
import {
  logoOf,
  MAX_LOGO_BYTES,
  MAX_SITE_NAME_CHARS,
  MAX_WELCOME_BYTES,
  parseRegistryName,
  parseSiteName,
} from './pages/services/identity-values.ts';
import type { Identity, Logo } from './server-context.ts';
import { type Colour, parseColour } from './shared/colour.ts';
import type { IdentityOptions } from './start-options.ts';

const KIB = 1024;

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
  return parseSiteName(text) ?? fail('name', text, `1 to ${MAX_SITE_NAME_CHARS} visible characters`);
}

function checkRegistryName(name: string): string {
  return (
    parseRegistryName(name) ??
    fail(
      'registry-name',
      name,
      'a name for `[registries.NAME]` of ASCII letters, digits, `-` and `_` that starts with a letter or `_` and is not `crates-io`',
    )
  );
}

function checkAccent(text: string): Colour {
  return parseColour(text) ?? fail('accent', text, 'a colour such as `#3451b2`');
}

async function readLogo(path: string): Promise<Logo> {
  const bytes = await readSmallFile(path, { flag: 'logo', maxBytes: MAX_LOGO_BYTES });
  return logoOf(bytes) ?? fail('logo', path, 'a file with an SVG, PNG, WebP or JPEG image');
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
  return fail(flag, path, `a file of at most ${maxBytes / KIB} KiB`);
}

function fail(flag: string, value: string, expected: string): never {
  throw new TsregError(`invalid value \`${value}\` for \`--${flag}\`: expected ${expected}`, {
    code: 'usage',
  });
}
