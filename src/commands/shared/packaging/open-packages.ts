/** Opens the workspace for `package` and `publish`, and selects packages. */
import type { Config } from '../../../io/config/config.ts';
import { resolverSettings } from '../../../io/config/resolver-settings.ts';
import { RegistryCredentials } from '../../../io/credentials/registry-credentials.ts';
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import type { Files } from '../../../core/files/files.ts';
import type { Patch } from '../../../core/manifest/manifest.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { selectFeatures } from '../../../core/resolve/cli-features.ts';
import { parseCliFeatures } from '../../../core/resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { chooseManifest, type OpenedWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import { type AccessFlags, lockedFlag, offlineFlag, openCatalog } from '../workspace/open-catalog.ts';
import { missingTarget } from '../workspace/missing-values.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import type { BuildFlags } from './build-package.ts';
import type { CommonPackagingOptions, SelectedPackage } from './package-crates.ts';
import { PublishAgePolicy } from '../lock/publish-age.ts';
import { RustVersion } from '../lock/rust-version.ts';
import { workspacePatches } from '../lock/workspace-patches.ts';
import { type PackageFlags, selectPackages } from '../workspace/select-packages.ts';
import { specOptions } from '../workspace/spec-options.ts';
import { chooseRegistry, type RegistryChoice, type RegistryFlags } from '../registry/select-registry.ts';

/** Command-line options of `package` and `publish`. */
export interface PackagesOptions extends AccessFlags {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly registry: RegistryFlags;
  readonly selection: PackageFlags;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  /** True to also package uncommitted files. */
  readonly allowsDirty: boolean;
  /** True to build the packages from their archives. */
  readonly verifies: boolean;
  readonly build: BuildFlags;
  /** `--max-wait`: how long one request waits for a busy registry in total; null to wait like cargo. */
  readonly maxWaitMs: number | null;
}

/** A workspace with packages to package. */
export interface OpenedPackages {
  readonly opened: OpenedWorkspace;
  readonly files: Files;
  readonly cache: PackageCache;
  /** Shared by all registry requests, so that credential providers are asked only once. */
  readonly credentials: RegistryCredentials;
  /** The registry that flags or `registry.default` choose; null if none. */
  readonly registry: RegistryChoice | null;
  readonly context: LockContext;
  /** The options for making archives that both commands share. */
  readonly packaging: CommonPackagingOptions;
}

/** Loads the workspace and reports its warnings. */
export function openPackages(options: PackagesOptions, operation: OperationContext): OpenedPackages {
  const { config, build } = options;
  const registry = chooseRegistry(options.registry, config);
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const { workspace } = opened;
  const context: LockContext = {
    ...operation,
    signal: operationSignal(operation.signal),
    env: config.env,
  };
  const { report } = context;
  const settings = resolverSettings(config, (text) => report.warning(text));
  for (const warning of workspace.warnings) report.warning(warning);
  const cache = new PackageCache(config.home, context);
  const credentials = new RegistryCredentials({ ...context, config });
  const release = new RustVersion(config, build.toolchain, context.signal);
  let patches: readonly Patch[] | null = null;
  const openSources = (): LockPassOptions => ({
    workspace,
    catalog: openCatalog(
      opened,
      {
        config,
        files,
        cache,
        credentials,
        offlineFlag: offlineFlag(options),
        maxWaitMs: options.maxWaitMs,
        verbosity: build.verbosity,
      },
      context,
    ),
    patches: () => (patches ??= workspacePatches(workspace, { config, report })),
    incompatibleRustVersions: settings.incompatibleRustVersions,
    // Created once, so that the compiler starts at most once for all packages.
    rustVersion: release,
    publishAge: new PublishAgePolicy(config),
    offlineFlag: offlineFlag(options),
  });
  let resolving: LockPassOptions | null = null;
  return {
    opened,
    files,
    cache,
    credentials,
    registry,
    context,
    packaging: {
      workspace,
      config,
      files,
      resolving: () => (resolving ??= openSources()),
      lockedFlag: lockedFlag(options),
      lockfilePath: settings.lockfilePath,
      allowsDirty: options.allowsDirty,
      verifies: options.verifies,
      build,
      isVerbose: build.verbosity === 'verbose',
    },
  };
}

/**
 * Returns the selected packages in discovery order, with the features to build them with. Throws with cargo's messages if
 * a flag for packages, features or targets does not fit the workspace.
 */
export function selectMembers(
  options: PackagesOptions,
  { opened, files, context }: OpenedPackages,
): readonly SelectedPackage[] {
  const { workspace } = opened;
  if (options.build.targets?.length === 0) throw missingTarget(options.config);
  const requested: RequestedFeatures = {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
  const { existingPath } = specOptions(options.config, files);
  const selected = selectPackages(options.selection, workspace, { report: context.report, existingPath });
  const { currentManifest, members } = workspace;
  const current = currentManifest.kind === 'package' ? currentManifest.summary : null;
  const roots = selectFeatures(requested, {
    members: selected.map(({ summary }) => summary),
    others: members.filter((each) => !selected.includes(each)).map(({ summary }) => summary),
    current,
    isForAllMembers: current === null || workspace.resolver !== '1',
  });
  return selected.map((manifest, at) => ({ manifest, requested: roots[at]?.requested ?? requested }));
}
