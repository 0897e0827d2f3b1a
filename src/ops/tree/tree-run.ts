/** What one run of `tree` is about. Cargo Book: cargo tree. */
import type { PrintedWorkspace } from '../../derived/package-view.ts';
import { TsregError } from '../../errors/error.ts';
import { type Report, reportTo } from '../../report/report.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { DependencyKind } from '../../summary/summary.ts';
import type { Forest } from '../../tree/forest.ts';
import { missingSpec } from '../graph/missing-values.ts';
import { readEntry } from '../package/package-entry.ts';
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

/** What comes out. */
export interface TreeResult {
  /** Null where there is nothing to show, of which the report is told. */
  readonly forest: Forest | null;
  /** Leaves on disk what lets the next run answer sooner. To be called when the result is delivered. */
  readonly remember: () => void;
}

/** What the steps of one run share. */
export type TreeRun = WorkspaceRun<TreeOptions>;

/** What is said once the workspace is known; fails where flags are wrong that are looked at then. */
export function greetTree({ members, warnings }: PrintedWorkspace, run: TreeRun): RequestedFeatures {
  const { options, context, settings } = run;
  for (const warning of [...settings().warnings, ...warnings]) context.report.warning(warning);
  if (options.asksForPackages) throw missingSpec(members.map((member) => readEntry(member).name));
  const requested = run.requested();
  if (options.showsFeatures && options.duplicates) {
    throw invalid('the `-e features` flag does not support `--duplicates`');
  }
  return requested;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}

/** A report to nobody. */
export const SILENT: Report = reportTo({});
