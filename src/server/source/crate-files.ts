/** Reads the files in a `.crate` without unpacking it to disk. */
import { inflateGzipInParts } from '../../io/archive/inflate-gzip.ts';
import { inspectCrate, type InspectOptions } from '../../io/archive/inspect-crate.ts';
import { readTarInParts, type TarEntryInParts } from '../../io/archive/read-tar.ts';

export { ORIGINAL_MANIFEST } from '../../io/archive/check-file-name.ts';

/** The bytes of a `.crate`, and what they may contain. */
export interface SourceArchive {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: Omit<InspectOptions, 'isPortable'>;
}

/** A file in an archive. */
export interface SourceFile {
  /** Relative to the archive's top folder, with `/` between components. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Returns the files of an archive in its order, each path once. Throws `archive` for one that another program could
 * read differently, such as with links or duplicates, and `limit` for one that is too large.
 */
export function listFiles(archive: SourceArchive): readonly SourceFile[] {
  inspectCrate(archive.bytes, { ...archive.options, isPortable: false });
  return Array.from(filesOf(archive), ([path, { size }]) => ({ path, size }));
}

/** Returns the content of a file; null if there is none. `listFiles` must accept the archive. */
export function readFile(archive: SourceArchive, path: string): Uint8Array<ArrayBuffer> | null {
  for (const [filePath, entry] of filesOf(archive)) if (filePath === path) return contentOfEntry(entry);
  return null;
}

/** Yields each file with its path. Its content can be read until the next one is requested. */
export function* filesOf({
  bytes,
  options,
}: SourceArchive): Generator<readonly [path: string, entry: TarEntryInParts], void, undefined> {
  const parts = inflateGzipInParts(bytes, options.maxUnpackedBytes, { isStrict: true });
  for (const entry of readTarInParts(parts, { isStrict: true }))
    if (entry.kind === 'file') yield [entry.path.slice(options.topFolder.length + 1), entry];
}

/** Returns the content of a file in memory that nothing else uses. */
export function contentOfEntry({ size, next }: TarEntryInParts): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(size);
  let offset = 0;
  for (let part = next(); part !== null; part = next()) {
    content.set(part, offset);
    offset += part.length;
  }
  return content;
}
