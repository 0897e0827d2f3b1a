/** A workspace as it was loaded, with everything that its loading read: as far as the document prints it. */
import { replayTrace } from '../disk/trace-record.ts';
import type { ComparableFiles } from '../files/files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { SourceTable } from '../package-id/source-table.ts';
import { Container } from './container.ts';
import { decodeEdits, type EditedMember } from './edits-record.ts';
import { type MemberOrigin, readMembers } from './member-record.ts';
import { type FindRegistry, readRegistries } from './named-registries.ts';
import type { WholePrintedWorkspace } from './package-view.ts';
import { PrintedReader, readWarning } from './printed-record.ts';
import { RecordReader } from './record.ts';
import type { RecordFile } from './record-file.ts';
import { SourceReader } from './source-record.ts';

/** What a record is held against. */
export interface WorkspaceCheck {
  /** Absolute path of the manifest that the workspace was loaded for. */
  readonly manifestPath: string;
  readonly files: ComparableFiles;
  readonly registry: FindRegistry;
  /** The record of what was edited since, for `decodeEdits`; asked only if a member is not as it was recorded. */
  readonly edits: () => RecordFile | null;
}

/** A workspace of which nothing has changed, or nothing but what was read because of some members alone. */
export interface RecalledWorkspace extends WholePrintedWorkspace {
  /** Indexes of these members: whatever is said of them here may not hold any more. */
  readonly edited: readonly number[];
  /** Other members that are not as they were recorded with the workspace, by index: an earlier run read them again. */
  readonly rereadBefore: ReadonlyMap<number, EditedMember>;
  /** How each member was read that was not read again. */
  readonly origins: readonly MemberOrigin[];
  readonly registries: ReadonlyMap<string, SourceId>;
  readonly sources: SourceTable;
  /** Another one for each record, and each state of the members that were edited since. */
  readonly identity: string;
  /** The file, for `recallSummaries` and `keptSummaries`. */
  readonly container: Container;
}

/**
 * Reads a record, without its summaries. null if it is of another format, or if anything that was read has changed
 * that does not belong to one member alone. Throws `DamagedRecordError` if it is damaged.
 */
export function recallWorkspace(file: RecordFile, check: WorkspaceCheck): RecalledWorkspace | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, 'outline');
  if (input.string() !== check.manifestPath || !replayTrace(container.block('trace'), check.files))
    return null;
  const origins = readMembers(input, container);
  const changed = origins.flatMap(({ trace }, index) => (replayTrace(trace, check.files) ? [] : [index]));
  if (changed.some((index) => (origins[index]?.meaning ?? null) === null)) return null;
  const since = editsSince(container, changed, check);
  const sources = new SourceTable();
  const ids = new SourceReader(input, sources);
  const registries = readRegistries(input, ids, { sources, registry: check.registry });
  if (registries === null) return null;
  const printed = new PrintedReader(input, container.text('texts'));
  return {
    ...since,
    origins,
    registries,
    root: input.string(),
    members: input.list(printed.read).map((each, index) => since.rereadBefore.get(index)?.printed ?? each),
    defaultMembers: input.intList(),
    warnings: input.list(() => readWarning(input)),
    metadataText: input.string(),
    pathPackages: input.list(printed.read),
    sources,
    container,
  };
}

/** Indexes of the members that can be read again by themselves. */
export function independentMembers({ origins }: RecalledWorkspace): readonly number[] {
  return origins.flatMap(({ meaning }, index) => (meaning === null ? [] : [index]));
}

/** What of these members is known from an earlier run, what is not, and what tells this state of them all from others. */
function editsSince(
  { identity }: Container,
  changed: readonly number[],
  { files, edits }: WorkspaceCheck,
): Pick<RecalledWorkspace, 'edited' | 'rereadBefore' | 'identity'> {
  const rereadBefore = new Map<number, EditedMember>();
  const file = changed.length === 0 ? null : edits();
  const kept = file === null ? null : decodeEdits(file, identity);
  if (kept === null) return { edited: changed, rereadBefore, identity };
  for (const index of changed) {
    const member = kept.members.get(index);
    if (member !== undefined && replayTrace(member.trace, files)) rereadBefore.set(index, member);
  }
  return {
    edited: changed.filter((index) => !rereadBefore.has(index)),
    rereadBefore,
    identity: JSON.stringify([identity, kept.identity, ...rereadBefore.keys()]),
  };
}
