/** The part of a graph that a command needs. */
import type { PackageView } from './package-view.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import type { Summary } from '../../../core/summary/summary.ts';

/** The graph of a workspace to resolve, and the packages of it to read. */
export interface GraphSelection {
  readonly requested: RequestedFeatures;
  /** Returns true for members whose features are requested; by default for all. */
  readonly isSelected?: (member: Summary) => boolean;
  /** Names with which the user selected packages. */
  readonly selectedNames?: readonly string[];
  /** Returns the indexes of the packages that must be on disk, sorted. */
  readonly neededPackages: (resolution: Resolution) => readonly number[];
  /** Returns the index of a further package that must be on disk, given those read so far; null if there is none. */
  readonly nextNeededPackage?: (
    resolution: Resolution,
    packages: ReadonlyMap<number, PackageView>,
  ) => Promise<number | null>;
}
