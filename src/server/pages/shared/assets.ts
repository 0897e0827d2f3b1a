/** The stylesheet, the script and the icon, at paths that change with their content. */
import { createHash } from 'node:crypto';
import type { Identity, LogoKind } from '../../server-context.ts';
import { contrastOf, formatColour } from '../../shared/colour.ts';
import { BROWSER_SCRIPT } from '../assets/browser-script.ts';
import { html } from './html.ts';
import { SOURCE_SCRIPT } from '../assets/source-script.ts';
import { makeStylesheet } from '../assets/stylesheet.ts';

/** A file that every page loads. */
export interface Asset {
  /** Path on the site with a hash of the content, so that browsers may cache it permanently. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** The assets of the pages. */
export interface Assets {
  readonly stylesheet: Asset;
  readonly script: Asset;
  /** The logo of the registry, or a monogram. It is in the header and in the tabs of browsers. */
  readonly icon: Asset;
}

const LOGO_TYPES: Readonly<Record<LogoKind, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
};

/** Returns the assets with their paths. */
export function makeAssets(identity: Identity): Assets {
  const { accent, logo } = identity;
  return {
    stylesheet: assetOf(makeStylesheet(accent), { extension: 'css', contentType: 'text/css; charset=utf-8' }),
    script: assetOf(BROWSER_SCRIPT + SOURCE_SCRIPT, {
      extension: 'js',
      contentType: 'text/javascript; charset=utf-8',
    }),
    icon: assetOf(logo?.bytes ?? monogram(identity), {
      extension: logo?.kind ?? 'svg',
      contentType: LOGO_TYPES[logo?.kind ?? 'svg'],
    }),
  };
}

/** Returns an SVG image with the first letter or digit of the site's name on the accent, in black or white. */
function monogram({ siteName, accent }: Identity): string {
  const letter = /[\p{L}\p{N}]/u.exec(siteName)?.[0] ?? '#';
  const isWhiteReadable = contrastOf(accent, [255, 255, 255]) >= contrastOf(accent, [0, 0, 0]);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="${formatColour(accent)}"/>
<text x="16" y="23" text-anchor="middle" font-family="system-ui, 'Segoe UI', Roboto, sans-serif" font-size="20" font-weight="700" fill="${isWhiteReadable ? '#fff' : '#000'}">${letter.toUpperCase()}</text>
</svg>
`.text;
}

function assetOf(
  body: Asset['body'],
  { extension, contentType }: { readonly extension: string; readonly contentType: string },
): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { path: `/assets/site.${hash}.${extension}`, contentType, body };
}
