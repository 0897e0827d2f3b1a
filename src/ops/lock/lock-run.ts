/** What the commands that are about the lock file alone begin with. Cargo Book: Manifest Commands. */
import type { Config } from '../../config/config.ts';
import { resolverSettings } from '../../config/resolver-settings.ts';
import type { LockContext } from '../../disk/file-lock.ts';
import { NodeFiles } from '../../disk/node-files.ts';
import { PackageCache } from '../../disk/package-cache.ts';
import type { TsregError } from '../../errors/error.ts';
import type { Files } from '../../files/files.ts';
import type { OperationContext } from '../../report/report.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import type { PackageCatalog } from '../../sources/catalog.ts';
import { addConfigPatches } from '../../sources/config-patches.ts';
import type { ManifestLoader, WorkspaceRoots } from '../../workspace/manifest-loader.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { chooseManifest } from '../workspace/choose-manifest.ts';
import { type AccessFlags, lockedFlag, offlineFlag, openCatalog } from '../workspace/open-catalog.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import type { LockWorkspaceOptions } from './resolve-workspace.ts';
import { PublishAgePolicy } from './publish-age.ts';
import { RustVersion } from './rust-version.ts';

/** What the command line of such a command asks for. */
export interface LockOptions extends AccessFlags {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** `--ignore-rust-version`. */
  readonly ignoreRustVersion: boolean;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** What is wrong with the flags, which is told when the workspace is read; null if nothing is. */
  readonly flagProblem?: TsregError | null;
  /** Shared by the workspaces of one operation. */
  readonly roots?: WorkspaceRoots;
  /** Shared as well: as with cargo, a source is spelled in the second workspace as it was in the first. */
  readonly sources?: SourceTable;
}

/** What the workspaces of one operation have in common. */
export interface SharedSources {
  readonly cache: PackageCache;
  /** The catalog of the workspace before; null for the first. */
  readonly earlier: PackageCatalog | null;
}

/** A workspace that was read, with everything that its lock file depends on. */
export interface LockRun {
  readonly workspace: Workspace;
  /** Reads manifests of packages that do not belong to the workspace. */
  readonly packages: ManifestLoader;
  readonly context: LockContext;
  /** Opens the sources, and reads what depends on them. Throws where the configuration is wrong. */
  open(shared?: SharedSources): LockWorkspaceOptions & { readonly catalog: PackageCatalog };
}

/** Reads the workspace, and says what every command says of it. Throws with cargo's chain of causes. */
export function startLockRun(options: LockOptions, context: OperationContext): LockRun {
  const { manifestPath, config } = options;
  const files = new NodeFiles();
  return openLockRun(chooseManifest(manifestPath, config, files), { ...options, files }, context);
}

/** As `startLockRun`, on the manifest at an absolute path, whatever `options` have for one. */
export function openLockRun(
  manifestPath: string,
  options: LockOptions & { readonly files: Files },
  { report, signal }: OperationContext,
): LockRun {
  const { config, files, ignoreRustVersion, toolchain, verbosity, flagProblem = null } = options;
  const { roots = new Map(), sources = new SourceTable() } = options;
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files, roots, sources });
  const { workspace, packages } = opened;
  const settings = resolverSettings(config, (text) => report.warning(text));
  for (const warning of workspace.warnings) report.warning(warning);
  if (flagProblem !== null) throw flagProblem;
  const context = { report, signal: operationSignal(signal), env: config.env };
  const open: LockRun['open'] = (
    { cache, earlier } = { cache: new PackageCache(config.home, context), earlier: null },
  ) => {
    return {
      workspace,
      catalog: openCatalog(opened, { config, files, cache, flags: options, verbosity, earlier }, context),
      patches: () =>
        addConfigPatches(workspace.rootManifest.patches, workspace.root, {
          config,
          sources: workspace.manifests.sources,
          report,
        }),
      incompatibleRustVersions: ignoreRustVersion ? 'allow' : settings.incompatibleRustVersions,
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: settings.lockfilePath,
      rustVersion: new RustVersion(config, toolchain, context.signal),
      publishAge: new PublishAgePolicy(config),
      tellsChanges: true,
    };
  };
  return { workspace, packages, context, open };
}
