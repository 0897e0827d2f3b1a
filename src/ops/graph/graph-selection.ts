/** What is asked for of a graph. */
import type { PackageView } from './package-view.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { Resolution } from '../../resolve/resolution.ts';
import type { Summary } from '../../summary/summary.ts';

/** Which graph of a workspace is wanted, and which of its packages. */
export interface GraphSelection {
  readonly requested: RequestedFeatures;
  /** Members that features are asked of; all of them unless given. */
  readonly isSelected?: (member: Summary) => boolean;
  /** Names that the user selected packages by. */
  readonly selectedNames?: readonly string[];
  /** Indexes of the packages that have to be on disk, sorted. */
  readonly needed: (resolution: Resolution) => readonly number[];
  /** Index of one more package that has to be, because of what is known of `packages`; null if that is all. */
  readonly neededToo?: (
    resolution: Resolution,
    packages: ReadonlyMap<number, PackageView>,
  ) => Promise<number | null>;
}
