/** What a question about a workspace led to, where everything that it was answered from is still the same. */
import { Container, encodeContainer } from './container.ts';
import type { KeptText } from './kept-text.ts';
import type { RecordFile } from './record-file.ts';
import { RecordReader, RecordWriter } from './record.ts';

/** The part of a document that the graph is told in, of a workspace and its dependencies as they are recorded. */
export interface Answer<Resolve = string> {
  /** Packages that had to be on disk, as indexes into the recorded dependencies. */
  readonly needed: readonly number[];
  /**
   * Packages in the order in which they are printed. From 0 on they count the recorded dependencies; from -1 down
   * the members of the workspace and then its path packages.
   */
  readonly printed: readonly number[];
  /** `resolve` of the document as JSON text. */
  readonly resolve: Resolve;
  /** What is said of it, each as the text after `warning: `. */
  readonly warnings: readonly string[];
}

/** What an answer depends on. */
export interface AnswerKey {
  /** Everything that was asked for, as text. */
  readonly question: string;
  /** Identities of what it was made from: of the workspace's record or of its summaries, and of the other record. */
  readonly workspace: string;
  readonly dependencies: string;
}

/** The record of an answer. */
export function encodeAnswer(answer: Answer, key: AnswerKey): Uint8Array {
  const out = new RecordWriter();
  for (const text of [key.question, key.workspace, key.dependencies]) out.string(text);
  out.list(answer.needed, (index) => out.int(index));
  out.list(answer.printed, (index) => out.int(index));
  out.list(answer.warnings, (warning) => out.string(warning));
  const { resolve } = answer;
  return encodeContainer(new Map([...out.blocks('answer'), ['resolve', Buffer.from(resolve)]]));
}

/**
 * Reads a record. null if it is of another format, or answers something else. Throws `DamagedRecordError` if it is
 * damaged.
 */
export function decodeAnswer(file: RecordFile, key: AnswerKey): Answer<KeptText> | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, 'answer');
  const isSame = [key.question, key.workspace, key.dependencies].every((text) => input.string() === text);
  if (!isSame) return null;
  return {
    needed: input.intList(),
    printed: input.intList(),
    warnings: input.list(() => input.string()),
    resolve: container.text('resolve'),
  };
}
