import type { MirroredVersion } from '../store/mirrored-crates.ts';
import { formatSize, minuteElement, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { pager, type Frame } from './layout.ts';
import type { MirroredView } from './mirrored-view.ts';
import type { ListPart } from './paging.ts';
import { cratePath, withQuery } from './paths.ts';

/** A part of the versions of a cached crate. */
export interface MirroredVersionList extends ListPart<MirroredVersion> {
  /** Bytes of the cached archives by checksum. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Returns the content of the page with the versions of a cached crate. */
export function mirroredVersions(
  frame: Frame,
  { crate }: MirroredView,
  part: MirroredVersionList,
): HtmlValue {
  const { list, page, pages, sizes } = part;
  return html`<h2 class="silent">Versions</h2>
<table class="cards versions"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Rust</th><th scope="col" class="number">Cached file</th></tr></thead>
<tbody>${list.items.map((version) => versionRow(frame, version, { name: crate.name, sizes }))}</tbody></table>
${pager(page, pages, (other) => withQuery(`${cratePath(crate.name)}/versions`, { page: other }))}`;
}

function versionRow(
  frame: Frame,
  { version, checksum, isYanked, publishedAtMs, rustVersion, refusal }: MirroredVersion,
  { name, sizes }: { readonly name: string; readonly sizes: ReadonlyMap<string, number> },
): Html {
  const size = sizes.get(checksum);
  return html`<tr><td class="name"><a href="${cratePath(name, version)}">${version}</a>${isYanked && html` <span class="badge bad">yanked</span>`}${refusal?.kind === 'blocked' && html` <span class="badge bad">blocked</span>`}${refusal?.kind === 'too-young' && html` <span class="badge mark">too new</span><br><span class="quiet small">until ${minuteElement(refusal.untilMs)}</span>`}</td>
<td data-label="Published">${publishedAtMs !== null && timeElement(publishedAtMs, frame)}</td>
<td data-label="Rust">${rustVersion !== null && html`<span class="nowrap">${rustVersion}</span>`}</td>
<td class="number" data-label="Cached file">${size === undefined ? html`<span class="quiet">not yet</span>` : formatSize(size)}</td></tr>
`;
}
