import { Container, encodeContainer } from '../../src/derived/container.ts';
import { type RecordFile, RecordInMemory } from '../../src/derived/record-file.ts';

/** All of a record. */
export function bytesOf(file: RecordFile | null): Uint8Array | null {
  return file === null ? null : file.bytes(0, file.length);
}

/** The record with another text of the same length in its blocks. */
export function withText(file: Uint8Array | null, text: string, other: string): Uint8Array {
  const bytes = Buffer.from(file ?? []);
  const container = Container.open(new RecordInMemory(bytes));
  const directory: [string, [name: string][]] = JSON.parse(
    bytes.toString('utf8', 24, 24 + bytes.readInt32LE(20)),
  );
  const blocks = directory[1].map(([name]) => {
    const block = Buffer.from(container?.block(name) ?? []).toString('latin1');
    return [name, Buffer.from(block.replaceAll(text, other), 'latin1')] as const;
  });
  return encodeContainer(new Map(blocks));
}
