/**
 * Selects the part of a workspace's graph that `tree`, `why` and `sbom` describe. Cargo Book: cargo tree, Package
 * Selection.
 */
import { present } from '../../../core/errors/assert.ts';
import type { WorkspaceView } from './package-view.ts';
import { matchesPackageIdSpec, type PackageIdSpec } from '../../../core/package-id/package-id-spec.ts';
import type { DependencyFilter } from '../../../core/document/reach.ts';
import { selectFeatures } from '../../../core/resolve/cli-features.ts';
import type { FeatureRoot } from '../../../core/resolve/feature-resolver.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import type { DependencyKind, Summary } from '../../../core/summary/summary.ts';
import { compileTargets, HOST, type CompileTargets } from '../platform/compile-targets.ts';
import { reachableOnAny } from './describe-graph.ts';
import { rootsInGraph } from './roots-in-graph.ts';
import type { GraphSelection } from './graph-selection.ts';
import {
  type PackageFlags,
  type SelectableMember,
  type SelectableWorkspace,
  selectSpecs,
} from '../workspace/select-packages.ts';
import { specOptions } from '../workspace/spec-options.ts';
import type { WorkspaceOptions, WorkspaceRun } from '../workspace/workspace-run.ts';

/** The options that select the part. */
export interface GraphPartOptions extends WorkspaceOptions {
  readonly packages: PackageFlags;
  /** Kinds of dependencies to follow. */
  readonly kinds: ReadonlySet<DependencyKind>;
  /** Target triples; `all` alone for every platform. */
  readonly targets: readonly string[];
}

/** The part of a graph to show. Made by `selectGraph`. */
export interface SelectedGraph extends GraphSelection {
  /** The packages that the tree starts from, one specification each. */
  readonly specs: readonly PackageIdSpec[];
  readonly targets: CompileTargets;
  readonly showsAllTargets: boolean;
  /**
   * A package must be on disk if one of these filters accepts an edge to it. There is one filter per target. It accepts
   * dependencies used on that target or on the host.
   */
  readonly filters: readonly DependencyFilter[];
  /** Returns the packages that feature resolution starts from. */
  readonly roots: (resolution: Resolution) => readonly FeatureRoot[];
}

/** Selects the part of a workspace's graph to show. Warns about exclusions that match nothing. */
export async function selectGraph(
  view: WorkspaceView,
  run: WorkspaceRun<GraphPartOptions>,
  requested: RequestedFeatures,
): Promise<SelectedGraph> {
  const { options, context } = run;
  const { report } = context;
  const showsAllTargets = options.targets.length === 1 && options.targets[0] === 'all';
  const targets = await compileTargets(showsAllTargets ? [] : options.targets, options.config, { report });
  const { existingPath } = specOptions(options.config, run.files);
  const specs = selectSpecs(options.packages, selectable(view), { report, existingPath });
  const isSelected = ({ id }: Summary): boolean => specs.some((spec) => matchesPackageIdSpec(spec, id));
  const selectedNames = specs.map(({ name }) => name);
  const members = view.members.map(({ summary }) => summary);
  const current = view.current === null ? null : present(members[view.current], 'the current package');
  const roots = (resolution: Resolution): readonly FeatureRoot[] => {
    const selected = selectFeatures(requested, {
      members: members.filter(isSelected),
      others: members.filter((member) => !isSelected(member)),
      names: selectedNames,
      current,
      isForAllMembers: current === null || view.resolver !== '1',
    });
    return rootsInGraph(selected, resolution);
  };
  const filters = targets.indexes.map(
    (target): DependencyFilter =>
      (dependency) =>
        (dependency.kind !== 'dev' || options.kinds.has('dev')) &&
        (showsAllTargets || targets.isUsed(dependency, target) || targets.isUsed(dependency, HOST)),
  );
  const neededPackages = (resolution: Resolution): readonly number[] =>
    reachableOnAny(
      resolution,
      roots(resolution).map((root) => root.package),
      filters,
    );
  return {
    requested,
    isSelected,
    selectedNames,
    neededPackages,
    specs,
    targets,
    showsAllTargets,
    filters,
    roots,
  };
}

function selectable(view: WorkspaceView): SelectableWorkspace<SelectableMember> {
  return {
    root: view.root,
    members: view.members,
    defaultMembers: view.defaultMembers.map((index) => present(view.members[index], 'a default member')),
    currentManifest: { kind: view.current === null ? 'virtual' : 'package' },
  };
}
