/** The graph of a workspace's packages as they are built. Cargo Book: cargo tree; Dependency Resolution, Features. */
import type { Resolution } from '../../../core/resolve/resolution.ts';
import { resolveFeatures } from '../../../core/resolve/feature-resolver.ts';
import { buildTreeGraph, type GraphOptions } from '../../../core/tree/build-graph.ts';
import type { TreeGraph } from '../../../core/tree/graph.ts';
import { HOST } from '../platform/compile-targets.ts';
import type { WorkspaceView } from './package-view.ts';
import type { SelectedGraph } from './select-graph.ts';
import type { ShownPackages } from './shown-packages.ts';

/** A resolved workspace, and the selected part of its graph. */
export interface BuiltGraphInputs {
  readonly view: WorkspaceView;
  readonly resolution: Resolution;
  readonly selection: SelectedGraph;
  /** The packages that the selection needs. */
  readonly packages: ShownPackages;
}

/** Returns the graph of the built packages, with the features that each build of a package has. */
export function makeBuiltGraph(
  { view, resolution, selection, packages }: BuiltGraphInputs,
  options: Pick<GraphOptions, 'kinds' | 'showsFeatures' | 'hidesProcMacros'>,
): TreeGraph {
  const { targets, showsAllTargets } = selection;
  const roots = selection.roots(resolution);
  const isProcMacro = (index: number): boolean => packages.isProcMacro(index);
  // With resolver 1, a package has one set of features, to which the dependents of all platforms and kinds contribute.
  const separatesHost = view.resolver !== '1';
  const features = resolveFeatures(resolution, {
    roots,
    separatesHost,
    ignoresDev: separatesHost && !options.kinds.has('dev'),
    isUsed: (dependency, builtFor) =>
      !separatesHost ||
      showsAllTargets ||
      (builtFor === 'host' ? [HOST] : targets.indexes).some((target) => targets.isUsed(dependency, target)),
    isProcMacro,
    isProcMacroLibrary: (index) => packages.isProcMacroLibrary(index),
  });
  return buildTreeGraph(resolution, {
    ...options,
    roots,
    features,
    targetCount: targets.triples.length,
    isUsed: (dependency, target) => showsAllTargets || targets.isUsed(dependency, target),
    isProcMacro,
  });
}
