/** Members that were edited since their workspace was recorded, kept beside its record as long as they are few. */
import { type BlockParts, Container, encodeContainer } from './container.ts';
import type { PrintedPackage } from './package-view.ts';
import { PrintedReader, writePrinted } from './printed-record.ts';
import { RecordReader, RecordWriter } from './record.ts';
import type { RecordFile } from './record-file.ts';
import { TextReader, TextWriter } from './text-block.ts';

/** A member that was read again: the rest of the workspace learns from it what it learned before. */
export interface EditedMember {
  /** What was asked because of it alone, with the answers: `TracingFiles.record()`. */
  readonly trace: Uint8Array;
  readonly printed: PrintedPackage;
}

/** What was edited in a workspace. */
export interface Edits {
  /** By index of the member. */
  readonly members: ReadonlyMap<number, EditedMember>;
  /** Another one for each record. */
  readonly identity: string;
}

/** Names of blocks. */
const OUTLINE = 'outline';
const TRACES = 'traces';
const TEXTS = 'texts';

/** The record of edits of the workspace whose record has the identity `workspace`. */
export function encodeEdits(members: Edits['members'], workspace: string): Uint8Array {
  const outline = new RecordWriter();
  const [traces, texts] = [new TextWriter(outline), new TextWriter(outline)];
  outline.string(workspace);
  outline.map(members, (index, { trace, printed }) => {
    outline.int(index);
    traces.write(trace);
    writePrinted(printed, texts);
  });
  return encodeContainer(
    new Map<string, BlockParts>([
      ...outline.blocks(OUTLINE),
      [TRACES, traces.finish()],
      [TEXTS, texts.finish()],
    ]),
  );
}

/**
 * Reads a record. null if it is of another format, or of another state of the workspace. Throws `DamagedRecordError` if
 * it is damaged.
 */
export function decodeEdits(file: RecordFile, workspace: string): Edits | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, OUTLINE);
  if (input.string() !== workspace) return null;
  const traces = new TextReader(input, container.block(TRACES));
  const texts = new PrintedReader(input, container.text(TEXTS));
  const members = input.list(() => [input.int(), { trace: traces.read(), printed: texts.read() }] as const);
  return { members: new Map(members), identity: container.identity };
}
