import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchmarkChart, benchmarkText } from '../../bench/benchmark-chart.ts';
import type { MeasuredRow } from '../../bench/row.ts';
import { projectRoot } from '../helpers/project-root.ts';

function read(...names: readonly string[]): string {
  return readFileSync(path.join(projectRoot, ...names), 'utf8');
}

const { conditions, rows }: { conditions: string; rows: readonly MeasuredRow[] } = JSON.parse(
  read('bench', 'figures.json'),
);

describe('the speed section of the README', () => {
  it('shows the measured figures', () => {
    expect(read('docs', 'images', 'benchmark.svg')).toBe(benchmarkChart(rows));
    expect(read('README.md')).toContain(
      `<!-- benchmark -->\n${benchmarkText(rows, conditions)}\n<!-- end -->`,
    );
  });

  it('compares cargo and tsreg in a small, a medium and a large workspace', () => {
    const chart = benchmarkChart(rows);
    for (const size of ['small', 'medium', 'large']) expect(chart).toContain(`>${size}: `);
    expect(chart.match(/<rect class="tsreg"/g)).toHaveLength(3);
    expect(chart.match(/<rect class="cargo"/g)).toHaveLength(3);
  });
});
