import type { Row } from './row.ts';
import type { Workbench } from './workbench.ts';

/** Something that is measured. */
export interface Subject {
  readonly name: string;
  /** One sentence for the table. */
  readonly title: string;
  /** True for one that needs none of the workspaces. */
  readonly standsAlone?: true;
  /** Runs it: a row for each workspace. */
  measure(bench: Workbench): Promise<readonly Row[]>;
}
