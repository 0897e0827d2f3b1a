/** What one run of `tree` is about. Cargo Book: cargo tree. */
import type { PrintedWorkspace, WorkspaceView } from '../derived/package-view.ts';
import { TsregError } from '../errors/error.ts';
import {
  matchesPackageIdSpec,
  type PackageIdSpec,
  type PackageIdSpecOptions,
} from '../package-id/package-id-spec.ts';
import { joinPath } from '../files/path.ts';
import { type Report, reportTo } from '../report/report.ts';
import { selectFeatures } from '../resolve/cli-features.ts';
import type { FeatureRoot } from '../resolve/feature-resolver.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { DependencyKind, Summary } from '../summary/summary.ts';
import type { Forest } from '../tree/forest.ts';
import { compileTargets, HOST, type CompileTargets } from './compile-targets.ts';
import { reachableOnAny } from './describe-graph.ts';
import type { GraphSelection } from './load-graph.ts';
import { missingSpec } from './missing-values.ts';
import { readEntry } from './package-entry.ts';
import { type PackageFlags, selectSpecs } from './select-packages.ts';
import type { WorkspaceOptions, WorkspaceRun } from './workspace-run.ts';

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

/** Which part of a graph is asked for. Made by `selectTree`. */
export interface TreeSelection extends GraphSelection {
  /** What the tree starts from, each the specification of one package. */
  readonly specs: readonly PackageIdSpec[];
  readonly targets: CompileTargets;
  readonly showsAllTargets: boolean;
  /** Filters of what has to be there: for each target what is used on it or on the host. */
  readonly filters: readonly ((dependency: Summary['dependencies'][number]) => boolean)[];
  /** Where features spread from. */
  readonly roots: (resolution: Resolution) => readonly FeatureRoot[];
}

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

/** Finds out which part of the graph of a workspace is meant. What `report` is told are exclusions of nothing. */
export async function selectTree(
  view: WorkspaceView,
  run: TreeRun,
  { requested, report }: { readonly requested: RequestedFeatures; readonly report: Report },
): Promise<TreeSelection> {
  const { options } = run;
  const showsAllTargets = options.targets.length === 1 && options.targets[0] === 'all';
  const targets = await compileTargets(showsAllTargets ? [] : options.targets, options.config);
  const specs = selectSpecs(options.packages, selectable(view), { report, ...specOptions(run) });
  const isSelected = ({ id }: Summary): boolean => specs.some((spec) => matchesPackageIdSpec(spec, id));
  const members = view.members.map(({ summary }) => summary);
  const current = view.current === null ? null : (members[view.current] ?? null);
  const roots = (resolution: Resolution): readonly FeatureRoot[] => {
    const indexes = new Map(resolution.packages.map(({ id }, index) => [id.key, index]));
    const selected = selectFeatures(requested, {
      members: members.filter(isSelected),
      others: members.filter((member) => !isSelected(member)),
      current,
      isForAllMembers: current === null || view.resolver !== '1',
    });
    return selected.flatMap((root) => {
      const index = indexes.get(root.summary.id.key);
      return index === undefined ? [] : { package: index, requested: root.requested };
    });
  };
  const places = targets.triples.length === 0 ? [HOST] : Array.from(targets.triples.keys());
  const filters = places.map(
    (place) =>
      (dependency: Summary['dependencies'][number]): boolean =>
        (dependency.kind !== 'dev' || options.kinds.has('dev')) &&
        (showsAllTargets || targets.isUsed(dependency, place) || targets.isUsed(dependency, HOST)),
  );
  const needed = (resolution: Resolution): readonly number[] =>
    reachableOnAny(
      resolution,
      roots(resolution).map((root) => root.package),
      filters,
    );
  return { requested, isSelected, needed, specs, targets, showsAllTargets, filters, roots };
}

/** How a specification is told from a mistyped path. */
export function specOptions({ options, files }: TreeRun): Required<PackageIdSpecOptions> {
  return {
    existingPath: (text) => {
      const path = joinPath(options.config.cwd, text);
      return files.kind(path) === null ? null : path;
    },
  };
}

function selectable(view: WorkspaceView): Parameters<typeof selectSpecs>[1] {
  return {
    root: view.root,
    members: view.members,
    defaultMembers: view.defaultMembers.flatMap((index) => view.members[index] ?? []),
    currentManifest: { kind: view.current === null ? 'virtual' : 'package' },
  };
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}

/** A report to nobody. */
export const SILENT: Report = reportTo({});
