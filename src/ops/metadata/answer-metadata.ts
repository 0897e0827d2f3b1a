/** The document of a workspace that is known, from what an earlier run left of its dependencies. */
import { type Answer, type AnswerKey, decodeAnswer } from '../../derived/answer-record.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import type { KeptText } from '../../derived/kept-text.ts';
import type { PrintedPackage } from '../../derived/package-view.ts';
import type { RecordStore } from '../../derived/store.ts';
import { questionOf, subjectOf } from '../graph/answer.ts';
import { KeptDependencies } from '../graph/kept-dependencies.ts';
import { openDependencyRecord } from '../graph/open-records.ts';
import type { KnownWorkspace } from './known-graph.ts';
import { greet, type MetadataResult, type MetadataRun } from './metadata-run.ts';
import { printDocument } from './print-document.ts';

/**
 * The document; null if anything has to be asked, written or fetched, and nothing was said. Throws as whatever is wrong
 * is told; it is to be told where everything is read anew.
 */
export async function answerMetadata(
  run: MetadataRun,
  workspace: KnownWorkspace,
  store: RecordStore,
): Promise<MetadataResult | null> {
  const { options, context } = run;
  if (options.noDeps) {
    run.requested();
    const document = printDocument(workspace, null, options);
    greet(workspace, run);
    return { document, remember: () => {} };
  }
  // Without members there is no graph, which is told in its place.
  const identity = workspace.members.length === 0 ? null : workspace.identity(subjectOf(run));
  if (identity === null) return null;
  const kept = workspace.kept ?? new KeptDependencies(store, workspace, options.config);
  const dependencies = openDependencyRecord(workspace, run, kept);
  if (dependencies === null) return null;
  const question = await questionOf(run);
  const key = { question, workspace: identity, dependencies: dependencies.identity };
  const answer = openAnswer(key, store);
  if (answer === null) {
    run.beforeLongWork();
    // What this takes is as much again as all else on this way.
    const { resolveRecalled } = await import('./resolve-recalled.ts');
    return resolveRecalled(run, { workspace, dependencies, key, store });
  }
  if (!dependencies.hold()) return null;
  const packages = printedPackages(answer, workspace, dependencies, run);
  if (packages === null) return null;
  const document = printDocument(workspace, { packages, resolve: answer.resolve }, options);
  greet(workspace, run);
  for (const warning of answer.warnings) context.report.warning(warning);
  return { document, remember: () => {} };
}

function openAnswer(key: AnswerKey, store: RecordStore): Answer<KeptText> | null {
  const file = store.read('answer', key.question);
  return file === null ? null : decodeAnswer(file, key);
}

/** The packages that an answer prints; null if one that it needs is not on disk any more. */
function printedPackages(
  { needed, printed }: Pick<Answer, 'needed' | 'printed'>,
  { members, pathPackages }: KnownWorkspace,
  { packages }: RecalledDependencies,
  { onDisk }: MetadataRun,
): readonly PrintedPackage[] | null {
  for (const index of needed) {
    const content = packages[index]?.content ?? null;
    if (content === null || !onDisk.has(content)) return null;
  }
  const onPaths = [...members, ...pathPackages];
  return printed.map((index) => {
    const found = index < 0 ? onPaths[-1 - index] : packages[index]?.content;
    if (found === null || found === undefined) throw new DamagedRecordError('answer');
    return found;
  });
}
