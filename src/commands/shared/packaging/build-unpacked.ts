/** Builds an unpacked package with cargo, and checks that the build changes no files. Cargo Book: cargo package. */
import type { Config } from '../../../io/config/config.ts';
import { registryIndexUrl } from '../../../io/config/registry-index.ts';
import { buildDirectory } from '../../../io/config/target-directory.ts';
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { errnoOf, osError } from '../../../io/disk/errno.ts';
import { compareFolders, type FolderState, hashFolder } from '../../../io/disk/hash-folder.ts';
import { TsregError, withContext } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { configuredName, isCratesIo } from '../../../core/package-id/source-id.ts';
import { type OperationContext, reportTo } from '../../../core/report/report.ts';
import type { CargoProgram } from '../../../io/toolchain/find-cargo.ts';
import { buildPackage } from './build-package.ts';
import { lockAlone, onlyStatuses, type UnpackedPackage, type VerifyOptions } from './unpacked-package.ts';

/** Builds an unpacked package. Returns false if the build failed. */
export async function buildUnpacked(
  unpacked: UnpackedPackage,
  options: VerifyOptions & { readonly cargo: CargoProgram },
  context: OperationContext,
): Promise<boolean> {
  const { cargo, config, workspace, made, offlineFlag } = options;
  const { crate, folder } = unpacked;
  const { signal } = context;
  const missingLockfile = await lockWhereMissing(unpacked, options, context);
  const before = folderState(folder);
  const isBuilt = await buildPackage(cargo, {
    folder,
    isBelowWorkspace: isBelowWorkspace(unpacked),
    buildFolder: buildDirectory(config, workspace.root),
    registryNames: registryNames(crate.manifest, config),
    missingLockfile,
    requested: crate.requested,
    flags: options.build,
    isOffline: offlineFlag !== null,
    overlay: made?.overlay ?? null,
    hasLockfilePath: options.lockfilePath !== null,
    downloadVariables: options.downloadVariables,
    cwd: config.cwd,
    signal,
  });
  if (!isBuilt) return false;
  const changes = compareFolders(before, folderState(folder));
  if (changes === null) return true;
  const lists = [
    ['Changed', changes.changed],
    ['Added', changes.added],
    ['Removed', changes.removed],
  ] as const;
  const lines = lists.flatMap(([word, paths]) =>
    paths.length === 0 ? [] : [`${word}: ${paths.join('\n\t')}`],
  );
  throw new TsregError(
    'Source directory was modified by build.rs during cargo publish. ' +
      `Build scripts should not modify anything outside of OUT_DIR.\n${lines.join('\n')}\n\n` +
      'To proceed despite this, pass the `--no-verify` flag.',
    { code: 'toolchain' },
  );
}

/** Returns registry names by index URL, from the original manifest: an archived one has only URLs. */
function registryNames({ summary }: PackageManifest, config: Config): ReadonlyMap<string, string> {
  const names = summary.dependencies.flatMap(({ registry }) => {
    const name = registry === null || isCratesIo(registry) ? null : configuredName(registry);
    return name === null ? [] : [[registryIndexUrl(config, name), name] as const];
  });
  return new Map(names);
}

function folderState(folder: string): FolderState {
  return withContext(`failed to verify output at ${JSON.stringify(folder)}`, () => {
    try {
      return hashFolder(folder, 'target');
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

/** Returns true if the package is below another workspace, or below an unreadable manifest. */
function isBelowWorkspace({ manifest, manifests }: UnpackedPackage): boolean {
  try {
    return manifests.findRoot(manifest.path) !== null;
  } catch {
    return true;
  }
}

/**
 * Returns the lock file for an archive without one; null for others. Otherwise the cargo that builds would report every
 * package in a new lock file, which `cargo package` does not do.
 */
async function lockWhereMissing(
  unpacked: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<string | null> {
  if (readLockFile(joinPath(unpacked.folder, 'Cargo.lock')) !== null) return null;
  // With `made`, the cargo that builds updates the registry's index, too, and reports it.
  const isTold = options.made === null;
  return await lockAlone(
    unpacked,
    options,
    isTold ? onlyStatuses(context) : { ...context, report: reportTo({}) },
  );
}
