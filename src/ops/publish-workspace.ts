/** From packages of a workspace to what is sent of them. Cargo Book: cargo publish. */
import { createHash } from 'node:crypto';
import { TsregError } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import { joinPath, parentFolder } from '../files/path.ts';
import { describePackage } from '../package-id/describe.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { PackedCrate } from './package-crates.ts';
import { publishMetadata } from './publish-metadata.ts';
import type { CrateToPublish } from './publish-upload.ts';

/** What is sent of a package whose archive was made. The readme is read when it is asked for. */
export function packedCrate(
  { manifest, prepared, manifestText, path, sha256 }: PackedCrate,
  { files, registry }: { readonly files: Files; readonly registry: SourceId },
): CrateToPublish {
  const { id } = manifest.summary;
  return {
    id,
    label: describePackage(id),
    sha256,
    archive: () => readArchive(path, sha256, files),
    metadata: () =>
      publishMetadata(prepared, {
        text: manifestText,
        readme:
          manifest.readme === null
            ? null
            : readReadme(joinPath(parentFolder(manifest.path), manifest.readme), describePackage(id), files),
        registry,
      }),
  };
}

async function readArchive(path: string, sha256: string, files: Files): Promise<Uint8Array> {
  const bytes = files.read(path);
  if (bytes === null) throw new TsregError(`the archive \`${path}\` is gone`, { code: 'not-found' });
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new TsregError(`the archive \`${path}\` was changed since it was made`, { code: 'archive' });
}

function readReadme(path: string, name: string, files: Files): string {
  const problem = `failed to read \`readme\` file for package \`${name}\``;
  const bytes = files.read(path);
  if (bytes === null) {
    const missing = new TsregError('No such file or directory (os error 2)', { code: 'not-found' });
    throw new TsregError(problem, {
      cause: new TsregError(`failed to read \`${path}\``, { cause: missing }),
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const cause = new TsregError(`path at \`${path}\` was not valid utf-8`, { code: 'manifest' });
    throw new TsregError(problem, { cause });
  }
}
