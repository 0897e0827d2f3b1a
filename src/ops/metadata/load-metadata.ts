import type { RecordStore } from '../../derived/store.ts';
import type { WrittenText } from '../../files/text-sink.ts';
import { type AskedQuestion, encodeGraphAnswer, questionOf, subjectOf } from '../graph/answer.ts';
import { describeGraph, graphWarnings, neededPackages } from '../graph/describe-graph.ts';
import { type KnownPackages, loadGraph } from '../graph/load-graph.ts';
import { type EarlyRecord, recordEarly } from '../graph/remember-workspace.ts';
import type { LoadedWorkspace, OpenedRun } from '../graph/open-run.ts';
import { greet, type MetadataRun } from './metadata-run.ts';
import { platformFilter } from '../platform/platform-filter.ts';
import { printDocument } from './print-document.ts';
import { remember, type ResolvedDependencies } from '../graph/remember.ts';
import { noMembers } from '../workspace/select-packages.ts';

/** A document, and what may be kept of what it was made from. */
export interface LoadedMetadata {
  readonly document: WrittenText;
  /** True if the lock file as it was found left no choice: only then must the next run print the same. */
  readonly isForced: boolean;
  readonly workspace: LoadedWorkspace | null;
  /** Of `workspace`, if there was time to make it. */
  readonly early: EarlyRecord | null;
  readonly dependencies: ResolvedDependencies | null;
}

/** Where packages are had from, and whether anything is to be kept. */
export interface LoadingOptions extends KnownPackages {
  readonly isKept: boolean;
}

/** Resolves everything anew: brings `Cargo.lock` up to date, fetches what is missing, describes all of it. */
export async function loadMetadata(
  run: MetadataRun,
  opened: OpenedRun,
  { kept, ahead, isKept }: LoadingOptions,
): Promise<LoadedMetadata> {
  const { options, context } = run;
  const { view, loaded } = opened;
  greet(view, run);
  const requested = run.requested();
  if (options.noDeps) {
    const document = printDocument(view, null, options);
    return { document, isForced: true, workspace: loaded(), early: null, dependencies: null };
  }
  const warnings: string[] = [];
  const report = {
    warning: (text: string): void => {
      warnings.push(text);
      context.report.warning(text);
    },
  };
  const platforms = await platformFilter(options.filterPlatforms, options.config, { report });
  if (view.members.length === 0) throw noMembers(view.root);
  const selection = { requested, ...neededPackages(view, requested, platforms) };
  let early: EarlyRecord | null = null;
  const meanwhile = (): void => {
    if (isKept) early = recordEarly(loaded());
  };
  const graph = await loadGraph(run, opened, { selection, kept, ahead, meanwhile });
  const { packages, isForced, dependencies } = graph;
  const workspace = graph.keepsNames ? loaded() : null;
  for (const warning of graphWarnings(view, graph, platforms)) report.warning(warning);
  const described = describeGraph(view, graph, { idForm: options.idForm, platforms });
  const document = printDocument(view, described, options);
  if (dependencies === null) return { document, isForced, workspace, early, dependencies };
  const asked: AskedQuestion = {
    question: await questionOf(run),
    about: subjectOf(run),
    encode: (recorded, key) => encodeGraphAnswer({ packages, described, warnings }, recorded, key),
  };
  return {
    document,
    isForced,
    workspace,
    early,
    dependencies: { ...dependencies, asked: isForced ? asked : null },
  };
}

/** Leaves what was loaded for the next run. */
export function rememberMetadata(
  { workspace, early, dependencies }: LoadedMetadata,
  store: RecordStore,
): void {
  remember({ workspace, early, dependencies }, store);
}
