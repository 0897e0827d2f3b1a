import { excessOf, type Figure, type Row } from './row.ts';
import type { Subject } from './subject.ts';

const DIGITS: Readonly<Record<Row['unit'], number>> = { ms: 1, 'µs each': 1, MB: 0, '/s': 0 };

/** The heading above the rows. */
export const TABLE_HEAD = `${'case'.padEnd(40)}  ${'workspace'.padEnd(16)}  ${'tsreg'.padStart(14)}  ratio to others (the limit)`;

/** Returns a row for the terminal: every figure with its limit, and the verdict. */
export function tableLine({ title }: Subject, row: Row): string {
  const { workspace, ours, unit } = row;
  const taken = ours === null ? '' : `${ours.toFixed(DIGITS[unit])} ${unit}`;
  const figures = row.figures.map((figure) => figureText(figure).padEnd(24)).join('  ');
  return `${title.padEnd(40)}  ${workspace.padEnd(16)}  ${taken.padStart(14)}  ${figures}  ${verdictOf(row)}`;
}

/** Returns a figure as `cargo 0.10 (0.12)`: the other program, the ratio, the limit. */
export function figureText({ beside, ratio, limit }: Figure): string {
  return `${beside} ${ratio.toFixed(2)}${limit === null ? '' : ` (${limit.toFixed(2)})`}`;
}

function verdictOf(row: Row): string {
  if (row.figures.every(({ limit }) => limit === null)) return '';
  return excessOf(row) > 1 ? 'over the limit' : 'ok';
}
