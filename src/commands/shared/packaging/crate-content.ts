/** A `.crate` in memory. Its content is hostile. */
import { archiveError } from '../../../io/archive/archive-error.ts';
import { ArchiveFiles } from '../../../io/archive/archive-files.ts';
import { inflateGzip } from '../../../io/archive/inflate-gzip.ts';
import { readTar, type TarEntry } from '../../../io/archive/read-tar.ts';
import { osError } from '../../../io/disk/errno.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { TsregError, withContext } from '../../../core/errors/error.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { readPreparedManifest } from '../../../core/manifest/read-prepared-manifest.ts';
import { writtenFeatures } from '../../../core/manifest/written-tables.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import type { SourceTable } from '../../../core/package-id/source-table.ts';
import { packageDirName } from '../../../io/sources/crate-file.ts';
import { sha256Hex } from '../../../io/disk/sha256.ts';

/** A larger package cannot be compared: both are in memory. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
/** The most entries of an archive, each of which needs memory even if it is empty. */
const MAX_ENTRIES = 100_000;
const MANIFEST = 'Cargo.toml';

/** A file of a package. */
export interface PackedFile {
  readonly data: Uint8Array;
  readonly isExecutable: boolean;
}

/** The files of a `.crate` in memory. */
export interface CrateFiles {
  /** The name of the folder that contains all files: `NAME-VERSION`, unless the archive is wrong. */
  readonly folder: string;
  /** By path, relative to the folder of the package. */
  readonly files: ReadonlyMap<string, PackedFile>;
  /** SHA-256 of the `.crate`, in hexadecimal. */
  readonly checksum: string;
  /** Bytes of the `.crate`. */
  readonly size: number;
  /** Bytes of all files. */
  readonly unpackedSize: number;
}

/** What the manifest of a `.crate` says. */
export interface CrateDescription {
  readonly manifest: PackageManifest;
  /** `[features]` as written, without those that optional dependencies imply. */
  readonly features: ReadonlyMap<string, readonly string[]>;
}

/** An unpacked `.crate`. */
export interface CrateArchive {
  readonly content: CrateFiles;
  readonly entries: readonly TarEntry[];
}

/** The interpretation of the manifest. */
export interface ReadContentOptions {
  readonly sources: SourceTable;
  /** Returns the source of a registry in the configuration. */
  readonly registry: (name: string) => SourceId;
}

/** Unpacks a `.crate`. Throws `archive` if it is damaged, too large, or has anything but files and folders. */
export function readArchive(bytes: Uint8Array): CrateArchive {
  const { data: tar, complete } = inflateGzip(bytes, MAX_UNPACKED_BYTES);
  if (!complete) throw archiveError('the archive is cut off');
  const entries = readEntries(tar);
  const folder = entries[0]?.path.replace(/\/.*/s, '') ?? '';
  const files = filesBelow(entries, folder);
  const content = {
    folder,
    files,
    checksum: sha256Hex(bytes),
    size: bytes.length,
    unpackedSize: Array.from(files.values()).reduce((total, { data }) => total + data.length, 0),
  };
  return { content, entries };
}

/**
 * Reads the manifest of a `.crate`. `path` is the absolute path that its files seem to be below. Throws `archive` if it
 * is missing or does not belong to the folder, and in cargo's words if it is invalid.
 */
export function readDescription(
  { content: { folder, files }, entries }: CrateArchive,
  path: string,
  { sources, registry }: ReadContentOptions,
): CrateDescription {
  const manifestFile = files.get(MANIFEST);
  if (manifestFile === undefined) throw archiveError(`the archive has no \`${MANIFEST}\``);
  const text = Buffer.from(manifestFile.data).toString();
  const root = `${path}/${folder}`;
  const manifest = readPreparedManifest(text, {
    path: `${root}/${MANIFEST}`,
    source: sources.forPath(root),
    sources,
    registry,
    files: new ArchiveFiles(entries, path),
  });
  const dirName = packageDirName(manifest.summary.id);
  if (dirName !== folder)
    throw archiveError(`its manifest is that of \`${dirName}\`, but its folder has another name`);
  return { manifest, features: writtenFeatures(text) };
}

/** Reads a file. Throws `not-found` if it does not exist, and `io` if it cannot be read. */
export function readCrateFile(path: string, { hint }: { readonly hint: string }): Uint8Array {
  const bytes = withContext(`failed to read \`${path}\``, () => {
    try {
      return new NodeFiles().read(path);
    } catch (error) {
      throw osError(error);
    }
  });
  if (bytes !== null) return bytes;
  throw new TsregError(`there is no file \`${path}\``, { code: 'not-found', hint });
}

function readEntries(tar: Uint8Array): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  for (const entry of readTar(tar)) {
    if (entries.length === MAX_ENTRIES)
      throw archiveError(`the archive has more than ${MAX_ENTRIES} entries`);
    if (entry.data.length < entry.size) throw archiveError('the archive is cut off');
    entries.push(entry);
  }
  return entries;
}

/** Returns the files of a package. Throws `archive` for a file outside of its folder, and for a link or device. */
function filesBelow(entries: readonly TarEntry[], topFolder: string): ReadonlyMap<string, PackedFile> {
  const files = new Map<string, PackedFile>();
  for (const { path, kind, data, mode } of entries) {
    if (kind === 'directory') continue;
    if (kind !== 'file') throw archiveError(`\`${path}\` is neither a file nor a folder`);
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    if (parts[0] !== topFolder || parts.includes('..'))
      throw archiveError(`\`${path}\` is not in the folder \`${topFolder}\``);
    // Of two entries with the same path, the later one counts, as when they are unpacked.
    files.set(parts.slice(1).join('/'), { data, isExecutable: (mode & 0o100) !== 0 });
  }
  return files;
}
