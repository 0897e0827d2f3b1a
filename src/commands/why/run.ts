/** `why`: finds the paths by which members of the workspace depend on a package. */
import { withContext } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import { parseSpecArgument } from '../../core/package-id/package-id-spec.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { DependencyKind } from '../../core/summary/summary.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { loadGraph } from '../shared/graph/load-graph.ts';
import { viewWorkspace } from '../shared/graph/package-view.ts';
import { type GraphPartOptions, selectGraph } from '../shared/graph/select-graph.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import { chooseManifest, openWorkspace } from '../shared/workspace/open-workspace.ts';
import type { PackageSelection } from '../shared/workspace/package-selection.ts';
import { specOptions } from '../shared/workspace/spec-options.ts';
import { emitInitialWarnings, startRun } from '../shared/workspace/workspace-run.ts';
import { describePath } from './describe.ts';
import type { WhyDocument, WhyEntry } from './document.ts';
import { findPackages } from './find-packages.ts';

/** The command-line options of `why`. */
export interface WhyOptions extends Omit<GraphPartOptions, 'kinds'>, PackageSelection {
  /** A package id specification. */
  readonly spec: string;
  /** True for all paths, up to a limit; false for the shortest one from each member. */
  readonly all: boolean;
  /** The form of package IDs. */
  readonly idForm: 'legacy' | 'spec';
}

/** The result of `why`. */
export interface WhyResult {
  readonly document: WhyDocument;
  /** The packages of the document in the same order, with their sources. */
  readonly titles: readonly string[];
  /** Further packages of the lock file that match, but are not needed here; with their sources. */
  readonly unneeded: readonly string[];
  /** The flags that also search for paths to these. */
  readonly moreFlags: string;
}

const ALL_KINDS: ReadonlySet<DependencyKind> = new Set(['normal', 'build', 'dev']);

/**
 * Brings `Cargo.lock` up to date, and finds the paths from the selected members to the packages that match the
 * specification. Downloads no packages. Throws `not-found` if no path leads to such a package.
 */
export async function why(options: WhyOptions, context: OperationContext): Promise<WhyResult> {
  const { config, idForm } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun({ ...options, kinds: ALL_KINDS }, { context, files, manifestPath });
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const view = viewWorkspace(opened.workspace);
  emitInitialWarnings(view, run);
  const members = view.members.map(({ summary }) => summary.id);
  if (options.listsPackages) throw missingSpec(members.map(({ name }) => name));
  const spec = withContext(`invalid package ID specification: \`${options.spec}\``, () =>
    parseSpecArgument(options.spec, specOptions(config, files)),
  );
  const selection = await selectGraph(view, run, run.requested());
  const graph = await loadGraph(run, opened, { ...selection, neededPackages: () => [] });
  const { found, unneeded, moreFlags } = findPackages(spec, { graph, selection, all: options.all });
  const memberKeys = new Set(members.map(({ key }) => key));
  return {
    document: {
      version: 1,
      packages: found.map(
        ({ id, paths, complete }): WhyEntry => ({
          id: formatPackageId(id, idForm),
          name: id.name,
          version: id.version.text,
          workspace_member: memberKeys.has(id.key),
          paths: paths.map((path) => describePath(path, graph.resolution, idForm)),
          complete,
        }),
      ),
    },
    titles: found.map(({ id }) => describePackage(id)),
    unneeded: unneeded.map(describePackage),
    moreFlags,
  };
}
