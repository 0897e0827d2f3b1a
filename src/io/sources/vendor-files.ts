/** Vendors a package from the files of a folder. Cargo Book: cargo vendor. */
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../archive/source-file.ts';
import { osError } from '../disk/errno.ts';
import { createFolders } from '../disk/make-folders.ts';
import { TsregError } from '../../core/errors/error.ts';
import { fromByteString, isUtf8, toByteString, toNativePath } from '../../core/files/byte-path.ts';
import { CHECKSUM_FILE, checksumPath, formatChecksums, isVendored } from './vendored-files.ts';
import { sha256Hex } from '../disk/sha256.ts';

/** The files of a package and their destination. */
export interface VendorFilesPlace {
  /** The package's folder. Absolute. */
  readonly from: string;
  readonly files: readonly SourceFile[];
  /** Absolute folder to create. */
  readonly to: string;
  /** Its final folder, for messages. */
  readonly root: string;
  /** As in `VendorCratePlace`. */
  readonly checksum: string | null;
  /** Returns the text that replaces a `Cargo.toml`, called when the file is reached; null to copy the file. */
  readonly manifest: (() => string) | null;
}

/** Copies the files to vendor, following links, and writes their checksum file. Throws with cargo's message. */
export function vendorFiles(place: VendorFilesPlace): void {
  const { from, files, to, root, checksum, manifest } = place;
  const checksums = new Map<string, string>();
  const folders = new Set<string>();
  const prefix = toByteString(from.endsWith('/') ? from : `${from}/`);
  createFolders(to, root);
  for (const file of files) {
    const parts = partsOf(file, prefix);
    if (!isVendored(parts)) continue;
    const target = join(to, ...parts);
    const shownPath = join(root, ...parts);
    makeFolderOnce(dirname(target), { folders, shownPath: dirname(shownPath) });
    const isManifest = manifest !== null && parts.at(-1) === 'Cargo.toml';
    const { content, mode } = isManifest
      ? { content: Buffer.from(manifest()), mode: 0o666 }
      : readSource(file);
    write(target, { content, mode, shownPath });
    checksums.set(checksumPath(parts), sha256Hex(content));
  }
  const path = join(to, CHECKSUM_FILE);
  try {
    writeFileSync(path, formatChecksums(checksums, checksum));
  } catch (error) {
    throw new TsregError(`failed to write \`${join(root, CHECKSUM_FILE)}\``, { cause: osError(error) });
  }
}

/** Returns the parts of a file's path below `prefix`. Throws `source` if they are not UTF-8. */
function partsOf({ path }: SourceFile, prefix: string): readonly string[] {
  const relative = path.slice(prefix.length);
  if (!path.startsWith(prefix) || !isUtf8(relative)) {
    const shownPath = JSON.stringify(fromByteString(path));
    throw new TsregError(`path contains invalid UTF-8 characters: ${shownPath}`, { code: 'source' });
  }
  return fromByteString(relative).split('/');
}

/** Creates a folder, unless it is in `folders`. `shownPath` is its path in errors. */
function makeFolderOnce(
  path: string,
  { folders, shownPath }: { folders: Set<string>; shownPath: string },
): void {
  if (folders.has(path)) return;
  createFolders(path, shownPath);
  folders.add(path);
}

/** Returns the content of a file and the mode of its copy. */
function readSource({ path }: SourceFile): { readonly content: Buffer; readonly mode: number } {
  const quoted = JSON.stringify(fromByteString(path));
  let fd: number;
  try {
    fd = openSync(toNativePath(path), 'r');
  } catch (error) {
    throw new TsregError(`failed to open ${quoted}`, { cause: osError(error) });
  }
  try {
    const { mode } = fstatSync(fd);
    return { content: readFileSync(fd), mode: mode & 0o7777 };
  } catch (error) {
    throw new TsregError(`failed to read from ${quoted}`, { cause: osError(error) });
  } finally {
    closeSync(fd);
  }
}

/** Writes a file. `shownPath` is its path in errors. */
function write(
  path: string,
  {
    content,
    mode,
    shownPath,
  }: { readonly content: Uint8Array; readonly mode: number; readonly shownPath: string },
): void {
  try {
    writeFileSync(path, content, { mode });
  } catch (error) {
    throw new TsregError(`failed to create ${JSON.stringify(shownPath)}`, { cause: osError(error) });
  }
}
