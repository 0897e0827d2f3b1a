/** What resolving asks of a workspace, as a part of its record. */
import { createHash } from 'node:crypto';
import type { SourceId } from '../package-id/source-id.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { PackageView, PatchView, PrintedPackage, WholeView, WorkspaceView } from './package-view.ts';
import { keptBlocks, RecordReader, RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import type { RecalledWorkspace } from './workspace-record.ts';

/** What `recallSummaries` reads. */
export interface EncodedSummaries {
  /** Equal for workspaces of which resolving learns the same. */
  readonly identity: string;
  readonly blocks: readonly (readonly [string, Uint8Array])[];
}

/** Everything that resolving asks of a workspace. */
export function encodeSummaries(view: WholeView): EncodedSummaries {
  const out = new RecordWriter();
  const summaries = new SummaryWriter(out);
  out.int(view.current ?? -1);
  out.int(Number(view.resolver));
  out.int(view.hasReplacements ? 1 : 0);
  out.list(view.patches, ({ source, dependency, definedIn }) => {
    summaries.source(source);
    summaries.dependency(dependency);
    out.string(definedIn);
  });
  for (const packages of [view.members, view.pathPackages]) {
    out.list(packages, ({ summary, libraryName }) => {
      summaries.summary(summary);
      out.string(libraryName);
    });
  }
  const blocks = out.blocks('summaries');
  const hash = createHash('sha256');
  for (const [, bytes] of blocks) hash.update(`${bytes.length}\0`).update(bytes);
  return { identity: hash.digest('hex'), blocks };
}

/** As `encodeSummaries`, of a workspace of which resolving learns nothing new. Throws `DamagedRecordError`. */
export function keptSummaries({ graphIdentity, container }: RecalledWorkspace): EncodedSummaries {
  return { identity: graphIdentity, blocks: keptBlocks(container, 'summaries') };
}

/** A recalled workspace with its summaries. Throws `DamagedRecordError` if they are damaged. */
export function recallSummaries(workspace: RecalledWorkspace): WholeView {
  const { sources, container } = workspace;
  const input = new RecordReader(container, 'summaries');
  const summaries = new SummaryReader(input, sources);
  const current = input.int();
  const resolver = resolverVersion(input.int());
  const hasReplacements = input.int() === 1;
  const patches = input.list(
    (): PatchView => ({
      source: summaries.source(),
      dependency: summaries.dependency(),
      definedIn: input.string(),
    }),
  );
  const readPackages = (printed: readonly PrintedPackage[]): readonly PackageView[] => {
    const found = input.list(() => ({ summary: summaries.summary(), libraryName: input.optionalString() }));
    if (found.length !== printed.length) throw new DamagedRecordError('summaries');
    return printed.flatMap((each, index) => {
      const rest = found[index];
      return rest === undefined ? [] : { ...each, ...rest };
    });
  };
  const members = readPackages(workspace.members);
  const pathPackages = readPackages(workspace.pathPackages);
  const byPath = new Map<SourceId, PackageView>();
  for (const each of [...pathPackages, ...members]) byPath.set(each.summary.id.source, each);
  return {
    ...workspace,
    members,
    pathPackages,
    patches,
    hasReplacements,
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
