import type { Workbench } from './workbench.ts';

/** One line of the table: a figure of tsreg beside the figure that it is held against. */
export interface Row {
  readonly workspace: string;
  /** What was measured: `time` in milliseconds, `memory` in megabytes, `rate` a second. */
  readonly measure: 'time' | 'memory' | 'rate';
  /** Median of the runs of tsreg. */
  readonly ours: number;
  /** Median of the runs of `beside`; null where there is nothing to be held against. */
  readonly theirs: number | null;
  /** Median of the ratios of the pairs: above 1 is worse than `beside`. */
  readonly ratio: number | null;
  /** The ratio that `--check` accepts at most; null where none is too large. */
  readonly limit: number | null;
}

/** Something that is measured. */
export interface Subject {
  readonly name: string;
  /** One sentence for the table. */
  readonly title: string;
  /** What tsreg is measured against. */
  readonly beside: string;
  /** True for one that needs none of the workspaces. */
  readonly standsAlone?: true;
  /** Runs it and returns a row for each workspace and measure. */
  measure(bench: Workbench): Promise<readonly Row[]>;
}
