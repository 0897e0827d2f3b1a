import { Container, encodeContainer } from '../../src/derived/container.ts';

/** The record with another text of the same length in its blocks. */
export function withText(file: Uint8Array | null, text: string, other: string): Uint8Array {
  const bytes = Buffer.from(file ?? []);
  const container = Container.open(bytes);
  const directory: [string, [name: string][]] = JSON.parse(
    bytes.toString('utf8', 24, 24 + bytes.readInt32LE(20)),
  );
  const blocks = directory[1].map(([name]) => {
    const block = Buffer.from(container?.block(name) ?? []).toString('latin1');
    return [name, Buffer.from(block.replaceAll(text, other), 'latin1')] as const;
  });
  return encodeContainer(new Map(blocks));
}
