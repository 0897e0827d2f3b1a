/** `tree`: the resolved graph of a workspace as it is built. Cargo Book: cargo tree. */
import type { WorkspaceView } from '../derived/package-view.ts';
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError } from '../errors/error.ts';
import { matchesPackageIdSpec, parsePackageIdSpec } from '../package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../package-id/query-package-id-spec.ts';
import type { OperationContext } from '../report/report.ts';
import { resolveFeatures } from '../resolve/feature-resolver.ts';
import { buildTreeGraph } from '../tree/build-graph.ts';
import { findDuplicates } from '../tree/duplicates.ts';
import type { Forest } from '../tree/forest.ts';
import { forestDocument } from '../tree/document.ts';
import { chooseManifest } from './choose-manifest.ts';
import { HOST } from './compile-targets.ts';
import { type LoadedGraph, missingLibraryWarnings } from './describe-graph.ts';
import { recallTree } from './recall-tree.ts';
import { ShownPackages } from './shown-packages.ts';
import { SILENT, specOptions, type TreeOptions, type TreeRun, type TreeSelection } from './tree-run.ts';
import { BUILD } from './version.ts';
import { startRun } from './workspace-run.ts';

/** What comes out. */
export interface TreeResult {
  /** Null where there is nothing to show, of which the report is told. */
  readonly forest: Forest | null;
  /** Leaves on disk what lets the next run answer sooner. To be called when the result is delivered. */
  readonly remember: () => void;
}

/** A loaded workspace with the part of its graph that was asked for. */
export interface LoadedTree {
  readonly view: WorkspaceView;
  readonly graph: LoadedGraph;
  readonly selection: TreeSelection;
}

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and finds out what is built with which
 * features. `beforeLongWork` is called unless what an earlier run left is enough.
 */
export async function tree(
  options: TreeOptions,
  context: OperationContext & { readonly beforeLongWork?: () => void },
): Promise<TreeResult> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const mode = config.env.TSREG_CACHE;
  const store = mode === 'off' ? null : new DerivedStore(config.home, BUILD);
  if (store !== null && mode !== 'verify') {
    const recalled = await recallTree(run, store);
    if (recalled !== null) return { forest: makeForest(recalled, run), remember: () => {} };
  }
  context.beforeLongWork?.();
  const { loadTree } = await import('./load-tree.ts');
  const { loaded, remember } = await loadTree(run, mode === 'verify' ? null : store);
  const forest = makeForest(loaded, run);
  if (store === null) return { forest, remember: () => {} };
  if (mode !== 'verify') return { forest, remember: () => remember(store) };
  remember(store);
  const quiet = { ...run, context: { ...context, report: SILENT }, files: new NodeFiles() };
  await verify(makeForest((await loadTree(quiet, null)).loaded, quiet), quiet, store);
  return { forest, remember: () => {} };
}

/** Answers again from what a run left; fails if that is another answer. */
async function verify(forest: Forest | null, run: TreeRun, store: DerivedStore): Promise<void> {
  const recalled = await recallTree(run, store);
  if (recalled === null) return;
  const [expected, got] = [forest, makeForest(recalled, run)].map((each) =>
    each === null ? null : JSON.stringify(forestDocument(each)),
  );
  if (expected === got) return;
  throw new TsregError('the answer from derived files differs from the one without them', { code: 'bug' });
}

/** What a graph shows: null where that is nothing, of which the report is told. */
function makeForest({ view, graph, selection }: LoadedTree, run: TreeRun): Forest | null {
  const { options, context } = run;
  const { resolution } = graph;
  const { targets, showsAllTargets, specs } = selection;
  const roots = selection.roots(resolution);
  const rootIndexes = roots.map((root) => root.package);
  for (const warning of missingLibraryWarnings(rootIndexes, graph, selection.filters)) {
    context.report.warning(warning);
  }
  const packages = new ShownPackages(graph.packages, options.idForm);
  const isProcMacro = (index: number): boolean => packages.isProcMacro(index);
  const places = targets.triples.length === 0 ? [HOST] : Array.from(targets.triples.keys());
  const separatesHost = view.resolver !== '1';
  const features = resolveFeatures(resolution, {
    roots,
    separatesHost,
    ignoresDev: separatesHost && !options.kinds.has('dev'),
    isUsed: (dependency, builtFor) =>
      !separatesHost ||
      showsAllTargets ||
      (builtFor === 'host' ? [HOST] : places).some((place) => targets.isUsed(dependency, place)),
    isProcMacro,
    isProcMacroLibrary: (index) => packages.isProcMacroLibrary(index),
  });
  const shown = buildTreeGraph(resolution, {
    ...options,
    roots,
    features,
    targetCount: targets.triples.length,
    isUsed: (dependency, place) => showsAllTargets || targets.isUsed(dependency, place),
    isProcMacro,
  });
  const ids = resolution.packages.map(({ id }) => id);
  const parse = (text: string) => parsePackageIdSpec(text, specOptions(run));
  const startSpecs = options.invert.length === 0 ? specs : options.invert.map(parse);
  const starts = new Set(startSpecs.map((spec) => queryPackageIdSpec(spec, ids).key));
  let start = shown.packageNodes((index) => starts.has(ids[index]?.key ?? ''));
  if (options.duplicates) {
    start = findDuplicates(shown, shown.keepReachable(start), (index) => ids[index]?.name ?? '');
  }
  if (options.duplicates || options.invert.length > 0) shown.invert();
  const hidden = options.prune.map(parse);
  for (const spec of hidden) queryPackageIdSpec(spec, ids);
  if (start.length === 0) {
    context.report.warning(
      'nothing to print.\n\nTo find dependencies that require specific target platforms, ' +
        'try to use option `--target all` first, and then narrow your search scope accordingly.',
    );
    return null;
  }
  const members = new Set(view.members.map(({ summary }) => summary.id.key));
  return {
    graph: shown,
    roots: start,
    targets: targets.triples,
    packages: (index) => packages.show(index),
    isMember: (index) => members.has(ids[index]?.key ?? ''),
    isPruned: (index) => {
      const id = ids[index];
      return id !== undefined && hidden.some((spec) => matchesPackageIdSpec(spec, id));
    },
  };
}
