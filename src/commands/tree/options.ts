/** The options of `tree`, and their checks. Cargo Book: cargo tree. */
import type { WorkspaceView } from '../shared/graph/package-view.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { RequestedFeatures } from '../../core/resolve/problem.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import type { GraphPartOptions } from '../shared/graph/select-graph.ts';
import { emitInitialWarnings, type WorkspaceRun } from '../shared/workspace/workspace-run.ts';

/** The command-line options of `tree`. */
export interface TreeOptions extends GraphPartOptions {
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly listsPackages: boolean;
  /** True to show features as nodes between packages. */
  readonly showsFeatures: boolean;
  /** True to leave out procedural macros. */
  readonly hidesProcMacros: boolean;
  /** Package id specifications of the roots of an inverted tree; empty for a tree that is not inverted. */
  readonly invert: readonly string[];
  /** True to show only packages that are built more than once, as an inverted tree. */
  readonly duplicates: boolean;
  /** Package id specifications of the packages to hide. */
  readonly prune: readonly string[];
  /** The form of package IDs. */
  readonly idForm: 'legacy' | 'spec';
}

/** The state that the steps of a run share. */
export type TreeRun = WorkspaceRun<TreeOptions>;

/**
 * Emits the warnings of configuration and workspace, and returns the requested features. Throws if flags are invalid
 * that are checked only now.
 */
export function checkTreeFlags(view: WorkspaceView, run: TreeRun): RequestedFeatures {
  const { options } = run;
  emitInitialWarnings(view, run);
  if (options.listsPackages) throw missingSpec(view.members.map(({ summary }) => summary.id.name));
  const requested = run.requested();
  if (options.showsFeatures && options.duplicates) {
    throw invalid('the `-e features` flag does not support `--duplicates`');
  }
  return requested;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
