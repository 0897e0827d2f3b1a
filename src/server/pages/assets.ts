/** The stylesheet, the script and the icon, at paths that change with their content. */
import { createHash } from 'node:crypto';
import { BROWSER_SCRIPT } from './browser-script.ts';
import { STYLESHEET } from './stylesheet.ts';

/** A file that every page loads. */
export interface Asset {
  /** Path on the site with a hash of the content, so that browsers may cache it permanently. */
  readonly path: string;
  readonly contentType: string;
  readonly text: string;
}

/** The assets of the pages. */
export interface Assets {
  readonly stylesheet: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#c8692f" d="M16 2 29 9v14l-13 7L3 23V9z"/>
<path fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" d="m4 9.500 12 6.500 12-6.500M16 16v13"/>
</svg>
`;

/** Returns the assets with their paths. */
export function makeAssets(): Assets {
  return {
    stylesheet: assetOf(STYLESHEET, { extension: 'css', contentType: 'text/css; charset=utf-8' }),
    script: assetOf(BROWSER_SCRIPT, { extension: 'js', contentType: 'text/javascript; charset=utf-8' }),
    icon: assetOf(ICON, { extension: 'svg', contentType: 'image/svg+xml' }),
  };
}

function assetOf(
  text: string,
  { extension, contentType }: { readonly extension: string; readonly contentType: string },
): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/assets/site.${hash}.${extension}`, contentType, text };
}
