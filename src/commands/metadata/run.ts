/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import { NodeFiles } from '../../io/disk/node-files.ts';
import type { DocumentField } from '../../core/document/document-fields.ts';
import type { TextWriter } from '../../core/files/text-sink.ts';
import { viewWorkspace } from '../shared/graph/package-view.ts';
import { cachedGraph } from './cached-graph.ts';
import type { MetadataOptions } from './options.ts';
import { printDocument } from './print.ts';
import { chooseManifest, openWorkspace } from '../shared/workspace/open-workspace.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { emitInitialWarnings, startRun } from '../shared/workspace/workspace-run.ts';

/**
 * Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it. Does not
 * resolve if no requested field needs it. Returns the document as one line, without its line break.
 */
export async function metadata(options: MetadataOptions, context: OperationContext): Promise<TextWriter> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const run = startRun(options, { context, files, manifestPath });
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const view = viewWorkspace(opened.workspace);
  emitInitialWarnings(view, run);
  if (options.formatVersion === null) {
    context.report.warning(
      'please specify `--format-version` flag explicitly to avoid compatibility problems',
    );
  }
  // Like cargo, rejects wrong features with `noDeps` too.
  const requested = run.requested();
  const needsGraph = !options.noDeps && options.fields.some((field) => GRAPH_FIELDS.includes(field));
  if (!needsGraph) return printDocument(view, null, options);
  const graph = await cachedGraph(run, opened, async (report) => {
    // This import loads much of the program. Most runs after an edit do not need it.
    const { makeGraph } = await import('./make-graph.ts');
    // `report` also notes that something was reported, which prevents caching.
    return makeGraph({ ...run, context: { ...context, report } }, { opened, view, requested });
  });
  return printDocument(view, graph, options);
}

/** The fields that depend on the resolved dependencies. */
const GRAPH_FIELDS: readonly DocumentField[] = ['packages', 'resolve'];
