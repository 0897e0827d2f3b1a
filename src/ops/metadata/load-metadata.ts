import type { DerivedStore } from '../../derived/store.ts';
import { type AskedQuestion, encodeGraphAnswer, questionOf } from '../graph/answer.ts';
import { describeGraph, graphWarnings, neededPackages } from '../graph/describe-graph.ts';
import { loadGraph, openRun } from '../graph/load-graph.ts';
import { greet, type MetadataRun } from './metadata-run.ts';
import { platformFilter } from '../platform/platform-filter.ts';
import { printDocument } from './print-document.ts';
import { type LoadedWorkspace, remember, type ResolvedDependencies } from '../graph/remember.ts';

/** A document, and what may be kept of what it was made from. */
export interface LoadedMetadata {
  readonly document: readonly Uint8Array[];
  /** True if the lock file as it was found left no choice: only then must the next run print the same. */
  readonly isForced: boolean;
  readonly workspace: LoadedWorkspace;
  readonly dependencies: ResolvedDependencies | null;
}

/**
 * Resolves everything anew: brings `Cargo.lock` up to date, fetches what is missing, describes all of it. Of packages
 * that are on disk as an earlier run read them, `store` may have what it made of their manifests.
 */
export async function loadMetadata(run: MetadataRun, store: DerivedStore | null): Promise<LoadedMetadata> {
  const { options, context } = run;
  const opened = openRun(run);
  const { view, loaded } = opened;
  greet(view, run);
  const requested = run.requested();
  if (options.noDeps) {
    const document = printDocument(view, null, options);
    return { document, isForced: true, workspace: loaded(), dependencies: null };
  }
  const warnings: string[] = [];
  const report = {
    warning: (text: string): void => {
      warnings.push(text);
      context.report.warning(text);
    },
  };
  const platforms = await platformFilter(options.filterPlatforms, options.config, { report });
  const selection = { requested, ...neededPackages(view, requested, platforms) };
  const graph = await loadGraph(run, opened, { selection, store });
  const { packages, isForced, dependencies } = graph;
  for (const warning of graphWarnings(view, graph, platforms)) report.warning(warning);
  const described = describeGraph(view, graph, { idForm: options.idForm, platforms });
  const document = printDocument(view, described, options);
  if (dependencies === null) return { document, isForced, workspace: loaded(), dependencies };
  const asked: AskedQuestion = {
    question: await questionOf(run),
    encode: (recorded, key) => encodeGraphAnswer({ packages, described, warnings }, recorded, key),
  };
  return {
    document,
    isForced,
    workspace: loaded(),
    dependencies: { ...dependencies, asked: isForced ? asked : null },
  };
}

/** Leaves what was loaded for the next run. */
export function rememberMetadata({ workspace, dependencies }: LoadedMetadata, store: DerivedStore): void {
  remember(workspace, dependencies, store);
}
