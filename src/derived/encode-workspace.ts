/** Writes what `recallWorkspace` and `recallSummaries` read. */
import type { SourceId } from '../package-id/source-id.ts';
import { type BlockParts, encodeContainer } from './container.ts';
import { type MemberOrigin, writeMembers } from './member-record.ts';
import { writeRegistries } from './named-registries.ts';
import type { PrintedPackage, WholePrintedWorkspace } from './package-view.ts';
import { writePrinted, writeWarning } from './printed-record.ts';
import { RecordWriter } from './record.ts';
import { SourceWriter } from './source-record.ts';
import { TextWriter } from './text-block.ts';
import type { EncodedSummaries } from './workspace-summaries.ts';

/** What a workspace was loaded from. */
export interface WorkspaceOrigin {
  /** Absolute path of the manifest that it was loaded for. */
  readonly manifestPath: string;
  /** Everything that was asked of the file system, but what was asked because of one member, with the answers. */
  readonly trace: Uint8Array;
  /** In the order of the workspace's members. */
  readonly members: readonly MemberOrigin[];
  /** What members may inherit from. */
  readonly root: Uint8Array;
  /** Registries that manifests named, as configuration resolved them. */
  readonly registries: ReadonlyMap<string, SourceId>;
  /** Of the workspace: `encodeSummaries`. */
  readonly summaries: EncodedSummaries;
}

/** The record of a workspace. */
export function encodeWorkspace(workspace: WholePrintedWorkspace, origin: WorkspaceOrigin): Uint8Array {
  const { manifestPath, trace, registries, summaries } = origin;
  const outline = new RecordWriter();
  const sources = new SourceWriter(outline, { keepsNames: true });
  const texts = new TextWriter(outline);
  const writePackage = (each: PrintedPackage): void => writePrinted(each, texts);
  outline.string(manifestPath);
  const members = writeMembers(origin.members, outline);
  writeRegistries(registries, outline, sources);
  outline.string(workspace.root);
  outline.list(workspace.members, writePackage);
  outline.list(workspace.defaultMembers, (index) => outline.int(index));
  outline.list(workspace.warnings, (warning) => writeWarning(warning, outline));
  outline.string(workspace.metadataText);
  outline.list(workspace.pathPackages, writePackage);
  const blocks = new Map<string, BlockParts>([
    ['trace', trace],
    ['root', origin.root],
    ...members,
    ...outline.blocks('outline'),
    ['texts', texts.finish()],
    ...summaries.blocks,
  ]);
  return encodeContainer(blocks);
}
