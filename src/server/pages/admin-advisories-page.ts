import type { AdvisoryState } from '../store/advisories.ts';
import { adminLayout } from './admin-frame.ts';
import { type AffectedCrate, affectedTable } from './affected-crates.ts';
import { countOf, formatCount, timeElement } from './format.ts';
import { html, type Html } from './html.ts';
import { emptyState, pager, type Frame } from './layout.ts';
import type { ListPart } from './paging.ts';
import { withQuery } from './paths.ts';

/** The advisories of the operator, and the crates of this registry with affected versions. */
export interface AdminAdvisoriesView extends ListPart<AffectedCrate> {
  readonly state: AdvisoryState;
  /** How many crates have advisories, here or elsewhere. */
  readonly crateCount: number;
  /** Whether downloads from the upstream are refused because of advisories; null without an upstream. */
  readonly areBlocking: boolean | null;
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
  const { list, page, pages, areBlocking } = view;
  return adminLayout(frame, {
    tab: 'advisories',
    title: 'Advisories',
    content: html`<section aria-labelledby="database"><h2 id="database">Database</h2>${facts(frame, view)}</section>
<section aria-labelledby="own"><h2 id="own">Affected crates of this registry</h2>
${list.items.length === 0 ? html`<p>No advisory is about a version that is published here.</p>` : affectedTable(list.items, null)}
${pager(page, pages, (other) => withQuery('/admin/advisories', { page: other }))}
${areBlocking !== null && html`<p class="after"><a href="/admin/mirror#advisories">See the cached crates with advisories</a></p>`}</section>`,
  });
}

function facts(frame: Frame, { state, crateCount, areBlocking }: AdminAdvisoriesView): Html {
  const { folder, advisories, brokenFiles, isTruncated, readAtMs } = state;
  return html`<dl class="facts card">
<dt>Folder</dt><dd><code>${folder}</code></dd>
<dt>Advisories</dt><dd>${formatCount(advisories)} about ${countOf(crateCount, 'crate', 'crates')}</dd>
<dt>Read</dt><dd>${timeElement(readAtMs, frame)}</dd>
<dt>Unreadable files</dt><dd>${brokenFiles === 0 ? 'none' : formatCount(brokenFiles)}</dd>
${isTruncated && html`<dt>Limit</dt><dd>The folder has more files than this server reads.</dd>`}
${areBlocking !== null && html`<dt>Downloads</dt><dd>${areBlocking ? 'vulnerable versions of the upstream are refused' : html`vulnerable versions of the upstream are served: see <code>--block-advisories</code>`}</dd>`}
</dl>`;
}
