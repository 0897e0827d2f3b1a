/** Shows the changed files of two versions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isGeneratedFile, type FileDifference } from '../../source/compare-sources.ts';
import { diffTable, type DiffView } from './compare-diff.ts';
import { countOf, formatSize } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';

/** Maximum files in the list. Further ones are only counted. */
const MAX_LISTED = 2000;
/** After this many diffs, `changedFiles` lets other requests run. */
const DIFFS_PER_TURN = 20;

/** Returns the list of changed files, and the changed lines of each. */
export async function changedFiles(files: readonly FileDifference[], view: DiffView): Promise<Html> {
  if (files.length === 0) return html`<p>Both versions contain the same files.</p>`;
  const listed = files.slice(0, MAX_LISTED);
  const sections: Html[] = [];
  for (const [index, file] of listed.entries()) {
    if (typeof file.diff === 'string') continue;
    sections.push(diffSection(file, { index, view }));
    if (sections.length % DIFFS_PER_TURN === 0) await nextTurn();
  }
  return html`<div class="card tree-card"><ul class="tree changes">${listed.map(listItem)}</ul>
${files.length > MAX_LISTED && html`<p class="quiet small tree-note">${countOf(files.length - MAX_LISTED, 'more file differs', 'more files differ')}.</p>`}</div>
${sections}`;
}

/** Returns whether a file was added, removed or changed. */
function kindOf({ oldSize, newSize }: FileDifference): 'added' | 'removed' | 'changed' {
  if (oldSize === null) return 'added';
  return newSize === null ? 'removed' : 'changed';
}

const BADGES = { added: 'good', removed: 'bad', changed: 'mark' } as const;

function kindBadge(file: FileDifference): Html {
  const kind = kindOf(file);
  return html`<span class="badge ${BADGES[kind]}">${kind}</span>`;
}

function listItem(file: FileDifference, index: number): Html {
  const { path, diff } = file;
  return html`<li><div class="entry">${kindBadge(file)}${
    typeof diff === 'string'
      ? html`<span class="path">${path}</span> <span class="size">${OMITTED[diff]}, ${sizeChange(file)}</span>`
      : html`<a class="path" href="#diff-${index}">${path}</a> <span class="size">${lineCounts(file)}</span>`
  }</div></li>
`;
}

/** The reasons why the list has no link to changed lines. */
const OMITTED = {
  binary: 'not text',
  'too-large': 'too large to show',
  limit: 'not shown, as there are too many changes',
} as const;

function sizeChange({ oldSize, newSize }: FileDifference): string {
  return [oldSize, newSize].map((size) => (size === null ? 'none' : formatSize(size))).join(' → ');
}

function lineCounts({ diff }: FileDifference): HtmlValue {
  if (typeof diff === 'string') return null;
  return html`${diff.added > 0 && html`<span class="added">+${diff.added}</span>`} ${diff.removed > 0 && html`<span class="removed">−${diff.removed}</span>`}`;
}

/**
 * Notes for diffs without changed lines. A text is decoded without its byte order mark, so only that can differ then.
 */
const NO_LINES = {
  added: 'The file is empty.',
  removed: 'The file is empty.',
  changed: 'Only the byte order mark at the start differs.',
} as const;

function diffSection(
  file: FileDifference,
  { index, view }: { readonly index: number; readonly view: DiffView },
): Html {
  const { path, diff } = file;
  const isOpen = !isGeneratedFile(path);
  return html`<details class="card diff-file" id="diff-${index}"${isOpen && html` open`}><summary>${kindBadge(file)}<h3 class="path">${path}</h3> <span class="size">${lineCounts(file)}</span></summary>
${typeof diff !== 'string' && (diff.hunks.length === 0 ? html`<p class="quiet tree-note">${NO_LINES[kindOf(file)]}</p>` : diffTable(diff, { path, view }))}</details>
`;
}
