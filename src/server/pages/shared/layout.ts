import type { Assets } from './assets.ts';
import type { Identity } from '../../server-context.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { icon, type IconName } from './icons.ts';
import { feedPath, withQuery } from './paths.ts';

/** The signed-in user who views a page. */
export interface Viewer {
  readonly login: string;
  readonly isAdmin: boolean;
}

/** The data that every page needs besides its content. */
export interface Frame {
  readonly assets: Assets;
  readonly identity: Identity;
  /** The time of the request. */
  readonly nowMs: number;
  /** null if nobody is signed in. */
  readonly viewer: Viewer | null;
  /** Proof that a form was made for this reader; see `csrfField`. */
  readonly csrf: string;
  /** Path and query of the page, to return to after signing in. */
  readonly path: string;
  /** False if reading requires a sign-in and nobody is signed in. */
  readonly isSearchable: boolean;
}

/** The title and content of a page. */
export interface PageParts {
  /** Precedes the name of the site; null for none. */
  readonly title: string | null;
  readonly content: HtmlValue;
  /** Whether the page has its own search, and therefore none in its header. */
  readonly hasOwnSearch?: boolean;
  /** The feed about the same as the page, besides that of the registry; absent for none. */
  readonly feed?: { readonly title: string; readonly path: string };
}

/** Maximum length of a search. */
export const MAX_QUERY_CHARS = 200;

/** Returns a whole page. */
export function layout(frame: Frame, { title, content, hasOwnSearch = false, feed }: PageParts): Html {
  const { siteName } = frame.identity;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>${title === null ? siteName : `${title} · ${siteName}`}</title>
<link rel="icon" type="${frame.assets.icon.contentType}" href="${frame.assets.icon.path}">
<link rel="stylesheet" href="${frame.assets.stylesheet.path}">
${feed !== undefined && feedLink(feed)}${frame.isSearchable && REGISTRY_FEED}
<script defer src="${frame.assets.script.path}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><div class="wrap">
<a class="brand" href="/"><img src="${frame.assets.icon.path}" alt=""><span>${siteName}</span></a>
${frame.isSearchable && !hasOwnSearch && searchForm('head-search')}
<nav aria-label="Site"><ul>${navigation(frame)}</ul></nav>
</div></header>
<main id="main" class="wrap" tabindex="-1">
${content}
</main>
<footer class="site"><div class="wrap"><span>${siteName} is a registry of Rust crates, served by tsreg.</span>
${frame.isSearchable && footerLinks()}</div></footer>
</body>
</html>
`;
}

/** Returns the hidden field with the proof that every form needs. */
export function csrfField(frame: Frame): Html {
  return html`<input type="hidden" name="csrf" value="${frame.csrf}">`;
}

/** Returns text with a copy button, which the script shows. `id` is for the text's element. */
export function copyBox(id: string, text: string, label: string): Html {
  return html`<div class="copy"><code id="${id}" tabindex="0" aria-label="${label}">${text}</code><button type="button" hidden data-copy="${id}" aria-live="polite">Copy</button></div>`;
}

/** Returns links to the pages before and after `page`, counted from 1, of a long list; nothing for a single page. */
export function pager(page: number, pages: number, pathOf: (page: number) => string): HtmlValue {
  return namedPager({ page, pages }, { label: 'Pages', pathOf });
}

/** Returns the links of `pager`, if a page has several lists: `label` tells screen readers which one it is. */
export function namedPager(
  { page, pages }: { readonly page: number; readonly pages: number },
  { label, pathOf }: { readonly label: string; readonly pathOf: (page: number) => string },
): HtmlValue {
  if (pages <= 1) return null;
  return html`<nav class="pager" aria-label="${label}">
${page > 1 && html`<a class="button plain" rel="prev" href="${pathOf(Math.min(page - 1, pages))}">Previous</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a class="button plain" rel="next" href="${pathOf(page + 1)}">Next</a>`}
</nav>`;
}

/** Returns a form that leads to the search results. `id` is for its field. */
export function searchForm(id: string): Html {
  return html`<form class="find" role="search" aria-label="All crates" action="/" method="get">
<label class="silent" for="${id}">Search crates</label>
<input id="${id}" type="search" name="q" placeholder="Search crates" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none">
<button class="plain">Search</button>
</form>`;
}

/** Returns the element that replaces an empty list. `text` says why the list is empty, and what to do. */
export function emptyState(name: IconName, title: HtmlValue, text: HtmlValue): Html {
  return html`<div class="empty">${icon(name)}
<h2>${title}</h2>
<p>${text}</p></div>`;
}

function feedLink({ title, path }: NonNullable<PageParts['feed']>): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">\n`;
}

const REGISTRY_FEED = feedLink({ title: 'New versions of all crates', path: feedPath() });

function footerLinks(): Html {
  return html`<nav aria-label="More"><ul>
<li><a href="/crates">All crates</a></li>
<li><a href="/#use">Use this registry</a></li>
<li><a href="/me">Tokens</a></li>
<li><a href="${feedPath()}">Feed<span class="silent"> of new versions</span></a></li>
<li><a href="/api/openapi.json">API</a></li>
</ul></nav>`;
}

function navigation(frame: Frame): HtmlValue {
  const { viewer } = frame;
  if (viewer === null) {
    const signIn = withQuery('/sign-in', { return: frame.path === '/' ? null : frame.path });
    return [
      frame.isSearchable && CRATES_LINK,
      html`<li><a href="${signIn}" rel="nofollow">${icon('user')}Sign in</a></li>`,
    ];
  }
  return [
    CRATES_LINK,
    viewer.isAdmin && html`<li><a href="/admin">Admin</a></li>`,
    html`<li><a href="/me">${icon('user')}${viewer.login}</a></li>`,
    html`<li><form method="post" action="/sign-out">${csrfField(frame)}<button class="as-link">Sign out</button></form></li>`,
  ];
}

const CRATES_LINK = html`<li><a href="/crates">Crates</a></li>`;
