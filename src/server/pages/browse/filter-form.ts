/** The form above the results of a search that adds filters to it. */
import type { SearchView } from '../shared/crate-list.ts';
import { field } from '../shared/form-parts.ts';
import { html, type Html } from '../shared/html.ts';
import { MAX_QUERY_CHARS } from '../shared/layout.ts';
import { type FilterKind, SEARCH_FILTERS } from '../../shared/search-filters.ts';

/** Returns the form. Its fields have the names of the filters. */
export function filterForm({ query, order }: Pick<SearchView, 'query' | 'order'>): Html {
  return html`<details class="filters"><summary>Filter by license, Rust version, owner…</summary>
<form class="filter card" method="get" action="/">
<input type="hidden" name="q" value="${query}">
${order !== null && html`<input type="hidden" name="sort" value="${order}">`}
${SEARCH_FILTERS.map(filterField)}
<button class="plain">Add filters</button>
</form></details>
`;
}

/** Returns a field, whose label has the word that the search field understands too. */
function filterField({
  kind,
  label,
  example,
}: {
  readonly kind: FilterKind;
  readonly label: string;
  readonly example: string;
}): Html {
  const id = `filter-${kind}`;
  return field(
    html`${label} <code class="quiet">${kind}:</code>`,
    html`<input id="${id}" type="text" name="${kind}" placeholder="${example}" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false">`,
    { id },
  );
}
