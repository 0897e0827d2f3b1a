/** Lists of the crates that are cached from the upstream. */
import type { ListedMirroredCrate, MirrorList } from '../../store/mirrored-crates.ts';
import { timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { emptyState, layout, type Frame } from '../shared/layout.ts';
import { cratePath, withQuery } from '../shared/paths.ts';
import type { UpstreamName } from '../shared/upstream-name.ts';

/** Cached crates whose names contain a text. */
export interface MirroredFinds {
  readonly upstream: UpstreamName;
  /** The part of the names; empty for all crates. */
  readonly query: string;
  readonly list: MirrorList<ListedMirroredCrate>;
  /** By the names of the crates, as far as they are known. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** Returns the section with cached crates after a list of crates that are published here; nothing for null. */
export function mirroredSection(frame: Frame, finds: MirroredFinds | null): HtmlValue {
  if (finds === null) return null;
  const { upstream, query, list } = finds;
  return html`<section class="mirrored" aria-labelledby="mirrored"><h2 id="mirrored">Cached from ${upstream.name}</h2>
${crateItems(frame, finds)}
${list.next !== null && html`<p class="after"><a href="${listPath(query, null)}">See all<span class="silent"> crates that are cached from ${upstream.name}</span></a></p>`}</section>`;
}

/** Returns a page with cached crates alone. `isFirst` is false for a page that follows another one. */
export function mirroredListPage(
  frame: Frame,
  finds: MirroredFinds,
  { isFirst }: { readonly isFirst: boolean },
): Html {
  const { upstream, query, list } = finds;
  const { items, next } = list;
  const isEmpty = items.length === 0 && next === null;
  return layout(frame, {
    title: `Crates from ${upstream.name}`,
    content: html`<div class="list-head"><div><h1>Crates from ${upstream.name}</h1>
<p class="quiet">${frame.identity.siteName} caches these crates because someone has used them. They are not published here.${query !== '' && html` Names that contain <code>${query}</code>.`} <a href="/crates">See the crates of this registry</a></p></div></div>
${isEmpty ? emptyState('library', 'No crates', html`Crates appear here when cargo requests them from this registry.`) : html`<h2 class="silent">List of crates</h2>${crateItems(frame, finds)}`}
${
  (!isFirst || next !== null) &&
  html`<nav class="pager" aria-label="Pages">
${!isFirst && html`<a class="button plain" href="${listPath(query, null)}">First page</a>`}
${next !== null && html`<a class="button plain" rel="next" href="${listPath(query, next)}">Next</a>`}
</nav>`
}`,
  });
}

function crateItems(frame: Frame, { upstream, list, descriptions }: MirroredFinds): Html {
  return html`<ul class="crates">${list.items.map(({ name, crate, checkedAtMs }) => {
    const description = descriptions.get(name) ?? null;
    return html`<li>
<h3><a href="${cratePath(name)}">${name}</a> <span class="quiet">${crate?.shown.version}</span> <span class="badge mark">from ${upstream.name}</span></h3>
${description !== null && html`<p class="clamp">${description}</p>`}
<p class="quiet small figures"><span>${icon('clock')} compared with ${upstream.name} ${timeElement(checkedAtMs, frame)}</span></p>
</li>
`;
  })}</ul>`;
}

/** Returns the path of the page that begins after the name `after`; of the first page for null. */
function listPath(query: string, after: string | null): string {
  return withQuery('/crates', { from: 'upstream', q: query, after });
}
