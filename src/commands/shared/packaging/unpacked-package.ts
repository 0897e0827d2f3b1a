/** A package that was unpacked from its `.crate` to verify it. It is its own workspace. */
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { type OperationContext, reportTo } from '../../../core/report/report.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import type { BuildFlags } from './build-package.ts';
import { lockPackage, type LockPackageOptions } from './lock-package.ts';

/** An archive to verify. */
export interface CrateToVerify {
  /** The manifest that the archive was made from. */
  readonly manifest: PackageManifest;
  /** The features to build it with. */
  readonly requested: RequestedFeatures;
  /** Absolute path of the `.crate`. */
  readonly path: string;
}

/** Options for verifying archives. `made` contains the packages that may depend on each other. */
export interface VerifyOptions extends Omit<LockPackageOptions, 'isDryRun' | 'isVerbose'> {
  readonly build: BuildFlags;
  /** Same as in `BuildOptions`. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
}

/** A package outside its workspace. */
export interface UnpackedPackage {
  readonly crate: CrateToVerify;
  /** Absolute. */
  readonly folder: string;
  readonly manifest: PackageManifest;
  readonly manifests: ManifestLoader;
}

/** Returns the lock file of a package outside its workspace. */
export async function lockAlone(
  unpacked: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<string> {
  const workspace = workspaceOf(unpacked);
  const flags = { isDryRun: false, isVerbose: false };
  return await lockPackage(unpacked.manifest, { ...options, ...flags, workspace }, context);
}

/** Returns a workspace with the package as its only member. */
export function workspaceOf({ folder, manifest, manifests }: UnpackedPackage): Workspace {
  return {
    root: folder,
    rootManifest: manifest,
    currentManifest: manifest,
    members: [manifest],
    defaultMembers: [manifest],
    isImplicit: true,
    resolver: manifest.resolver ?? '1',
    warnings: [],
    manifests,
  };
}

/** Forwards only status lines. Problems in packages were already reported during packing. */
export function onlyStatuses({ report, signal }: OperationContext): OperationContext {
  return { report: reportTo({ status: (...status) => report.status(...status) }), signal };
}
