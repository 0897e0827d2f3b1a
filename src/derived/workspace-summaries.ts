/** What resolving asks of a workspace, as a part of its record. */
import type { SourceId } from '../package-id/source-id.ts';
import { type Container, newIdentity } from './container.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import type { PackageView, PatchView, PrintedPackage, WholeView, WorkspaceView } from './package-view.ts';
import { keptBlocks, RecordReader, RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import type { RecalledWorkspace } from './workspace-record.ts';

/** Names of blocks. */
const SUMMARIES = 'summaries';
const IDENTITY = 'summaries.identity';

/** What `recallSummaries` reads. */
export interface EncodedSummaries {
  /** Equal only for workspaces of which resolving learns the same. */
  readonly identity: string;
  readonly blocks: readonly (readonly [string, Uint8Array])[];
}

/** Everything that resolving asks of a workspace. Where that is what it was in `earlier`, they have the same identity. */
export function encodeSummaries(view: WholeView, earlier: EncodedSummaries | null): EncodedSummaries {
  const out = new RecordWriter();
  const summaries = new SummaryWriter(out, { keepsNames: true });
  out.int(view.current ?? -1);
  out.int(Number(view.resolver));
  out.int(view.hasReplacements ? 1 : 0);
  out.list(view.patches, ({ source, dependency, definedIn }) => {
    out.string(source.url);
    out.string(source.canonicalUrl);
    summaries.dependency(dependency);
    out.string(definedIn);
  });
  for (const packages of [view.members, view.pathPackages]) {
    out.list(packages, ({ summary, libraryName }) => {
      summaries.summary(summary);
      out.string(libraryName);
    });
  }
  const blocks = out.blocks(SUMMARIES);
  const isSame = ([, block]: (typeof blocks)[number], index: number): boolean => {
    const before = earlier?.blocks[index]?.[1];
    return before !== undefined && Buffer.compare(block, before) === 0;
  };
  const identity = earlier !== null && blocks.every(isSame) ? earlier.identity : newIdentity();
  return { identity, blocks: [...blocks, [IDENTITY, Buffer.from(identity)]] };
}

/** As `encodeSummaries`, of the workspace of a record. Throws `DamagedRecordError`. */
export function keptSummaries(container: Container): EncodedSummaries {
  const identity = container.block(IDENTITY);
  return {
    identity: Buffer.from(identity).toString(),
    blocks: [...keptBlocks(container, SUMMARIES), [IDENTITY, identity]],
  };
}

/** A recalled workspace with its summaries. Throws `DamagedRecordError` if they are damaged. */
export function recallSummaries(workspace: RecalledWorkspace): WholeView {
  const { sources, container } = workspace;
  const input = new RecordReader(container, SUMMARIES);
  const summaries = new SummaryReader(input, sources);
  const current = input.int();
  const resolver = resolverVersion(input.int());
  const hasReplacements = input.int() === 1;
  const patches = input.list(
    (): PatchView => ({
      source: { url: input.string(), canonicalUrl: input.string() },
      dependency: summaries.dependency(),
      definedIn: input.string(),
    }),
  );
  const readPackages = (printed: readonly PrintedPackage[]): readonly PackageView[] => {
    const found = input.list(() => ({ summary: summaries.summary(), libraryName: input.optionalString() }));
    if (found.length !== printed.length) throw new DamagedRecordError(SUMMARIES);
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
