import type { Advisory } from '../../store/advisories.ts';
import type { MirroredVersion } from '../../store/mirrored-crates.ts';
import { advisoryBadges } from '../shared/advisory-notes.ts';
import { formatSize, timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { pager, type Frame } from '../shared/layout.ts';
import { refusalBadge } from './mirrored-refusal.ts';
import type { MirroredView } from './mirrored-view.ts';
import type { ListPart } from '../shared/paging.ts';
import { comparePath, cratePath, sourcePath, withQuery } from '../shared/paths.ts';

/** A part of the versions of a cached crate. */
export interface MirroredVersionList extends ListPart<MirroredVersion> {
  /** The cached archives by checksum. */
  readonly archives: ReadonlyMap<string, { readonly size: number }>;
  /** Returns the advisories about a version. */
  advisoriesOf(version: string): readonly Advisory[];
}

/** Returns the content of the page with the versions of a cached crate. */
export function mirroredVersions(
  frame: Frame,
  { crate, readableVersions }: MirroredView,
  part: MirroredVersionList,
): HtmlValue {
  const { list, page, pages } = part;
  const readable = new Set(readableVersions);
  return html`<h2 class="silent">Versions</h2>
${readable.size > 1 && html`<p><a href="${comparePath(crate.name)}">Compare two cached versions</a></p>`}
<table class="cards versions"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Rust</th><th scope="col" class="number">Cached file</th></tr></thead>
<tbody>${list.items.map((version) => versionRow(frame, version, { name: crate.name, part, readable }))}</tbody></table>
${pager(page, pages, (other) => withQuery(`${cratePath(crate.name)}/versions`, { page: other }))}`;
}

function versionRow(
  frame: Frame,
  { version, checksum, isYanked, publishedAtMs, rustVersion, refusal }: MirroredVersion,
  {
    name,
    part,
    readable,
  }: {
    readonly name: string;
    readonly part: MirroredVersionList;
    readonly readable: ReadonlySet<string>;
  },
): Html {
  const size = part.archives.get(checksum)?.size;
  return html`<tr><td class="name"><a href="${cratePath(name, version)}">${version}</a>${isYanked && html` <span class="badge bad">yanked</span>`}${advisoryBadges(part.advisoriesOf(version))}${refusal !== null && refusalBadge(refusal)}</td>
<td data-label="Published">${publishedAtMs !== null && timeElement(publishedAtMs, frame)}</td>
<td data-label="Rust">${rustVersion !== null && html`<span class="nowrap">${rustVersion}</span>`}</td>
<td class="number" data-label="Cached file">${size === undefined ? html`<span class="quiet">not yet</span>` : formatSize(size)}${readable.has(version) && html` <a href="${sourcePath({ crate: name, version })}">Source<span class="silent"> of ${version}</span></a>`}</td></tr>
`;
}
