/** The section of `/admin/mirror` with the reserved names. */
import type { ReservedName } from '../../store/reserved-name-records.ts';
import { timeElement } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { csrfField, namedPager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { withQuery } from '../shared/paths.ts';
import type { RefusedForm } from './mirror-forms.ts';
import { MIRROR_PATH, nameField, reasonField } from './mirror-rule-section.ts';

/** The reserved names, and the form for a new one. */
export interface ReservedSectionView {
  readonly names: ListPart<ReservedName>;
  /** null unless the form was just refused. */
  readonly refused: RefusedForm | null;
}

const ID = 'reserved';

/** Returns the section with the reserved names. */
export function reservedNameSection(frame: Frame, { names, refused }: ReservedSectionView): Html {
  const { list, page, pages } = names;
  return html`<section aria-labelledby="${ID}"><h2 id="${ID}">Reserved names</h2>
<p>Crates with these names never come from the upstream. Reserve the prefix of your crates. Then nobody can get into your builds with a crate of such a name in the upstream.${list.total > 0 && html` <a href="#new-reserved">Reserve a name</a>`}</p>
${list.total === 0 ? html`<p class="quiet">No name is reserved.</p>` : nameTable(frame, names)}
${namedPager({ page, pages }, { label: 'Pages of reserved names', pathOf: (other) => `${withQuery(MIRROR_PATH, { [ID]: other === 1 ? null : other })}#${ID}` })}
<h3 id="new-reserved">Reserve a name</h3>
<form class="stack" method="post" action="${MIRROR_PATH}/reserve" aria-labelledby="new-reserved">
${csrfField(frame)}
${nameField(ID, refused, { label: 'Name', hint: html`A name, or the beginning of names and <code>*</code>, such as <code>acme-*</code>. <code>-</code> and <code>_</code> are equal. Clients no longer find a crate of the upstream with such a name.` })}
${reasonField(ID, refused)}
<div><button>Reserve</button></div>
</form></section>`;
}

function nameTable(frame: Frame, { list, page }: ListPart<ReservedName>): Html {
  const releasePath = withQuery(`${MIRROR_PATH}/release`, { [ID]: page === 1 ? null : page });
  return html`<table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Reason</th><th scope="col">Reserved</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${list.items.map(
    ({
      pattern,
      reason,
      addedAtMs,
    }) => html`<tr><td class="name"><code>${pattern}</code></td><td class="name" data-label="Reason">${reason}</td><td data-label="Reserved">${timeElement(addedAtMs, frame)}</td>
<td class="acts"><form class="inline" method="post" action="${releasePath}">${csrfField(frame)}<input type="hidden" name="name" value="${pattern}"><button class="plain slim">Release<span class="silent"> ${pattern}</span></button></form></td></tr>
`,
  )}</tbody></table>`;
}
