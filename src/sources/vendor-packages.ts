/** Puts packages into the folder that they are vendored into. Cargo Book: cargo vendor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../archive/source-file.ts';
import { osError } from '../disk/errno.ts';
import type { PlacedFile } from '../files/files.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { OperationContext } from '../report/report.ts';
import { packageDirName } from './unpack-package.ts';
import { UnpackThreads } from './unpack-threads.ts';
import { vendorCrate } from './vendor-crate.ts';
import { vendorFiles } from './vendor-files.ts';
import type { VendorFolder } from './vendor-folder.ts';

/** A package that is to be vendored. */
export interface PackageToVendor {
  readonly id: PackageId;
  /** Absolute folder that it is in now. */
  readonly root: string;
  /** The name of its folder. */
  readonly name: string;
  /** As the lock file has it; null if it has none. */
  readonly checksum: string | null;
  readonly content: VendoredContent;
}

/** What a package is vendored from. */
export type VendoredContent =
  | { readonly kind: 'crate'; readonly archive: PlacedFile }
  | {
      readonly kind: 'files';
      /** Finds out which files there are. */
      readonly list: () => Promise<readonly SourceFile[]>;
      /** The text that stands in for every `Cargo.toml` among `files`; null where they are copied. */
      readonly manifest: ((files: readonly SourceFile[]) => string) | null;
    };

/** So many archives are unpacked before their turn comes. */
const AHEAD = 32;

/** Says of each package that it is vendored, and does it. Packages before one that fails are there, it and all others are as they were. */
export async function vendorPackages(
  packages: readonly PackageToVendor[],
  folder: VendorFolder,
  { report, signal }: OperationContext,
): Promise<void> {
  const threads = new UnpackThreads();
  threads.expect(packages.filter(({ content }) => content.kind === 'crate').length);
  const begun: Promise<boolean>[] = [];
  try {
    for (const [index, each] of packages.entries()) {
      signal.throwIfAborted();
      while (begun.length < Math.min(packages.length, index + AHEAD)) {
        begun.push(unpackAhead(packages[begun.length], folder, threads));
      }
      const { id, root, name } = each;
      report.status('Vendoring', `${describePackage(id)} (${root}) to ${folder.shownPath(name)}`);
      const isUnpacked = (await begun[index]) ?? false;
      if (!isUnpacked) await build(each, folder);
      copying(id, () => folder.put(stagedPath(each, folder), name));
    }
  } finally {
    await Promise.all(begun);
    await threads.close();
  }
}

/** True if the package is unpacked; false if that is still to be done. */
async function unpackAhead(
  each: PackageToVendor | undefined,
  folder: VendorFolder,
  threads: UnpackThreads,
): Promise<boolean> {
  if (each?.content.kind !== 'crate') return false;
  const { archive } = each.content;
  return threads.unpack({
    archive: join(archive.folder, archive.name),
    parent: folder.staging(),
    dirName: packageDirName(each.id),
    vendored: { root: folder.shownPath(each.name), checksum: each.checksum },
  });
}

function stagedPath({ id }: PackageToVendor, folder: VendorFolder): string {
  return join(folder.staging(), packageDirName(id));
}

async function build(each: PackageToVendor, folder: VendorFolder): Promise<void> {
  const { id, root, name, checksum, content } = each;
  const shown = folder.shownPath(name);
  if (content.kind === 'crate') {
    const path = join(content.archive.folder, content.archive.name);
    const place = { parent: folder.staging(), dirName: packageDirName(id), root: shown, checksum };
    vendorCrate(readArchive(path), place);
    return;
  }
  const files = await content.list();
  const { manifest } = content;
  copying(id, () =>
    vendorFiles({
      from: root,
      files,
      to: stagedPath(each, folder),
      root: shown,
      checksum,
      manifest: manifest === null ? null : () => manifest(files),
    }),
  );
}

function copying(id: PackageId, body: () => void): void {
  withContext(() => `failed to copy vendored sources for ${describePackage(id)}`, body);
}

function readArchive(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TsregError(`failed to open ${path}`, { cause: osError(error) });
  }
}
