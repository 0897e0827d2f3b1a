import type { AdvisoryState } from '../../store/advisories.ts';
import { adminLayout } from './admin-frame.ts';
import { type AffectedCrate, affectedTable } from '../shared/affected-crates.ts';
import { countOf, formatCount, timeElement } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { emptyState, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { withQuery } from '../shared/paths.ts';

/** `/admin/advisories`: the operator's copy of an advisory database, and the affected crates of this registry. */
export interface AdminAdvisoriesView extends ListPart<AffectedCrate> {
  readonly state: AdvisoryState;
  /** How many crates the advisories are about, published here or not. */
  readonly crateCount: number;
  /** Whether this server refuses vulnerable versions of the upstream; null without an upstream. */
  readonly blocksUpstream: boolean | null;
}

/** Returns the admin page of a registry without advisories. */
export function noAdvisoriesPage(frame: Frame): Html {
  return adminLayout(frame, {
    tab: 'advisories',
    title: 'Advisories',
    content: emptyState(
      'library',
      'No advisories',
      html`With a copy of the <a href="https://github.com/rustsec/advisory-db" rel="noreferrer">RustSec advisory database</a> and <code>tsreg serve --advisories advisory-db</code>, the pages of crates show known vulnerabilities.`,
    ),
  });
}

/** Returns the admin page of the advisories. */
export function adminAdvisoriesPage(frame: Frame, view: AdminAdvisoriesView): Html {
  const { list, page, pages, blocksUpstream } = view;
  return adminLayout(frame, {
    tab: 'advisories',
    title: 'Advisories',
    content: html`<section aria-labelledby="database"><h2 id="database">Database</h2>${facts(frame, view)}</section>
<section aria-labelledby="own"><h2 id="own">Affected crates of this registry</h2>
${list.items.length === 0 ? html`<p>No advisory is about a version that is published here.</p>` : affectedTable(list.items, null)}
${pager(page, pages, (other) => withQuery('/admin/advisories', { page: other }))}
${blocksUpstream !== null && html`<p class="after"><a href="/admin/mirror#advisories">See the cached crates with advisories</a></p>`}</section>`,
  });
}

function facts(frame: Frame, { state, crateCount, blocksUpstream }: AdminAdvisoriesView): Html {
  const { folder, advisories, brokenFiles, isTruncated, readAtMs, failure } = state;
  return html`<dl class="facts card">
<dt>Folder</dt><dd><code>${folder}</code></dd>
<dt>Advisories</dt><dd>${formatCount(advisories)} about ${countOf(crateCount, 'crate', 'crates')}</dd>
<dt>Read</dt><dd>${timeElement(readAtMs, frame)}</dd>
${failure !== null && html`<dt>Problem</dt><dd>The folder cannot be read again: ${failure}. The server uses the advisories that it has.</dd>`}
<dt>Unreadable files</dt><dd>${brokenFiles === 0 ? 'none' : formatCount(brokenFiles)}</dd>
${isTruncated && html`<dt>Limit</dt><dd>The folder has more files than this server reads.</dd>`}
${blocksUpstream !== null && html`<dt>Downloads</dt><dd>${blocksUpstream ? 'vulnerable versions of the upstream are refused' : html`vulnerable versions of the upstream are served: see <code>--block-advisories</code>`}</dd>`}
</dl>`;
}
