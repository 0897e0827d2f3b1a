import { STANDALONE } from './measure.ts';
import { excessOf, type Figure, type Row } from './row.ts';
import type { Subject } from './subject.ts';

/** How rows are printed. */
export interface TableForm {
  /** Text before the rows. */
  readonly head: string;
  /** A line for a row. */
  line(subject: Subject, row: Row): string;
}

const DIGITS: Readonly<Record<Row['unit'], number>> = { ms: 1, 'µs each': 1, MB: 0, '/s': 0 };

/** For reading in a terminal: every figure with its limit, and whether it holds. */
export const PLAIN_TABLE: TableForm = {
  head: `${'case'.padEnd(40)}  ${'workspace'.padEnd(16)}  ${'tsreg'.padStart(14)}  ratio to others (the limit)`,
  line: ({ title }, row) => {
    const { workspace, ours, unit } = row;
    const taken = ours === null ? '' : `${ours.toFixed(DIGITS[unit])} ${unit}`;
    const figures = row.figures.map((figure) => plainFigure(figure).padEnd(24)).join('  ');
    return `${title.padEnd(40)}  ${workspace.padEnd(16)}  ${taken.padStart(14)}  ${figures}  ${verdictOf(row)}`;
  },
};

const COLUMNS = ['cargo', 'bare start', 'floor', 'memory', STANDALONE];

/** For `docs/performance.md`: ratios alone, as a table of Markdown. */
export const MARKDOWN_TABLE: TableForm = {
  head: `| case | workspace | to cargo | to the bare start | to the floor | memory, to cargo's | standalone, to cargo | limit |
|---|---|---|---|---|---|---|---|`,
  line: ({ title }, row) => {
    const columns = COLUMNS.map(
      (name) => row.figures.find(({ beside }) => beside === name)?.ratio.toFixed(2) ?? '',
    );
    const others = row.figures.filter(({ beside }) => !COLUMNS.includes(beside)).map(plainFigure);
    const limits = row.figures
      .filter(({ beside, limit }) => limit !== null && COLUMNS.includes(beside))
      .map(({ beside, limit }) => `${beside} ${limit?.toFixed(2)}`);
    const verdict = excessOf(row) > 1 ? ['**over the limit**'] : [];
    const cells = [title, row.workspace, ...columns, [...limits, ...others, ...verdict].join('; ')];
    return `| ${cells.join(' | ')} |`;
  },
};

function plainFigure({ beside, ratio, limit }: Figure): string {
  return `${beside} ${ratio.toFixed(2)}${limit === null ? '' : ` (${limit.toFixed(2)})`}`;
}

function verdictOf(row: Row): string {
  if (row.figures.every(({ limit }) => limit === null)) return '';
  return excessOf(row) > 1 ? 'over the limit' : 'ok';
}
