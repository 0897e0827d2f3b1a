/** Shows the changed lines of a file. */
import { present } from '../../../core/errors/assert.ts';
import type { Hunk, TextDiff } from '../../source/diff-lines.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { codeText } from '../code/source-text.ts';

/** `unified`: one column. `split`: the old text on the left, the new one on the right. */
export type DiffView = 'unified' | 'split';

/** Returns a table of changed lines with a few unchanged ones around them. `path` names the file. */
export function diffTable(
  { hunks }: TextDiff,
  { path, view }: { readonly path: string; readonly view: DiffView },
): Html {
  return html`<div class="code" tabindex="0" role="region" aria-label="Changes of ${path}"><table class="diff ${TABLE_CLASSES[view]}">
${HEADS[view]}
${hunks.map((hunk) => html`<tbody>${hunkHead(hunk, view)}${view === 'unified' ? unifiedRows(hunk) : splitRows(hunk)}</tbody>`)}</table></div>`;
}

const TABLE_CLASSES: Readonly<Record<DiffView, string>> = { unified: 'unified', split: 'side-by-side' };

const HEADS: Readonly<Record<DiffView, Html>> = {
  unified: html`<thead><tr><th scope="col"><span class="silent">Old line</span></th><th scope="col"><span class="silent">New line</span></th><th scope="col"><span class="silent">Text</span></th></tr></thead>`,
  split: html`<thead><tr><th scope="col"><span class="silent">Old line</span></th><th scope="col"><span class="silent">Old text</span></th><th scope="col"><span class="silent">New line</span></th><th scope="col"><span class="silent">New text</span></th></tr></thead>`,
};

/** A line of a hunk, with its number in each text that has it. */
interface DiffLine {
  /** `+`, `-`, a space, or `\` for a remark about the line before it: `\ No newline at end of file`. */
  readonly sign: string;
  readonly text: string;
  readonly oldNumber: number | null;
  readonly newNumber: number | null;
}

/** Returns the heading of a hunk as in a patch file: the first line and the number of lines in each text. */
function hunkHead({ oldStart, oldLines, newStart, newLines }: Hunk, view: DiffView): Html {
  return html`<tr class="hunk"><td colspan="${view === 'unified' ? 3 : 4}">@@ -${oldStart},${oldLines} +${newStart},${newLines} @@</td></tr>
`;
}

function unifiedRows(hunk: Hunk): HtmlValue {
  return linesIn(hunk).map(
    (
      line,
    ) => html`<tr${rowClass(line)}><td class="no">${line.oldNumber}</td><td class="no">${line.newNumber}</td>${textCell(line)}</tr>
`,
  );
}

/** Returns rows with removed lines next to the added lines that follow them. */
function splitRows(hunk: Hunk): HtmlValue {
  const rows: Html[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  /** Writes the collected lines side by side. The shorter side ends with empty cells. */
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1)
      rows.push(splitRow(removed[i] ?? null, added[i] ?? null));
    [removed, added] = [[], []];
  };
  for (const line of linesIn(hunk)) {
    // A remark stays on the side of the line before it.
    const isAboutAdded = line.sign === '\\' && added.length > 0;
    const isAboutRemoved = line.sign === '\\' && added.length === 0 && removed.length > 0;
    if (line.sign === '-' || isAboutRemoved) removed.push(line);
    else if (line.sign === '+' || isAboutAdded) added.push(line);
    else {
      flush();
      rows.push(splitRow(line, line));
    }
  }
  flush();
  return rows;
}

/** Returns a row; null for a side without a line. */
function splitRow(left: DiffLine | null, right: DiffLine | null): Html {
  const side = (line: DiffLine | null, number: number | null | undefined): Html =>
    line === null
      ? html`<td class="no none"></td><td class="none"></td>`
      : html`<td class="no${CLASSES[line.sign]}">${number}</td>${textCell(line)}`;
  return html`<tr${left === right && html` class="same"`}>${side(left, left?.oldNumber)}${side(right, right?.newNumber)}</tr>
`;
}

/** Classes by sign, each after a space. Unchanged lines have none. */
const CLASSES: Readonly<Record<string, string>> = { '+': ' plus', '-': ' minus', '\\': ' quiet' };

function rowClass({ sign }: DiffLine): HtmlValue {
  return html` class="line${CLASSES[sign]}"`;
}

function textCell({ sign, text }: DiffLine): Html {
  return html`<td class="text${CLASSES[sign]}"><span class="sign">${sign}</span>${codeText(text)}</td>`;
}

/** Returns the lines of a hunk with their numbers. */
function linesIn({ oldStart, newStart, lines }: Hunk): readonly DiffLine[] {
  const numbered: DiffLine[] = [];
  let [nextOld, nextNew] = [oldStart, newStart];
  for (const line of lines) {
    const sign = present(line[0], 'the sign of a line');
    const text = line.slice(1).replace(/\r$/, '');
    const isInOld = sign === '-' || sign === ' ';
    const isInNew = sign === '+' || sign === ' ';
    numbered.push({
      sign,
      text,
      oldNumber: isInOld ? nextOld : null,
      newNumber: isInNew ? nextNew : null,
    });
    if (isInOld) nextOld += 1;
    if (isInNew) nextNew += 1;
  }
  return numbered;
}
