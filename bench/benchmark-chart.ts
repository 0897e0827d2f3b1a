/** The chart of the README: cargo and tsreg in a small, a medium and a large workspace. */
import type { MeasuredRow } from './row.ts';

/** The workspaces of the chart, with the number of packages in their documents. */
const WORKSPACES = [
  { name: 'ripgrep', size: 'small', packages: 60 },
  { name: 'wasmtime', size: 'medium', packages: 523 },
  { name: 'thousand', size: 'large', packages: 1008 },
] as const;

const WARM = 'metadata, warm';
const FIRST = 'metadata, first run ever';

interface Times {
  readonly label: string;
  readonly tsregMs: number;
  readonly cargoMs: number;
}

/** Returns the times of a case in the workspaces of the chart. Workspaces that were not measured are left out. */
function timesOf(rows: readonly MeasuredRow[], wanted: string): readonly Times[] {
  return WORKSPACES.flatMap(({ name, size, packages }) => {
    const row = rows.find(({ title, row: { workspace } }) => title === wanted && workspace === name)?.row;
    const tsregMs = row?.ours ?? null;
    const ratio = row?.figures.find(({ beside }) => beside === 'cargo')?.ratio;
    if (tsregMs === null || ratio === undefined) return [];
    const label = `${size}: ${packages.toLocaleString('en')} packages`;
    return [{ label, tsregMs, cargoMs: tsregMs / ratio }];
  });
}

const WIDTH = 760;
const BARS_AT = 190;
const BAR = 18;
const GROUP = 2 * BAR + 22;
const LONGEST = WIDTH - BARS_AT - 100;

/** Returns the chart as SVG: two bars per workspace, in the colours of the reader's light or dark scheme. */
export function benchmarkChart(rows: readonly MeasuredRow[]): string {
  const groups = timesOf(rows, WARM);
  const scale = LONGEST / Math.max(...groups.flatMap(({ tsregMs, cargoMs }) => [tsregMs, cargoMs]));
  const height = 44 + groups.length * GROUP;
  const drawn = groups.map(({ label, tsregMs, cargoMs }, at) => {
    const y = 44 + at * GROUP;
    const bar = (name: string, ms: number, top: number): string => {
      const width = (ms * scale).toFixed(1);
      const textAt = `x="${(BARS_AT + ms * scale + 8).toFixed(1)}" y="${top + 13.5}"`;
      return `<rect class="${name}" x="${BARS_AT}" y="${top}" width="${width}" height="${BAR - 2}" rx="2"/><text ${textAt}>${name} ${durationText(ms)}</text>`;
    };
    return `<text x="${BARS_AT - 12}" y="${y + BAR + 4}" text-anchor="end">${label}</text>
${bar('tsreg', tsregMs, y)}
${bar('cargo', cargoMs, y + BAR)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Time of metadata with tsreg and with cargo, in workspaces of three sizes</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; } .title { font-weight: 600; }
.tsreg { fill: #0969da; } .cargo { fill: #b6bfc9; } .page { fill: #fff; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; } .tsreg { fill: #4493f8; } .cargo { fill: #545d68; } .page { fill: #0d1117; }
}
</style>
<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="12" y="22">metadata --format-version 1, nothing changed since the last run (less is better)</text>
${drawn.join('\n')}
</svg>
`;
}

/** Returns the paragraph of the README that compares tsreg with cargo in the best and in the worst case. */
export function benchmarkText(rows: readonly MeasuredRow[], conditions: string): string {
  const warm = timesOf(rows, WARM).map(({ tsregMs, cargoMs }) => cargoMs / tsregMs);
  const first = timesOf(rows, FIRST).map(({ tsregMs, cargoMs }) => tsregMs / cargoMs);
  return `If nothing has changed, \`metadata\` with all dependencies is ${rangeText(warm)} times as fast as with cargo. A first run,
with the packages unpacked but the caches of tsreg empty, takes ${rangeText(first)} times as long as with cargo
(${conditions}). To repeat the measurement:`;
}

/** Returns the range of `values`: `1.9 to 6.9`, or one number if both ends round to it. */
function rangeText(values: readonly number[]): string {
  const [least, most] = [Math.min(...values).toFixed(1), Math.max(...values).toFixed(1)];
  return least === most ? least : `${least} to ${most}`;
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
