/** What resolving asks of a workspace, as a part of its record. */
import type { SourceId } from '../package-id/source-id.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { PackageView, PrintedPackage, WorkspaceView } from './package-view.ts';
import { RecordReader, type RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import type { RecalledWorkspace } from './workspace-record.ts';

/** Writes what `recallSummaries` reads. `pathPackages` are those that are no members. */
export function writeSummaries(
  view: WorkspaceView,
  pathPackages: readonly PackageView[],
  out: RecordWriter,
): void {
  const summaries = new SummaryWriter(out);
  out.int(view.current ?? -1);
  out.int(Number(view.resolver));
  for (const { summary, libraryName } of [...view.members, ...pathPackages]) {
    summaries.summary(summary);
    out.string(libraryName);
  }
}

/** A workspace with the packages on paths that are no members. */
export interface RecalledView extends WorkspaceView {
  readonly pathPackages: readonly PackageView[];
}

/** A recalled workspace with its summaries. Throws `DamagedRecordError` if they are damaged. */
export function recallSummaries(workspace: RecalledWorkspace): RecalledView {
  const { sources, container } = workspace;
  const input = new RecordReader(container, 'summaries');
  const summaries = new SummaryReader(input, sources);
  const current = input.int();
  const resolver = resolverVersion(input.int());
  const readPackage = (printed: PrintedPackage): PackageView => {
    const summary = summaries.summary();
    return { ...printed, summary, libraryName: input.optionalString() };
  };
  const members = workspace.members.map(readPackage);
  const pathPackages = workspace.pathPackages.map(readPackage);
  const byPath = new Map<SourceId, PackageView>();
  for (const each of [...pathPackages, ...members]) byPath.set(each.summary.id.source, each);
  return {
    ...workspace,
    members,
    pathPackages,
    current: current === -1 ? null : current,
    resolver,
    pathPackage: (source) => byPath.get(source) ?? null,
  };
}

function resolverVersion(number: number): WorkspaceView['resolver'] {
  switch (number) {
    case 1:
      return '1';
    case 2:
      return '2';
    case 3:
      return '3';
    default:
      throw new DamagedRecordError('resolver');
  }
}
