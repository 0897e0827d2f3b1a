/** The lists of all keywords and all categories. */
import type { TagCount } from '../../store/browse-records.ts';
import { countOf, formatCount } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { emptyState, layout, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { categoryPath, keywordPath, withQuery } from '../shared/paths.ts';

/** Returns all categories that have crates. */
export function categoriesPage(frame: Frame, categories: readonly TagCount[]): Html {
  return layout(frame, {
    title: 'Categories',
    content: html`<h1>Categories</h1>
${
  categories.length === 0
    ? emptyState(
        'library',
        'No categories yet',
        html`Crates with <code>categories</code> in Cargo.toml appear here. <a href="/crates">See all crates</a>.`,
      )
    : tagList(categories, { pathOf: categoryPath })
}`,
  });
}

/** A part of the keywords that crates have. */
export interface KeywordListView extends ListPart<TagCount> {
  /** Whether the most used ones come first, instead of the order by name. */
  readonly isByUse: boolean;
}

/** Returns a part of all keywords that crates have. */
export function keywordsPage(frame: Frame, view: KeywordListView): Html {
  const { list, page, pages, isByUse } = view;
  const sort = isByUse ? null : 'name';
  return layout(frame, {
    title: 'Keywords',
    content: html`<h1>Keywords</h1>
${
  list.total === 0
    ? emptyState(
        'crate',
        'No keywords yet',
        html`Crates with <code>keywords</code> in Cargo.toml appear here. <a href="/crates">See all crates</a>.`,
      )
    : html`<p class="quiet">${countOf(list.total, 'keyword', 'keywords')}, also <a href="/categories">categories</a></p>
<nav class="sorts" aria-label="Order"><ul>
<li><a href="/keywords"${isByUse && CURRENT}>Most crates</a></li>
<li><a href="/keywords?sort=name"${!isByUse && CURRENT}>A to Z</a></li>
</ul></nav>
${tagList(list.items, { pathOf: keywordPath })}
${pager(page, pages, (other) => withQuery('/keywords', { sort, page: other }))}`
}`,
  });
}

const CURRENT = html` aria-current="true"`;

function tagList(tags: readonly TagCount[], { pathOf }: { readonly pathOf: (name: string) => string }): Html {
  return html`<ul class="categories">${tags.map(({ name, crates }) => html`<li><a href="${pathOf(name)}">${name}</a> <span class="quiet">${formatCount(crates)}<span class="silent"> ${crates === 1 ? 'crate' : 'crates'}</span></span></li>`)}</ul>`;
}
