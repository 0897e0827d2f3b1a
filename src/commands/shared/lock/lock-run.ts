/** The first steps of commands that need only the lock file. Cargo Book: Manifest Commands. */
import type { Config } from '../../../io/config/config.ts';
import { resolverSettings } from '../../../io/config/resolver-settings.ts';
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import type { TsregError } from '../../../core/errors/error.ts';
import type { Files } from '../../../core/files/files.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { SourceTable } from '../../../core/package-id/source-table.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';
import type { ManifestLoader, WorkspaceRoots } from '../../../io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { chooseManifest, openWorkspace } from '../workspace/open-workspace.ts';
import { type AccessFlags, lockedFlag, offlineFlag } from '../workspace/access-flags.ts';
import { openCatalog } from '../workspace/open-catalog.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import type { LockWorkspaceOptions } from './resolve-workspace.ts';
import { PublishAgePolicy } from './publish-age.ts';
import { RustVersion } from './rust-version.ts';
import { workspacePatches } from './workspace-patches.ts';

/** The command-line options that all commands about the lock file have. */
export interface LockOptions extends AccessFlags {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  /** The name of the toolchain whose compiler runs; null for the active one. */
  readonly toolchain: string | null;
  /** The verbosity, also of programs that write to the user's terminal themselves, such as git. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** The options of `startLockRun`. */
export interface LockRunOptions extends LockOptions {
  /** True to choose versions without regard to their `rust-version`. */
  readonly ignoreRustVersion: boolean;
  /** The error of invalid flags, thrown once the workspace is read; null if there is none. */
  readonly flagError?: TsregError | null;
  /** Workspace roots that are shared by the workspaces of one operation. */
  readonly roots?: WorkspaceRoots;
  /** Shared as well: as in cargo, a later workspace spells a source as an earlier one does. */
  readonly sources?: SourceTable;
}

/** Data that the workspaces of one operation share. */
export interface SharedSources {
  readonly cache: PackageCache;
  /** The catalog of the previous workspace; null for the first. */
  readonly earlier: PackageCatalog | null;
}

/** A loaded workspace, with everything that its lock file depends on. */
export interface LockRun {
  readonly workspace: Workspace;
  /** Reads manifests of packages outside the workspace. */
  readonly packages: ManifestLoader;
  readonly context: LockContext;
  /**
   * Opens the sources and returns everything that depends on them. Throws if the configuration is invalid. May be called
   * again, for another attempt. The caller must call `rustVersion.stop` in the end, unless `lockWorkspace` does.
   */
  open(shared?: SharedSources): LockWorkspaceOptions;
}

/** Loads the workspace and emits its warnings. Throws with cargo's error chain. */
export function startLockRun(options: LockRunOptions, context: OperationContext): LockRun {
  const { manifestPath, config } = options;
  const files = new NodeFiles();
  return openLockRun(chooseManifest(manifestPath, config, files), { ...options, files }, context);
}

/** Does the same as `startLockRun` for the manifest at an absolute path, and ignores `options.manifestPath`. */
export function openLockRun(
  manifestPath: string,
  options: LockRunOptions & { readonly files: Files },
  { report, signal }: OperationContext,
): LockRun {
  const { config, files, ignoreRustVersion, toolchain, verbosity, flagError = null } = options;
  const { roots = new Map(), sources = new SourceTable() } = options;
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files, roots, sources });
  const { workspace, packages } = opened;
  // The order of these steps is that of cargo's warnings and errors.
  const settings = resolverSettings(config, (text) => report.warning(text));
  for (const warning of workspace.warnings) report.warning(warning);
  if (flagError !== null) throw flagError;
  const context = { report, signal: operationSignal(signal), env: config.env };
  const open: LockRun['open'] = (
    { cache, earlier } = { cache: new PackageCache(config.home, context), earlier: null },
  ) => {
    return {
      workspace,
      catalog: openCatalog(
        opened,
        { config, files, cache, offlineFlag: offlineFlag(options), verbosity, earlier },
        context,
      ),
      patches: () => workspacePatches(workspace, { config, report }),
      incompatibleRustVersions: ignoreRustVersion ? 'allow' : settings.incompatibleRustVersions,
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: settings.lockfilePath,
      rustVersion: new RustVersion(config, toolchain, context.signal),
      publishAge: new PublishAgePolicy(config),
      reportsChanges: true,
    };
  };
  return { workspace, packages, context, open };
}
