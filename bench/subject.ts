import type { Workbench } from './workbench.ts';

/** One line of the table: a figure of tsreg beside the figure that it is held against. */
export interface Row {
  readonly workspace: string;
  /** What was measured: `time` in milliseconds, `memory` in megabytes. */
  readonly measure: 'time' | 'memory';
  /** Median of the runs of tsreg. */
  readonly ours: number;
  /** Median of the runs of `beside`. */
  readonly theirs: number;
  /** Median of the ratios of the pairs. */
  readonly ratio: number;
  /** The ratio that `--check` accepts at most. */
  readonly limit: number;
}

/** Something that is measured. */
export interface Subject {
  readonly name: string;
  /** One sentence for the table. */
  readonly title: string;
  /** What tsreg is measured against. */
  readonly beside: string;
  /** Runs it and returns a row for each workspace and measure. */
  measure(bench: Workbench): Promise<readonly Row[]>;
}
