/** The table of `outdated`. */
import { present } from '../../core/errors/assert.ts';
import type { OutdatedPackage } from '../../core/resolve/outdated.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import type { Version } from '../../core/version/version.ts';
import { textWidth } from '../../io/terminal/char-width.ts';
import { type StyleName, styled } from '../../io/terminal/style.ts';

/** Options of the table. */
export interface OutdatedTextOptions {
  /** Columns of the terminal, to shorten lists of names; null for whole lists. */
  readonly width: number | null;
  /** The text in the column `Compatible` for no version. */
  readonly noCompatible: '-' | '?';
  /** The heading of the last column. */
  readonly dependents: 'Member' | 'Dependent';
}

/** Text in a style; null for none. */
interface Cell {
  readonly text: string;
  readonly style: StyleName | null;
}

/** A row: its cells except the last, and the names in the last. */
interface Row {
  readonly cells: readonly Cell[];
  readonly names: readonly string[];
}

const GAP = '  ';

/** Returns a table with styles: one row for each package and kind of dependency. */
export function outdatedText(
  packages: readonly OutdatedPackage[],
  { width, noCompatible, dependents }: OutdatedTextOptions,
): string {
  const headings = ['Package', 'Current', 'Compatible', 'Latest', 'Kind'];
  const rows: readonly Row[] = [
    { cells: headings.map((text) => ({ text, style: 'emphasis' })), names: [dependents] },
    ...packages.flatMap((each) => rowsOf(each, noCompatible)),
  ];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map(({ cells }) => textWidth(present(cells[column], 'a cell').text))),
  );
  const room = width === null ? null : width - widths.reduce((sum, each) => sum + each + GAP.length, 0);
  return rows.map((row) => `${lineOf(row, widths, room)}\n`).join('');
}

/** Returns the rows of a package. Dependents with the same kinds share one. */
function rowsOf(
  { id, compatible, latest, dependents }: OutdatedPackage,
  noCompatible: string,
): readonly Row[] {
  const namesByKind = new Map<string, Set<string>>();
  for (const dependent of dependents) {
    const kinds = Array.from(new Set(dependent.dependencies.map(({ kind }) => kind))).join(', ');
    const names = namesByKind.get(kinds) ?? new Set();
    namesByKind.set(kinds, names.add(dependent.id.name));
  }
  const { version } = id;
  const [currentText, compatibleText, latestText] = shortTexts([
    version.text,
    compatible?.text ?? noCompatible,
    latest?.text ?? '-',
  ]);
  const isNewer = (other: Version | null, than: Version): boolean =>
    other !== null && compareVersions(other, than) > 0;
  return Array.from(namesByKind, ([kinds, names]) => ({
    cells: [
      { text: id.name, style: null },
      { text: currentText, style: null },
      { text: compatibleText, style: isNewer(compatible, version) ? 'header' : null },
      { text: latestText, style: isNewer(latest, compatible ?? version) ? 'warning' : null },
      { text: kinds, style: null },
    ],
    names: Array.from(names),
  }));
}

type Texts = readonly [current: string, compatible: string, latest: string];

/** Returns the texts without build metadata, which takes much of the width, unless some differ only in that. */
function shortTexts([current, compatible, latest]: Texts): Texts {
  const short = (text: string): string => text.replace(/\+.*/, '');
  const texts: Texts = [short(current), short(compatible), short(latest)];
  return new Set(texts).size === new Set([current, compatible, latest]).size
    ? texts
    : [current, compatible, latest];
}

function lineOf({ cells, names }: Row, widths: readonly number[], room: number | null): string {
  const padded = cells.map(({ text, style }, column) => {
    const padding = ' '.repeat(present(widths[column], 'the width of a column') - textWidth(text));
    return `${style === null ? text : styled(style, text)}${padding}${GAP}`;
  });
  const isHeading = cells[0]?.style === 'emphasis';
  const list = shortList(names, room);
  return `${padded.join('')}${isHeading ? styled('emphasis', list) : list}`;
}

/** Returns as many names as fit into `room` columns, at least one, and the number of the others: `a, b +3`. */
function shortList(names: readonly string[], room: number | null): string {
  for (let shown = names.length; shown > 1; shown -= 1) {
    const others = names.length - shown;
    const text = names.slice(0, shown).join(', ') + (others === 0 ? '' : ` +${others}`);
    if (room === null || textWidth(text) <= room) return text;
  }
  const [first] = names;
  const others = names.length - 1;
  return `${present(first, 'a dependent')}${others === 0 ? '' : ` +${others}`}`;
}
