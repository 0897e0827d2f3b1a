import type { Row } from './row.ts';
import type { Workbench } from './workbench.ts';

/** A benchmark. */
export interface Subject {
  readonly name: string;
  /** One sentence for the table. */
  readonly title: string;
  /** True if the benchmark needs none of the workspaces. */
  readonly standsAlone?: true;
  /** Runs the benchmark and returns a row for each workspace or input. */
  measure(bench: Workbench): Promise<readonly Row[]>;
}
