/** Puts packages into the vendor folder. Cargo Book: cargo vendor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../archive/source-file.ts';
import { osError } from '../disk/errno.ts';
import type { PlacedFile } from '../../core/files/files.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { packageDirName } from './crate-file.ts';
import { UnpackThreads } from './unpack-threads.ts';
import { vendorCrate } from './vendor-crate.ts';
import { vendorFiles } from './vendor-files.ts';
import type { VendorFolder } from './vendor-folder.ts';

/** A package to vendor. */
export interface PackageToVendor {
  readonly id: PackageId;
  /** Its current folder. Absolute. */
  readonly root: string;
  /** Name of its folder in the vendor folder. */
  readonly name: string;
  /** Its checksum in the lock file; null if it has none. */
  readonly checksum: string | null;
  readonly content: VendoredContent;
}

/** The origin of a vendored package. */
export type VendoredContent =
  | { readonly kind: 'crate'; readonly archive: PlacedFile }
  | {
      readonly kind: 'files';
      /** Lists the files. */
      readonly list: () => Promise<readonly SourceFile[]>;
      /** Returns the text that replaces every `Cargo.toml` among `files`; null to copy them. */
      readonly manifest: ((files: readonly SourceFile[]) => string) | null;
    };

/** Number of archives that are unpacked in advance. */
const MAX_AHEAD = 32;

/** Reports and vendors each package. If one fails, earlier ones are complete; it and later ones are unchanged. */
export async function vendorPackages(
  packages: readonly PackageToVendor[],
  folder: VendorFolder,
  { report, signal }: OperationContext,
): Promise<void> {
  const threads = new UnpackThreads();
  threads.expect(packages.filter(({ content }) => content.kind === 'crate').length);
  /** Whether the first packages could be unpacked early, in the order of `packages`. */
  const early: Promise<boolean>[] = [];
  try {
    for (const [index, vendored] of packages.entries()) {
      signal.throwIfAborted();
      for (const next of packages.slice(early.length, index + MAX_AHEAD)) {
        const unpacking = unpackEarly(next, folder, threads);
        // The rejection is handled below, in order.
        unpacking.catch(() => {});
        early.push(unpacking);
      }
      const { id, root, name } = vendored;
      report.status('Vendoring', `${describePackage(id)} (${root}) to ${folder.shownPath(name)}`);
      const isUnpacked = await present(early[index], 'a begun package');
      if (!isUnpacked) await stage(vendored, folder);
      withCopyContext(id, () => folder.put(stagedPath(vendored, folder), name));
    }
  } finally {
    await Promise.allSettled(early);
    await threads.close();
  }
}

/** Unpacks a package in a thread. Returns false if the caller must do it: it is no `.crate`, or the thread failed. */
async function unpackEarly(
  { id, name, checksum, content }: PackageToVendor,
  folder: VendorFolder,
  threads: UnpackThreads,
): Promise<boolean> {
  if (content.kind !== 'crate') return false;
  const { archive } = content;
  return threads.unpack({
    archive: join(archive.folder, archive.name),
    parent: folder.staging(),
    dirName: packageDirName(id),
    vendored: { root: folder.shownPath(name), checksum },
  });
}

/** Returns the folder that a package is in until it is complete. */
function stagedPath({ id }: PackageToVendor, folder: VendorFolder): string {
  return join(folder.staging(), packageDirName(id));
}

/** Makes the package in the staging folder. */
async function stage(vendored: PackageToVendor, folder: VendorFolder): Promise<void> {
  const { id, root, name, checksum, content } = vendored;
  const shownRoot = folder.shownPath(name);
  if (content.kind === 'crate') {
    const path = join(content.archive.folder, content.archive.name);
    const place = { parent: folder.staging(), dirName: packageDirName(id), root: shownRoot, checksum };
    vendorCrate(readArchive(path), place);
    return;
  }
  const files = await content.list();
  const { manifest } = content;
  withCopyContext(id, () =>
    vendorFiles({
      from: root,
      files,
      to: stagedPath(vendored, folder),
      root: shownRoot,
      checksum,
      manifest: manifest === null ? null : () => manifest(files),
    }),
  );
}

/** Runs `body`. Its errors name the package. */
function withCopyContext(id: PackageId, body: () => void): void {
  withContext(() => `failed to copy vendored sources for ${describePackage(id)}`, body);
}

function readArchive(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TsregError(`failed to open ${path}`, { cause: osError(error) });
  }
}
