/** What one run of `tree` is about. Cargo Book: cargo tree. */
import type { WorkspaceView } from '../graph/package-view.ts';
import { TsregError } from '../../errors/error.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { DependencyKind } from '../../summary/summary.ts';
import { missingSpec } from '../graph/missing-values.ts';
import type { PackageFlags } from '../workspace/select-packages.ts';
import type { WorkspaceOptions, WorkspaceRun } from '../workspace/workspace-run.ts';

/** What the command line asks for. */
export interface TreeOptions extends WorkspaceOptions {
  readonly packages: PackageFlags;
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly asksForPackages: boolean;
  /** Kinds of dependencies that are followed. */
  readonly kinds: ReadonlySet<DependencyKind>;
  /** True if features stand between packages. */
  readonly showsFeatures: boolean;
  /** True if procedural macros are left out. */
  readonly hidesProcMacros: boolean;
  /** Target triples; `all` alone for every platform. */
  readonly targets: readonly string[];
  /** Package id specifications of what the inverted tree starts from; empty for a tree that is not inverted. */
  readonly invert: readonly string[];
  readonly duplicates: boolean;
  /** Package id specifications of what is hidden. */
  readonly prune: readonly string[];
  readonly idForm: 'legacy' | 'spec';
}

/** What the steps of one run share. */
export type TreeRun = WorkspaceRun<TreeOptions>;

/** Reports what there is to say once the workspace is known. Throws where flags are wrong that are checked then. */
export function checkTreeFlags({ members, warnings }: WorkspaceView, run: TreeRun): RequestedFeatures {
  const { options, context, settings } = run;
  for (const warning of [...settings().warnings, ...warnings]) context.report.warning(warning);
  if (options.asksForPackages) throw missingSpec(members.map(({ summary }) => summary.id.name));
  const requested = run.requested();
  if (options.showsFeatures && options.duplicates) {
    throw invalid('the `-e features` flag does not support `--duplicates`');
  }
  return requested;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
