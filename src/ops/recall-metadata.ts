import { join } from 'node:path';
import { DamagedRecordError } from '../derived/record.ts';
import type { DerivedStore } from '../derived/store.ts';
import { readLockFile } from '../disk/cargo-lock.ts';
import { TsregError } from '../errors/error.ts';
import { describeGraph, describeMembers, graphWarnings } from './describe-workspace.ts';
import { greet, isPlain, type MetadataRun } from './metadata-run.ts';
import { platformFilter } from './platform-filter.ts';
import { recallGraph, recallWorkspace } from './recall.ts';

/** The document from what an earlier run left; null if that does not hold any more, and nothing was said. */
export async function recallMetadata(
  run: MetadataRun,
  store: DerivedStore,
): Promise<readonly Uint8Array[] | null> {
  const { options, context, manifestPath, files } = run;
  const { config } = options;
  try {
    const recall = { store, config, files };
    const view = recallWorkspace(manifestPath, recall);
    if (view === null) return null;
    if (options.noDeps) {
      run.requested();
      greet(view, run);
      return describeMembers(view, options);
    }
    if (!isPlain(run)) return null;
    const lockText = readLockFile(join(view.root, 'Cargo.lock'));
    if (lockText === null) return null;
    const platforms = await platformFilter(options.filterPlatforms, config);
    const graph = recallGraph(view, { lockText, requested: run.requested(), platforms }, recall);
    if (graph === null) return null;
    const document = describeGraph(view, graph, { ...options, platforms });
    greet(view, run);
    for (const warning of graphWarnings(view, graph, platforms)) context.report.warning(warning);
    return document;
  } catch (error) {
    // Whatever is wrong is found again, and told in its place, where everything is read anew.
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}
