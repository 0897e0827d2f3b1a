/** Directory sources: folders of unpacked packages, such as vendored ones. Cargo Book: Source Replacement. */
import { readdirSync } from 'node:fs';
import { errnoOf, osError } from '../disk/errno.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import { joinPath } from '../../core/files/path.ts';
import type { Files } from '../../core/files/files.ts';
import { decodeAsCargo, map, nullable, string, struct } from '../../core/json/decode-as-cargo.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { FolderPackages } from './folder-packages.ts';
import { FolderSource } from './folder-source.ts';
import { loadPackage } from './load-package.ts';
import type { WalkContext } from './package-walk.ts';
import { folderOf } from './path-source.ts';
import { CHECKSUM_FILE } from './vendored-files.ts';

/**
 * Makes a directory source. Every folder with a manifest is a package and must have a checksum file. Ignores folders
 * with a leading dot. Does not verify the checksums of single files: only builds need that.
 */
export function makeDirectorySource(
  original: SourceId,
  actual: SourceId,
  context: WalkContext,
): FolderSource {
  const read = (): FolderPackages => readPackages(folderOf(actual), original, context);
  return new FolderSource({ original, actual, read });
}

/** Reads all packages in `root`. Throws with cargo's error chain. */
function readPackages(root: string, original: SourceId, context: WalkContext): FolderPackages {
  const packages = new FolderPackages(context.report);
  for (const name of listRoot(root, context.files)) {
    const folder = joinPath(root, name);
    if (name.startsWith('.') || !context.files.exists(`${folder}/Cargo.toml`)) continue;
    const manifest = loadPackage(folder, original, context.load);
    const { summary } = manifest;
    const packageName = `${summary.id.name} v${summary.id.version.text}`;
    const checksum = readChecksum(`${folder}/${CHECKSUM_FILE}`, packageName, context.files);
    packages.replace(checksum === null ? manifest : { ...manifest, summary: { ...summary, checksum } });
  }
  return packages;
}

/** Returns the sorted names in the folder. Throws `io` if it cannot be read. */
function listRoot(root: string, files: Files): readonly string[] {
  try {
    // If there is no list, list again to get the error.
    return files.list(root)?.map(({ name }) => name) ?? readdirSync(root).sort();
  } catch (error) {
    throw new TsregError(`failed to read root of directory source: ${root}`, { cause: osError(error) });
  }
}

/** Returns the checksum of the package's `.crate`, or null if the file has none. */
function readChecksum(path: string, packageName: string, files: Files): string | null {
  const bytes = withContext(`failed to load checksum \`${CHECKSUM_FILE}\` of ${packageName}`, () =>
    readFile(path, files),
  );
  return withContext(
    `failed to decode \`${CHECKSUM_FILE}\` of ${packageName}`,
    () => decodeAsCargo(CHECKSUM_TABLE, bytes).package ?? null,
  );
}

/** Reads a file that must exist. */
function readFile(path: string, files: Files): Uint8Array {
  let bytes: Uint8Array | null;
  try {
    bytes = files.read(path);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    throw new TsregError(`failed to read \`${path}\``, { cause: osError(error) });
  }
  if (bytes !== null) return bytes;
  const cause = new TsregError(describeErrno('ENOENT'), { code: 'io' });
  throw new TsregError(`failed to read \`${path}\``, { cause });
}

/** The form of a checksum file, which `formatChecksums` writes. */
const CHECKSUM_TABLE = struct(
  'Checksum',
  { package: nullable(string), files: map(string) },
  { required: ['files'] },
);
