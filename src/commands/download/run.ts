/** `download`: saves the `.crate` files of published crates, or their content. */
import { join } from 'node:path';
import { osError } from '../../io/disk/errno.ts';
import { writeFileAtomic } from '../../io/disk/write-file-atomic.ts';
import { crateFileName, packageDirName } from '../../io/sources/crate-file.ts';
import { extractCrate } from '../../io/sources/extract-crate.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import type { OperationContext } from '../../core/report/report.ts';
import {
  parseCrateSpec,
  readVerifiedCrate,
  RegistryCrates,
  type RegistryCratesOptions,
} from '../shared/registry/registry-crates.ts';
import { type RegistryName, registryNameOf } from '../shared/registry/registry-document.ts';
import { outputFolder, type OutputOptions, type PlannedCrate, planDownload } from './plan.ts';

/** The command-line options of `download`. */
export interface DownloadOptions extends RegistryCratesOptions, Omit<OutputOptions, 'config'> {
  /** `name` or `name@version`. */
  readonly crates: readonly string[];
}

/** The document of `download --json`. */
export interface DownloadDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryName;
  /** In the order of the command line, each version once. */
  readonly crates: readonly DownloadEntry[];
}

/** A downloaded crate. */
export interface DownloadEntry {
  readonly name: string;
  readonly version: string;
  readonly yanked: boolean;
  /** SHA-256 of the `.crate`, in hexadecimal. */
  readonly checksum: string;
  /** Bytes of the `.crate`. */
  readonly size: number;
  /** Absolute path of the `.crate`, or of the folder with its content. */
  readonly path: string;
}

/** The result of `download`. */
export interface Downloaded {
  readonly document: DownloadDocument;
  /** The paths for the user: relative to the working folder, unless `output` is absolute. */
  readonly shownPaths: readonly string[];
}

/**
 * Downloads crates to the package cache unless they are there, verifies their checksums, and writes them to the output
 * folder. Never replaces a file or folder: if one is in the way, throws before the first download. A `.crate` that is
 * there with the right checksum counts as written.
 */
export async function download(options: DownloadOptions, context: OperationContext): Promise<Downloaded> {
  const specs = options.crates.map(parseCrateSpec);
  const folder = outputFolder(options);
  const registry = new RegistryCrates(options, context);
  const planned = planDownload(await registry.choose(specs), folder, options);
  const cached = await registry.fetch(planned.map(({ summary }) => summary));
  const crates: DownloadEntry[] = [];
  for (const [index, crate] of planned.entries()) {
    context.signal.throwIfAborted();
    const bytes = readVerifiedCrate(present(cached[index], 'a fetched crate'));
    const path = await save(bytes, crate, { folder, extract: options.extract });
    const { id, checksum, yanked } = crate.summary;
    crates.push({
      name: id.name,
      version: id.version.text,
      yanked,
      checksum: present(checksum, 'a verified checksum'),
      size: bytes.length,
      path,
    });
  }
  return {
    document: { version: 1, registry: registryNameOf(registry.source), crates },
    shownPaths: planned.map(({ shownPath }) => shownPath),
  };
}

/** Writes a crate unless it is saved already, and returns its absolute path. */
async function save(
  bytes: Uint8Array,
  { summary: { id }, isSaved }: PlannedCrate,
  { folder, extract }: { readonly folder: string; readonly extract: boolean },
): Promise<string> {
  if (extract) {
    const dirName = packageDirName(id);
    const root = join(folder, dirName);
    extractCrate(bytes, { root, dirName });
    return root;
  }
  const path = joinPath(folder, crateFileName(id));
  if (isSaved) return path;
  try {
    await writeFileAtomic(path, bytes);
  } catch (error) {
    throw new TsregError(`failed to write \`${path}\``, { cause: osError(error) });
  }
  return path;
}
