/** The readme of a package. Cargo Book: The Manifest Format, The readme field. */
import { osError } from '../../../io/disk/errno.ts';
import { TsregError, withContext } from '../../../core/errors/error.ts';
import { describeErrno } from '../../../core/errors/os-error-text.ts';
import type { Files } from '../../../core/files/files.ts';
import { joinPath, parentFolder } from '../../../core/files/path.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { describePackage } from '../../../core/package-id/describe.ts';

/**
 * Returns the text of the readme; null if there is none. Throws with cargo's messages if it is missing or not UTF-8.
 */
export function readReadme(
  { readme, path: manifestPath, summary }: PackageManifest,
  files: Files,
): string | null {
  if (readme === null) return null;
  const path = joinPath(parentFolder(manifestPath), readme);
  const problem = `failed to read \`readme\` file for package \`${describePackage(summary.id)}\``;
  const bytes = withContext(problem, () =>
    withContext(`failed to read \`${path}\``, () => read(path, files)),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const cause = new TsregError(`path at \`${path}\` was not valid utf-8`, { code: 'manifest' });
    throw new TsregError(problem, { cause });
  }
}

function read(path: string, files: Files): Uint8Array {
  let bytes: Uint8Array | null;
  try {
    bytes = files.read(path);
  } catch (error) {
    throw osError(error);
  }
  if (bytes === null) throw new TsregError(describeErrno('ENOENT'), { code: 'not-found' });
  return bytes;
}
