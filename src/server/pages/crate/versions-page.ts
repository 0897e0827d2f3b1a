import type { PackageFacts } from '../../source/package-facts.ts';
import type { Advisory } from '../../store/advisories.ts';
import type { Version } from '../../store/values.ts';
import { advisoryBadges } from '../shared/advisory-notes.ts';
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import { versionDocumentationLink } from '../shared/documentation-link.ts';
import { formatCount, formatSize, timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { pager, type Frame } from '../shared/layout.ts';
import {
  comparePath,
  cratePath,
  deletionPath,
  profilePath,
  settingsPath,
  withQuery,
} from '../shared/paths.ts';

/** A part of the versions of a crate, highest first. */
export interface VersionListView {
  readonly versions: readonly Version[];
  /** The first version after this part, which the last one is compared with; null if there is none. */
  readonly next: Version | null;
  /** The facts of the versions, by checksum, as far as they are known. */
  readonly facts: ReadonlyMap<string, PackageFacts>;
  /** Returns the advisories about a version. */
  advisoriesOf(version: Version): readonly Advisory[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** Returns a part of the versions, each with a link that compares it with the next lower one. */
export function versionsPage(frame: Frame, view: CrateView, list: VersionListView): Html {
  const { versions, next, page, pages } = list;
  const isAdmin = frame.viewer?.isAdmin === true;
  return crateLayout(frame, view, {
    tab: 'versions',
    content: html`<h2 class="silent">Versions</h2>
${view.rights !== 'none' && html`<p><a href="${settingsPath(view.crate.name)}#versions">Yank or unyank a version</a></p>`}
<table class="cards versions"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Rust</th><th scope="col">License</th><th scope="col" class="number">Size</th><th scope="col" class="number">Downloads</th><th scope="col">Compare</th>${isAdmin && html`<th scope="col"><span class="silent">Actions</span></th>`}</tr></thead>
<tbody>${versions.map((version, index) => versionRow(frame, version, { previous: versions[index + 1] ?? next, list, view }))}</tbody></table>
${pager(page, pages, (other) => withQuery(`${cratePath(view.crate.name)}/versions`, { page: other }))}`,
  });
}

function versionRow(
  frame: Frame,
  version: Version,
  {
    previous,
    list,
    view,
  }: { readonly previous: Version | null; readonly list: VersionListView; readonly view: CrateView },
): Html {
  const { crate, version: number, publishedBy, checksum } = version;
  const { rustVersion } = version.metadata;
  const edition = list.facts.get(checksum)?.edition ?? null;
  return html`<tr><td class="name"><a href="${cratePath(crate, number)}">${number}</a>${advisoryBadges(list.advisoriesOf(version))}${version.isYanked && yanked(version)}${versionDocumentationLink({ ...view, version })}</td>
<td data-label="Published">${timeElement(version.publishedAtMs, frame)} <span class="quiet">by <a href="${profilePath(publishedBy)}">${publishedBy}</a></span></td>
<td data-label="Rust">${rustVersion !== null && html`<span class="nowrap">${rustVersion}</span>`}${edition !== null && html` <span class="badge">${edition} edition</span>`}</td>
<td data-label="License">${describeLicense(version)}</td>
<td class="number" data-label="Size">${formatSize(version.size)}</td>
<td class="number" data-label="Downloads">${formatCount(version.downloads)}</td>
<td data-label="Compare">${previous !== null && html`<a href="${comparePath(crate, { old: previous.version, new: number })}"><span class="silent">Compare ${number} </span>with ${previous.version}</a>`}</td>
${frame.viewer?.isAdmin === true && html`<td class="acts"><a href="${deletionPath(crate, number)}">Delete…<span class="silent"> ${number}</span></a></td>`}</tr>
`;
}

function yanked({ yankReason }: Version): HtmlValue {
  return [
    html` <span class="badge bad">yanked</span>`,
    yankReason !== null && html`<br><span class="quiet small">${yankReason}</span>`,
  ];
}

function describeLicense({ metadata: { license, licenseFile } }: Version): HtmlValue {
  return license ?? (licenseFile !== null && html`<code>${licenseFile}</code>`);
}
