import { GzipWriter } from '../../io/archive/gzip-writer.ts';
import { BLOCK } from '../../io/archive/tar-fields.ts';
import { tarHeader, tarPadding } from '../../io/archive/tar-header.ts';

/** Returns a `.crate` with small texts, by their paths in `topFolder`, which is `name-version`. */
export async function packArchive(
  topFolder: string,
  files: ReadonlyMap<string, string>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const gzip = new GzipWriter(
    `${topFolder}.crate`,
    Promise.resolve((bytes) => void chunks.push(bytes)),
  );
  for (const [path, text] of files) {
    const bytes = Buffer.from(text);
    const file = { path: `${topFolder}/${path}`, size: bytes.length, isExecutable: false };
    gzip.put(tarHeader({ ...file, isGenerated: true }));
    gzip.put(bytes);
    gzip.putZeros(tarPadding(bytes.length));
  }
  // Two empty blocks end a tar archive.
  gzip.putZeros(2 * BLOCK);
  gzip.end();
  await gzip.finish();
  return Buffer.concat(chunks);
}
