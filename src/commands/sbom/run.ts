/** `sbom`: the software bill of materials of a workspace. */
import type { OperationContext } from '../../core/report/report.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { makeBuiltGraph } from '../shared/graph/built-graph.ts';
import { missingLibraryWarnings } from '../shared/graph/describe-graph.ts';
import { loadGraph } from '../shared/graph/load-graph.ts';
import { viewWorkspace } from '../shared/graph/package-view.ts';
import { type GraphPartOptions, selectGraph } from '../shared/graph/select-graph.ts';
import { ShownPackages } from '../shared/graph/shown-packages.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import { chooseManifest, openWorkspace } from '../shared/workspace/open-workspace.ts';
import type { PackageSelection } from '../shared/workspace/package-selection.ts';
import { emitInitialWarnings, startRun } from '../shared/workspace/workspace-run.ts';
import type { BillOfMaterials } from './bill-of-materials.ts';
import { collect } from './collect.ts';
import { creationTime } from './creation-time.ts';

/** The command-line options of `sbom`. */
export interface SbomOptions extends GraphPartOptions, PackageSelection {
  readonly format: SbomFormat;
}

/** The formats of the document. */
export type SbomFormat = 'cyclonedx' | 'spdx';

/** The result of `sbom`. */
export interface Sbom {
  readonly bill: BillOfMaterials;
  /** The document, as JSON. */
  readonly text: string;
}

/**
 * Brings `Cargo.lock` up to date, fetches the packages, and describes everything that the selected packages depend on.
 * The same workspace gives the same text.
 */
export async function sbom(options: SbomOptions, context: OperationContext): Promise<Sbom> {
  const { config, kinds } = options;
  const created = creationTime(config.env);
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const view = viewWorkspace(opened.workspace);
  emitInitialWarnings(view, run);
  if (options.listsPackages) throw missingSpec(view.members.map(({ summary }) => summary.id.name));
  const selection = await selectGraph(view, run, run.requested());
  const graph = await loadGraph(run, opened, selection);
  const { resolution } = graph;
  const roots = selection.roots(resolution).map((root) => root.package);
  for (const warning of missingLibraryWarnings(roots, graph, selection.filters))
    context.report.warning(warning);
  const packages = new ShownPackages(graph.packages, 'spec');
  const builtGraph = makeBuiltGraph(
    { view, resolution, selection, packages },
    { kinds, showsFeatures: false, hidesProcMacros: false },
  );
  const bill = collect({ graph, selection, builtGraph, root: view.root }, created);
  return { bill, text: await textOf(bill, options.format) };
}

async function textOf(bill: BillOfMaterials, format: SbomFormat): Promise<string> {
  if (format === 'spdx') return (await import('./spdx.ts')).spdxText(bill);
  return (await import('./cyclonedx.ts')).cycloneDxText(bill);
}
