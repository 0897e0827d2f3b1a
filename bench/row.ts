/** Measured figures and their limits. */

/** The ratio of tsreg to another program. Above 1 is worse. */
export interface Figure {
  /** The program, value or size that tsreg is compared with. */
  readonly beside: string;
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  /** The maximum ratio that `--check` accepts; null if there is no limit. */
  readonly limit: number | null;
}

/** One line of the table: the result of tsreg in one workspace, and its ratios to others. */
export interface Row {
  readonly workspace: string;
  /** Median of the runs of tsreg; null if there are only ratios. */
  readonly ours: number | null;
  readonly unit: 'ms' | 'µs each' | 'MB' | '/s';
  readonly figures: readonly Figure[];
}

/** A row with the title of its case. */
export interface MeasuredRow {
  readonly title: string;
  readonly row: Row;
}

/** Returns the largest quotient of a figure and its limit: above 1 is over the limit; 0 if no figure has a limit. */
export function excessOf({ figures }: Pick<Row, 'figures'>): number {
  return Math.max(0, ...figures.map(({ ratio, limit }) => (limit === null ? 0 : ratio / limit)));
}
