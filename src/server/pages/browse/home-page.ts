/** The start page: search, the welcome text, crates by several orders, and how to use the registry. */
import type { Crate } from '../../store/values.ts';
import type { CrateOrder, RegistryCounts } from '../../store/crate-records.ts';
import { crateList, type SearchView } from '../shared/crate-list.ts';
import { codes, countOf, formatCount, timeElement } from '../shared/format.ts';
import { html, trustedHtml, type Html, type HtmlValue } from '../shared/html.ts';
import { filterForm } from './filter-form.ts';
import { howToUse, type UsageView } from './how-to-use.ts';
import { icon, type IconName } from '../shared/icons.ts';
import { emptyState, layout, MAX_QUERY_CHARS, pager, type Frame } from '../shared/layout.ts';
import { mirroredSection, type MirroredFinds } from '../mirrored/mirrored-list.ts';
import { cratePath, withQuery } from '../shared/paths.ts';
import { invalidRustFilters, MAX_FILTERS } from './search-text.ts';
import { sortLinks } from '../shared/sort-links.ts';

/** The first crates in each order of the start page. `updated` must contain all crates if there are few. */
export interface TopCrates {
  readonly created: readonly Crate[];
  readonly updated: readonly Crate[];
  readonly downloads: readonly Crate[];
}

/** The data of the start page. */
export interface HomeView extends UsageView {
  readonly counts: RegistryCounts;
  /** The results of a search, or the first crates if there is none. */
  readonly content: { readonly search: SearchView } | { readonly tops: TopCrates };
  /** The cached crates of the upstream that a search finds; null for none. */
  readonly mirrored: MirroredFinds | null;
}

/** Up to this many crates, one list shows them all. */
const FEW_CRATES = 6;

/** Returns the start page. */
export function homePage(frame: Frame, view: HomeView): Html {
  const { query, order } = 'search' in view.content ? view.content.search : { query: '', order: null };
  const { siteName } = frame.identity;
  return layout(frame, {
    title: query === '' ? null : query,
    hasOwnSearch: true,
    content: html`<div class="hero">
<h1>${siteName}</h1>
<form class="find" role="search" action="/" method="get" data-live="results" data-title="${siteName}">
<label class="silent" for="search">Search crates</label>
<input id="search" type="search" name="q" value="${query}" placeholder="Search crates" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none" aria-controls="results">
${order !== null && html`<input type="hidden" name="sort" value="${order}">`}
<button>Search</button>
</form>
<p id="search-status" class="silent" role="status" aria-live="polite"></p>
${totals(view.counts)}
</div>
<section id="results" aria-label="Crates">${homeResults(frame, view)}</section>
<div class="below">${howToUse(frame, view)}</div>`,
  });
}

function totals({ crates, versions, downloads }: RegistryCounts): Html {
  const total = (name: IconName, count: number, words: readonly [one: string, more: string]): Html =>
    html`<li>${icon(name)} <strong>${formatCount(count)}</strong> <span class="quiet">${words[count === 1 ? 0 : 1]}</span></li>`;
  return html`<ul class="figures" aria-label="Totals">
${total('crate', crates, ['crate', 'crates'])}
${total('versions', versions, ['version', 'versions'])}
${total('download', downloads, ['download', 'downloads'])}
</ul>`;
}

/** Returns the part that a search changes. */
export function homeResults(frame: Frame, { content, mirrored, counts }: HomeView): Html {
  if ('tops' in content) return html`${welcome(frame)}${topCrates(frame, content.tops, counts.crates)}`;
  const { search } = content;
  return html`${filterForm(search)}${ignoredNote(search)}${invalidNote(search)}${searchResults(frame, search, mirrored)}`;
}

/** Returns the text of the operator; nothing if there is none. A search replaces it, as it does the lists. */
function welcome({ identity: { welcomeHtml } }: Frame): HtmlValue {
  return (
    welcomeHtml !== null &&
    html`<section class="card readme welcome" aria-label="Welcome">${trustedHtml(welcomeHtml)}</section>
`
  );
}

function ignoredNote({ ignored }: SearchView): HtmlValue {
  return (
    ignored.length > 0 &&
    html`<div class="note mark"><p>A search uses at most ${MAX_FILTERS} filters. Without effect: ${codes(ignored)}.</p></div>
`
  );
}

function invalidNote({ query }: SearchView): HtmlValue {
  const invalid = invalidRustFilters(query);
  return (
    invalid.length > 0 &&
    html`<div class="note mark"><p>Not a Rust version: ${codes(invalid)}. Write a version such as <code>rust:1.70</code>.</p></div>
`
  );
}

function searchResults(frame: Frame, search: SearchView, mirrored: MirroredFinds | null): Html {
  const { query, list: crates, order, isRanked, page, pages } = search;
  if (crates.total === 0 && mirrored !== null) {
    return html`<h2 data-summary>No crates published here for “${query}”</h2>
${mirroredSection(frame, mirrored)}`;
  }
  if (crates.total === 0) {
    return html`<div class="empty">${icon('not-found')}<h2 data-summary>No crates found for “${query}”</h2>
<p>The search finds crates whose name, keywords or description contain every word. Words such as <code>license:MIT</code>, <code>rust:1.70</code>, <code>feature:serde</code>, <code>keyword:json</code> and <code>owner:LOGIN</code> are filters. Try fewer words, or <a href="/crates">see all crates</a>.</p></div>`;
  }
  return html`<h2 data-summary>${countOf(crates.total, 'crate', 'crates')} for “${query}”</h2>
${sortLinks({ current: isRanked ? order : (order ?? 'downloads'), pathOf: (other) => withQuery('/', { q: query, sort: other }) }, { isRanked })}
${crateList(frame, crates.items)}
${pager(page, pages, (other) => withQuery('/', { q: query, sort: order, page: other }))}
${mirroredSection(frame, mirrored)}`;
}

function topCrates(frame: Frame, { created, updated, downloads }: TopCrates, total: number): Html {
  if (total === 0) {
    return emptyState(
      'crate',
      'No crates yet',
      html`Crates appear here when someone publishes them. <a href="#use">See how to publish the first one</a>.`,
    );
  }
  if (total <= FEW_CRATES) return html`<h2>Crates</h2>${crateList(frame, updated)}`;
  return html`<div class="tops">
${topList({ title: 'New crates', iconName: 'new', order: 'created', crates: created, fact: (crate) => timeElement(crate.createdAtMs, frame) })}
${topList({ title: 'Recently updated', iconName: 'clock', order: 'updated', crates: updated, fact: (crate) => timeElement(crate.updatedAtMs, frame) })}
${topList({ title: 'Most downloaded', iconName: 'popular', order: 'downloads', crates: downloads, fact: (crate) => countOf(crate.downloads, 'download', 'downloads') })}
</div>`;
}

/** One of the lists of top crates. */
interface TopList {
  readonly title: string;
  readonly iconName: IconName;
  readonly order: CrateOrder;
  readonly crates: readonly Crate[];
  /** Returns the fact by which the list is sorted. */
  readonly fact: (crate: Crate) => HtmlValue;
}

function topList({ title, iconName, order, crates, fact }: TopList): Html {
  return html`<section class="card top" aria-labelledby="top-${order}"><h2 id="top-${order}">${icon(iconName)}${title}</h2>
<ol>${crates.map((crate) => html`<li><a href="${cratePath(crate.name)}">${crate.name}</a> <span class="quiet">${fact(crate)}</span></li>`)}</ol>
<p class="all"><a href="${withQuery('/crates', { sort: order })}">See all<span class="silent">: ${title}</span></a></p></section>`;
}
