/** The page that compares two versions of a crate. */
import { present } from '../../../core/errors/assert.ts';
import type { Comparison, SourceFacts } from '../../source/compare-sources.ts';
import type { DiffView } from './compare-diff.ts';
import { changedDependencies, changedFeatures, type MetadataChange } from './compare-metadata.ts';
import { countOf, formatCount, formatSize } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { comparePath, sourcePath, withQuery } from '../shared/paths.ts';
import type { ComparedVersion, SourceCrate } from './source-crates.ts';

/** Two versions and their differences. */
export interface ComparedVersions {
  readonly old: ComparedVersion;
  readonly new: ComparedVersion;
  readonly comparison: Comparison;
  /** Numbers of versions to select from, highest first. */
  readonly choices: readonly string[];
  readonly diffView: DiffView;
  /** The result of `changedFiles`. */
  readonly files: Html;
}

/** Returns the page of a comparison. */
export function comparePage(crate: SourceCrate, compared: ComparedVersions): Html {
  const { old, new: fresh, comparison } = compared;
  return crate.layout({
    tab: 'versions',
    title: `${old.version} and ${fresh.version} of ${old.crate}`,
    content: html`<div class="wide">
<h2 class="compare-title">Changes from ${old.version} to ${fresh.version}</h2>
${versionForm(compared)}
${factTable(compared)}
${changeTable('Dependencies', changedDependencies(old.metadata, fresh.metadata))}
${changeTable('Features', changedFeatures(old.metadata, fresh.metadata))}
<div class="source-head"><h2>${countOf(comparison.files.length, 'changed file', 'changed files')}</h2>${viewLinks(compared)}</div>
${compared.files}
</div>`,
  });
}

function versionForm({ old, new: fresh, choices, diffView }: ComparedVersions): Html {
  const select = (name: string, label: string, chosen: string): Html =>
    html`<div class="field"><label for="compare-${name}">${label}</label><select id="compare-${name}" name="${name}">${choices.map((choice) => html`<option${choice === chosen && html` selected`}>${choice}</option>`)}</select></div>`;
  const swapped = comparePath(old.crate, { old: fresh.version, new: old.version });
  return html`<form class="compare-form" method="get" action="${comparePath(old.crate)}">
${select('old', 'From', old.version)}
${select('new', 'To', fresh.version)}
${diffView === 'split' && html`<input type="hidden" name="view" value="split">`}
<button>Compare</button>
<a class="button plain" href="${withQuery(swapped, { view: diffView === 'split' ? 'split' : null })}">Swap</a>
</form>`;
}

function viewLinks({ old, new: fresh, diffView }: ComparedVersions): Html {
  const path = comparePath(old.crate, { old: old.version, new: fresh.version });
  const link = (view: DiffView, label: string): Html =>
    html`<a class="button plain slim" href="${withQuery(path, { view: view === 'split' ? view : null })}"${view === diffView && html` aria-current="true"`}>${label}</a>`;
  return html`<nav class="switch" aria-label="View of changes">${link('unified', 'Unified')}${link('split', 'Side by side')}</nav>`;
}

/** Returns a table with the facts of both versions. */
function factTable({ old, new: fresh, comparison }: ComparedVersions): Html {
  const newFacts = factsOf(fresh, comparison.new);
  const rows = factsOf(old, comparison.old).map(([label, oldValue], index) => {
    const [, newValue] = present(newFacts[index], 'the same fact of the new version');
    const isChanged = oldValue !== newValue;
    return html`<tr${isChanged && html` class="changed"`}><th scope="row">${label}</th><td data-label="${old.version}">${oldValue}</td><td data-label="${fresh.version}">${newValue}${isChanged && html` <span class="badge mark">changed</span>`}</td></tr>
`;
  });
  return html`<div class="card compare-facts"><table><thead><tr><th scope="col"><span class="silent">Fact</span></th>${versionHead(old)}${versionHead(fresh)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function versionHead(version: ComparedVersion): Html {
  return html`<th scope="col"><a href="${sourcePath(version)}">${version.version}</a></th>`;
}

/** Returns facts of a version, the same labels in the same order for every version. */
function factsOf(
  { metadata, size }: ComparedVersion,
  { edition, license, targets, fileCount, unpackedSize }: SourceFacts,
): readonly (readonly [label: string, value: string])[] {
  return [
    ['Rust version', metadata.rustVersion ?? 'not stated'],
    // The edition of a manifest without one. Cargo Book: The Manifest Format, `edition`.
    ['Edition', edition ?? '2015'],
    ['License', license ?? 'not stated'],
    ['Targets', targets.length === 0 ? 'not stated' : targets.join(', ')],
    ['Size', `${formatSize(size)}, ${formatSize(unpackedSize)} unpacked`],
    ['Files', formatCount(fileCount)],
  ];
}

function changeTable(title: string, changes: readonly MetadataChange[]): HtmlValue {
  if (changes.length === 0) return html`<h2>${title}</h2><p class="quiet">No changes.</p>`;
  return html`<h2>${title}</h2>
<div class="compare-changes"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Change</th><th scope="col">Old</th><th scope="col">New</th></tr></thead>
<tbody>${changes.map(changeRow)}</tbody></table></div>`;
}

function changeRow({ name, detail, old, new: fresh }: MetadataChange): Html {
  const [kind, badge] = kindOf(old, fresh);
  return html`<tr><td class="name"><code>${name}</code>${detail !== '' && html` <span class="quiet small">${detail}</span>`}</td><td><span class="badge ${badge}">${kind}</span></td>
<td data-label="Old">${old === null ? null : html`<code>${old}</code>`}</td><td data-label="New">${fresh === null ? null : html`<code>${fresh}</code>`}</td></tr>
`;
}

function kindOf(old: string | null, fresh: string | null): readonly [kind: string, badge: string] {
  if (old === null) return ['added', 'good'];
  return fresh === null ? ['removed', 'bad'] : ['changed', 'mark'];
}
