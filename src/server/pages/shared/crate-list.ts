/** A list of crates, such as the results of a search. */
import type { CrateOrder } from '../../store/crate-records.ts';
import type { Crate } from '../../store/values.ts';
import { countOf, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { icon } from './icons.ts';
import type { Frame } from './layout.ts';
import type { ListPart } from './paging.ts';
import { cratePath } from './paths.ts';

/** The results of a search. */
export interface SearchView extends ListPart<Crate> {
  readonly query: string;
  /** null for the default: the best match first, or the most downloaded crate if the results are not ranked. */
  readonly order: CrateOrder | null;
  /** Whether the best matches come first by default: true for a search without filters. */
  readonly isRanked: boolean;
  /** Filters without effect, because there are too many. */
  readonly ignored: readonly string[];
}

/** Returns a list of crates. */
export function crateList(frame: Frame, crates: readonly Crate[]): Html {
  return html`<ul class="crates">${crates.map((crate) => crateItem(frame, crate))}</ul>`;
}

function crateItem(frame: Frame, crate: Crate): HtmlValue {
  return html`<li>
<h3><a href="${cratePath(crate.name)}">${crate.name}</a> <span class="quiet">${crate.maxVersion}</span></h3>
${crate.description !== null && html`<p class="clamp">${crate.description}</p>`}
<p class="quiet small figures"><span>${icon('download')} ${countOf(crate.downloads, 'download', 'downloads')}</span> <span>${icon('clock')} updated ${timeElement(crate.updatedAtMs, frame)}</span></p>
</li>
`;
}
