/** The start page: search, recent crates, and how to use the registry. */
import type { Crate, Page } from '../store/values.ts';
import { countOf, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { copyBox, layout, MAX_QUERY_CHARS, pager, SITE_NAME, type Frame } from './layout.ts';
import { cratePath, withQuery } from './paths.ts';
import type { RegistryCounts } from '../store/crate-records.ts';

/** The results of a search. */
export interface SearchView {
  readonly query: string;
  readonly crates: Page<Crate>;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** The data of the start page. */
export interface HomeView {
  /** null without a search. */
  readonly search: SearchView | null;
  /** Shown without a search. */
  readonly recent: readonly Crate[];
  readonly counts: RegistryCounts;
  /** The registry's name in the examples. */
  readonly registryName: string;
  /** URL of the index, as written in a configuration file. */
  readonly indexUrl: string;
  /** Whether every request needs a token. */
  readonly isPrivate: boolean;
}

/** Returns the start page. */
export function homePage(frame: Frame, view: HomeView): Html {
  const query = view.search?.query ?? '';
  return layout(frame, {
    title: query === '' ? null : query,
    hasOwnSearch: true,
    content: html`<div class="hero">
<h1>${SITE_NAME}</h1>
<p class="quiet">${countOf(view.counts.crates, 'crate', 'crates')}, ${countOf(view.counts.versions, 'version', 'versions')}, ${countOf(view.counts.downloads, 'download', 'downloads')}</p>
<form class="find" role="search" action="/" method="get" data-live="results" data-title="${SITE_NAME}">
<label class="silent" for="search">Search crates</label>
<input id="search" type="search" name="q" value="${query}" placeholder="Search crates" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none" aria-controls="results">
<button>Search</button>
</form>
<p id="search-status" class="silent" role="status" aria-live="polite"></p>
</div>
<section id="results" aria-label="Crates">${homeResults(view)}</section>
${howToUse(view)}`,
  });
}

/** Returns the part that a search changes. */
export function homeResults({ search, recent, counts }: HomeView): Html {
  if (search === null) {
    return counts.crates === 0
      ? html`<h2>No crates yet</h2><p>Crates appear here when someone publishes them.</p>`
      : html`<h2>Recently updated</h2>${crateList(recent)}`;
  }
  const { query, crates, page, pages } = search;
  if (crates.total === 0) {
    return html`<h2 data-summary>No crates found for “${query}”</h2>
<p>The search finds crates whose name, keywords or description contain every word.</p>`;
  }
  return html`<h2 data-summary>${countOf(crates.total, 'crate', 'crates')} for “${query}”</h2>
${crateList(crates.items)}
${pager(page, pages, (other) => withQuery('/', { q: query, page: other }))}`;
}

/** Returns a list of crates. */
export function crateList(crates: readonly Crate[]): Html {
  return html`<ul class="crates">${crates.map(crateItem)}</ul>`;
}

function crateItem(crate: Crate): Html {
  return html`<li>
<h3><a href="${cratePath(crate.name)}">${crate.name}</a> <span class="quiet">${crate.maxVersion}</span></h3>
${crate.description !== null && html`<p class="clamp">${crate.description}</p>`}
<p class="quiet small">${countOf(crate.downloads, 'download', 'downloads')} · updated ${timeElement(crate.updatedAtMs)}</p>
</li>
`;
}

function howToUse({ registryName, indexUrl, isPrivate }: HomeView): HtmlValue {
  const provider = isPrivate ? '\ncredential-provider = ["cargo:token"]' : '';
  const config = `[registries.${registryName}]\nindex = "${indexUrl}"${provider}`;
  return html`<section aria-labelledby="use">
<h2 id="use">Use this registry</h2>
<p>Add it to <code>.cargo/config.toml</code>:</p>
${copyBox('config', config, 'Lines for .cargo/config.toml')}
</section>`;
}
