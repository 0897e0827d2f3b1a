/** Plans the contents of a package's archive, in cargo's order. Cargo Book: cargo package. */
import type { ArchivePlan } from '../../../io/archive/archive-plan.ts';
import type { PackageRepositories } from '../../../io/archive/package-repository.ts';
import { planArchive } from '../../../io/archive/plan-archive.ts';
import { selectFiles } from '../../../io/archive/select-files.ts';
import { checkRepository } from '../../../io/archive/vcs-info.ts';
import type { Files } from '../../../core/files/files.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { metadataWarning } from '../../../core/manifest/metadata-warning.ts';
import { CRATES_IO_NAME } from '../../../core/package-id/crates-io.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import type { RegistryChoice } from '../registry/select-registry.ts';

/** Options for choosing the contents of archives. */
export interface PlanPackageOptions {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly repositories: PackageRepositories;
  /** Absolute path of the workspace's lock file. */
  readonly lockPath: string;
  /** The registry that flags or `registry.default` choose; null if none. */
  readonly registry: RegistryChoice | null;
  readonly checksMetadata: boolean;
  readonly allowsDirty: boolean;
  readonly includesLockfile: boolean;
  readonly isVerbose: boolean;
}

/** The planned contents of a package's archive. */
export interface PackagePlan {
  readonly manifest: PackageManifest;
  readonly archive: ArchivePlan;
}

/** Selects the files of a package and checks them. Throws with cargo's messages if they cannot be packaged. */
export async function planPackage(
  manifest: PackageManifest,
  options: PlanPackageOptions,
  { report }: OperationContext,
): Promise<PackagePlan> {
  const { workspace, files, repositories, lockPath, allowsDirty, isVerbose } = options;
  const warning = isForCratesIo(options) && options.checksMetadata ? metadataWarning(manifest) : null;
  if (warning !== null) report.warning(warning);
  const selection = await selectFiles(manifest, { repositories, report });
  const vcsInfo = await checkRepository(selection, {
    repositories,
    workspaceManifest: workspace.rootManifest.path,
    allowDirty: allowsDirty,
    isVerbose,
    report,
  });
  const lockfile = { path: files.exists(lockPath) ? lockPath : null };
  const archive = planArchive(selection, {
    lockfile: options.includesLockfile ? lockfile : null,
    vcsInfo,
    report,
  });
  return { manifest, archive };
}

function isForCratesIo({ registry }: PlanPackageOptions): boolean {
  return registry === null || (registry.kind === 'registry' && registry.name === CRATES_IO_NAME);
}
