/**
 * Writes docs/performance.md, the speed section of README.md and their charts, from the figures of this and earlier
 * runs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { benchmarkChart, benchmarkText } from './benchmark-chart.ts';
import { LOCAL_REGISTRY } from './registry-commands.ts';
import { excessOf, type Figure, type MeasuredRow } from './row.ts';
import { figureText } from './table.ts';

interface Figures {
  /** Releases and system, as the page prints them. */
  readonly conditions: string;
  readonly rows: readonly MeasuredRow[];
}

const ROOT = path.dirname(import.meta.dirname);
const DOCS = path.join(ROOT, 'docs');
const FIGURES = path.join(import.meta.dirname, 'figures.json');
/** Names of systems as prose spells them. */
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/**
 * Writes the figures to `bench/figures.json`, and from there to the page, the README and their charts. Cases that were
 * not measured keep their figures. `titles` are the cases in the order of the page.
 */
export function writePerformancePage(
  measured: readonly MeasuredRow[],
  { titles, cargo }: { readonly titles: readonly string[]; readonly cargo: string },
): void {
  const earlier: Figures = existsSync(FIGURES)
    ? JSON.parse(readFileSync(FIGURES, 'utf8'))
    : { conditions: '', rows: [] };
  const isMeasured = ({ title }: MeasuredRow): boolean => measured.some((each) => each.title === title);
  const all = [...measured, ...earlier.rows.filter((each) => !isMeasured(each))];
  const rows = titles.flatMap((title) => all.filter((each) => each.title === title));
  const release = /^cargo [^\s,]+/.exec(cargo)?.[0] ?? cargo;
  const conditions = `Node ${process.versions.node}, ${release}, ${SYSTEMS[process.platform] ?? process.platform}`;
  writeFileSync(FIGURES, `${JSON.stringify({ conditions, rows }, null, 1)}\n`);
  writeFileSync(path.join(DOCS, 'images', 'performance.svg'), chartOf(rows));
  writeFileSync(path.join(DOCS, 'images', 'benchmark.svg'), benchmarkChart(rows));
  replaceMarked(path.join(DOCS, 'performance.md'), 'table', tableOf(conditions, rows));
  replaceMarked(path.join(ROOT, 'README.md'), 'benchmark', `${benchmarkText(rows, conditions)}\n`);
}

/** Replaces the text between `<!-- MARK -->` and `<!-- end -->` in a file. */
function replaceMarked(file: string, mark: string, replacement: string): void {
  const text = readFileSync(file, 'utf8');
  const marked = new RegExp(`(?<=<!-- ${mark} -->\\n)[^]*(?=<!-- end -->)`);
  writeFileSync(
    file,
    text.replace(marked, () => replacement),
  );
}

function tableOf(conditions: string, rows: readonly MeasuredRow[]): string {
  const lines = rows.map(({ title, row }) => {
    const cell = (name: string): string => {
      const figure = row.figures.find(({ beside }) => beside === name);
      return figure === undefined ? '' : figureText(figure).slice(name.length + 1);
    };
    const isOther = ({ beside }: Figure): boolean => beside !== 'cargo' && beside !== 'memory';
    const others = row.figures.filter(isOther).map(figureText).join(', ');
    const verdict = excessOf(row) > 1 ? ' (**over the limit**)' : '';
    const [name, workspace] = namesOf(title, row);
    const taken = `${Math.round(row.ours ?? 0)} ${row.unit}`;
    const cells = [`${name}${verdict}`, workspace, taken, cell('cargo'), cell('memory'), others];
    return `| ${cells.join(' | ')} |\n`;
  });
  return `\n${conditions}:\n\n| case | workspace | tsreg | time ÷ cargo's (limit) | memory ÷ cargo's (limit) | time ÷ another program's (limit) |\n|---|---|---|---|---|---|\n${lines.join('')}\n`;
}

/**
 * Returns the case and the workspace of a row. Registry commands need no workspace: their rows have the command
 * instead.
 */
function namesOf(title: string, { workspace }: MeasuredRow['row']): readonly [string, string] {
  return title === LOCAL_REGISTRY ? [`${workspace}, local registry`, '–'] : [title, workspace];
}

const WIDTH = 760;
const BARS_AT = 400;
const STEP = 24;
/** Pixels for cargo's time. */
const CARGO_WIDTH = 240;

/**
 * Returns a chart with a bar for each row that is compared with cargo, in the colours of the reader's light or dark
 * scheme.
 */
function chartOf(rows: readonly MeasuredRow[]): string {
  const bars = rows.flatMap(({ title, row: { workspace, figures } }) => {
    const ratio = figures.find(({ beside }) => beside === 'cargo')?.ratio;
    return ratio === undefined ? [] : [{ label: `${title}: ${workspace}`, ratio }];
  });
  const height = 40 + bars.length * STEP;
  const drawn = bars.map(({ label, ratio }, at) => {
    const y = 32 + at * STEP;
    // More than one and a quarter of cargo's time does not fit. The number shows the ratio.
    const width = (Math.min(ratio, 1.25) * CARGO_WIDTH).toFixed(1);
    const end = BARS_AT + Number(width) + 6;
    return `<text x="${BARS_AT - 10}" y="${y + 12}" text-anchor="end">${label.replaceAll('&', '&amp;')}</text>
<rect x="${BARS_AT}" y="${y}" width="${width}" height="16" rx="2"/><text class="value" x="${end}" y="${y + 12}">${ratio.toFixed(2)}</text>`;
  });
  const cargoAt = BARS_AT + CARGO_WIDTH;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Time of tsreg as a share of cargo's</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.value { paint-order: stroke; stroke: #fff; stroke-width: 4px; font-weight: 600; }
rect { fill: #0969da; } line { stroke: #59636e; stroke-dasharray: 3 3; } .page { fill: #fff; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; } .value { stroke: #0d1117; } rect { fill: #4493f8; } line { stroke: #9198a1; } .page { fill: #0d1117; }
}
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text x="${cargoAt}" y="16" text-anchor="middle">cargo</text><line x1="${cargoAt}" y1="22" x2="${cargoAt}" y2="${height - 4}"/>
${drawn.join('\n')}
</svg>
`;
}
