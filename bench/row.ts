/** What was measured, and whether it is good enough. */

/** A ratio: of tsreg to what it is held against. Above 1 is worse. */
export interface Figure {
  /** What tsreg is held against. */
  readonly beside: string;
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  /** The ratio that `--check` accepts at most; null where none is too large. */
  readonly limit: number | null;
}

/** One line of the table: what tsreg took in one workspace, and what that is beside others. */
export interface Row {
  readonly workspace: string;
  /** Median of the runs of tsreg; null where there are ratios alone. */
  readonly ours: number | null;
  readonly unit: 'ms' | 'µs each' | 'MB' | '/s';
  readonly figures: readonly Figure[];
}

/** A row with the title of its case. */
export interface MeasuredRow {
  readonly title: string;
  readonly row: Row;
}

/** How far the worst of a row's figures is from its limit: above 1 is over it; 0 where nothing is limited. */
export function excessOf({ figures }: Pick<Row, 'figures'>): number {
  return Math.max(0, ...figures.map(({ ratio, limit }) => (limit === null ? 0 : ratio / limit)));
}
