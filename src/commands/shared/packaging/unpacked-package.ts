/** Resolves and checks a package that was unpacked from its archive. Cargo Book: cargo package. */
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import { haveSameLines } from '../../../core/lockfile/compare-lockfiles.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { type OperationContext, reportTo } from '../../../core/report/report.ts';
import { reportManifests } from '../../../io/workspace/report-manifests.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { lockPackage, type LockPackageOptions } from './lock-package.ts';

/** A package that was unpacked from its archive: its manifest, and the workspace of which it is the only member. */
export interface UnpackedPackage {
  readonly manifest: PackageManifest;
  readonly workspace: Workspace;
}

/** How to resolve unpacked packages. `localRegistry` contains the packages that may depend on each other. */
export type LockUnpackedOptions = Omit<LockPackageOptions, 'isDryRun' | 'isVerbose'>;

/**
 * Returns the lock file for an archive without one. If cargo made it during the build, it would report every package in
 * it, which `cargo package` does not do.
 */
export function lockUnpacked(
  unpacked: UnpackedPackage,
  options: LockUnpackedOptions,
  context: OperationContext,
): Promise<string> {
  // With a local registry, the cargo that builds updates the registry's index, too, and reports it.
  const silent = { ...context, report: reportTo({}) };
  return lockAlone(unpacked, options, options.localRegistry === null ? onlyStatuses(context) : silent);
}

/** Checks what cargo would check before it starts a compiler, and that the files of all targets exist. */
export async function checkUnpacked(
  unpacked: UnpackedPackage,
  options: LockUnpackedOptions,
  context: OperationContext,
): Promise<void> {
  const { manifest, workspace } = unpacked;
  reportManifests(workspace, context.report);
  for (const { kind, name, srcPath } of manifest.targets) {
    if (workspace.manifests.files.kind(srcPath) === 'file') continue;
    throw new TsregError(`couldn't read \`${srcPath}\` of the ${kind} target \`${name}\``, {
      code: 'manifest',
    });
  }
  const lockfile = await lockAlone(unpacked, { ...options, lockfilePath: null }, onlyStatuses(context));
  const path = joinPath(workspace.root, 'Cargo.lock');
  const archived = readLockFile(path);
  if (archived !== null && !haveSameLines(archived, lockfile)) {
    throw new TsregError(`the lock file of the archive does not match its manifest: \`${path}\``, {
      code: 'lockfile',
    });
  }
}

/** Returns the lock file of a package outside its workspace. */
function lockAlone(
  { manifest, workspace }: UnpackedPackage,
  options: LockUnpackedOptions,
  context: OperationContext,
): Promise<string> {
  return lockPackage(manifest, { ...options, isDryRun: false, isVerbose: false, workspace }, context);
}

/** Forwards only status lines. Problems in packages were already reported during packing. */
function onlyStatuses({ report, signal }: OperationContext): OperationContext {
  return { report: reportTo({ status: (...status) => report.status(...status) }), signal };
}
