/** The document from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import { type Answer, type AnswerKey, decodeAnswer } from '../../derived/answer-record.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { RecalledDependencies } from '../../derived/dependency-record.ts';
import type { PrintedPackage } from '../../derived/package-view.ts';
import type { DerivedStore } from '../../derived/store.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import { TsregError } from '../../errors/error.ts';
import { questionOf } from '../graph/answer.ts';
import { greet, type MetadataResult, type MetadataRun } from './metadata-run.ts';
import { openDependencyRecord, openWorkspaceRecord } from '../graph/open-records.ts';
import { printDocument } from './print-document.ts';

/** The document from what an earlier run left; null if that does not hold any more, and nothing was said. */
export async function recallMetadata(run: MetadataRun, store: DerivedStore): Promise<MetadataResult | null> {
  const { options, context } = run;
  try {
    const workspace = openWorkspaceRecord(run, store);
    if (workspace === null) return null;
    if (options.noDeps) {
      run.requested();
      greet(workspace, run);
      return { document: printDocument(workspace, null, options), remember: () => {} };
    }
    const dependencies = openDependencyRecord(workspace, run, store);
    if (dependencies === null) return null;
    const question = await questionOf(run);
    const key = { question, workspace: workspace.identity, dependencies: dependencies.identity };
    const answer = openAnswer(key, store);
    if (answer === null) {
      // What this takes is as much again as all else on this way.
      const { resolveRecalled } = await import('../graph/resolve-recalled.ts');
      return await resolveRecalled(run, { workspace, dependencies, key, store });
    }
    const packages = printedPackages(answer, workspace, dependencies, run);
    if (packages === null) return null;
    greet(workspace, run);
    for (const warning of answer.warnings) context.report.warning(warning);
    const document = printDocument(workspace, { packages, resolve: answer.resolve }, options);
    return { document, remember: () => {} };
  } catch (error) {
    // Whatever is wrong is found again, and told in its place, where everything is read anew.
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}

function openAnswer(key: AnswerKey, store: DerivedStore): Answer | null {
  const file = store.read('answer', key.question);
  return file === null ? null : decodeAnswer(file, key);
}

/** The packages that an answer prints; null if one that it needs is not on disk any more. */
function printedPackages(
  { needed, printed }: Answer,
  { members, pathPackages }: RecalledWorkspace,
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
