/** Makes the dependency tree that `tree` shows from a resolved graph. Cargo Book: cargo tree. */
import { present } from '../../core/errors/assert.ts';
import type { WorkspaceView } from '../shared/graph/package-view.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import {
  matchesPackageIdSpec,
  type PackageIdSpec,
  parseSpecArgument,
} from '../../core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import { findDuplicates } from '../../core/tree/duplicates.ts';
import type { DependencyTree } from '../../core/tree/dependency-tree.ts';
import { makeBuiltGraph } from '../shared/graph/built-graph.ts';
import { type LoadedGraph, missingLibraryWarnings } from '../shared/graph/describe-graph.ts';
import { ShownPackages } from '../shared/graph/shown-packages.ts';
import type { SelectedGraph } from '../shared/graph/select-graph.ts';
import { specOptions } from '../shared/workspace/spec-options.ts';
import type { TreeRun } from './options.ts';

/** A loaded workspace, and the selected part of its graph. */
export interface LoadedTree {
  readonly view: WorkspaceView;
  readonly graph: LoadedGraph;
  readonly selection: SelectedGraph;
}

const NOTHING =
  'nothing to print.\n\nTo find dependencies that require specific target platforms, ' +
  'try to use option `--target all` first, and then narrow your search scope accordingly.';

/**
 * Makes the dependency tree of a graph. Warns and returns null if there is nothing to show. Throws cargo's error if a
 * specification matches no package, or several.
 */
export function makeTree(loaded: LoadedTree, run: TreeRun): DependencyTree | null {
  const { view, graph, selection } = loaded;
  const { options, context } = run;
  const { resolution, packages: views } = graph;
  const { report } = context;
  const rootIndexes = selection.roots(resolution).map((root) => root.package);
  for (const warning of missingLibraryWarnings(rootIndexes, graph, selection.filters))
    report.warning(warning);
  const packages = new ShownPackages(views, options.idForm);
  const treeGraph = makeBuiltGraph({ view, resolution, selection, packages }, options);
  const ids = resolution.packages.map(({ id }) => id);
  const idOf = (index: number): PackageId => present(ids[index], 'a package of the resolution');
  const parseSpec = (text: string): PackageIdSpec =>
    parseSpecArgument(text, specOptions(run.options.config, run.files));
  const specs = options.invert.length === 0 ? selection.specs : options.invert.map(parseSpec);
  const startKeys = new Set(specs.map((spec) => queryPackageIdSpec(spec, ids).key));
  let startNodes = treeGraph.packageNodes((index) => startKeys.has(idOf(index).key));
  if (options.duplicates) {
    startNodes = findDuplicates(treeGraph, treeGraph.keepReachable(startNodes), (index) => idOf(index).name);
  }
  if (options.duplicates || options.invert.length > 0) treeGraph.invert();
  const pruned = options.prune.map(parseSpec);
  // Throws if one of them does not match exactly one package.
  for (const spec of pruned) queryPackageIdSpec(spec, ids);
  if (startNodes.length === 0) {
    report.warning(NOTHING);
    return null;
  }
  const members = new Set(view.members.map(({ summary }) => summary.id.key));
  return {
    graph: treeGraph,
    roots: startNodes,
    targets: selection.targets.triples,
    packageAt: (index) => packages.show(index),
    isMember: (index) => members.has(idOf(index).key),
    isPruned: (index) => pruned.some((spec) => matchesPackageIdSpec(spec, idOf(index))),
  };
}
