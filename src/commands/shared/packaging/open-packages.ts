/** Opens the workspace for `package` and `publish`, and selects packages. */
import type { Config } from '../../../io/config/config.ts';
import { type ResolverSettings, resolverSettings } from '../../../io/config/resolver-settings.ts';
import { RegistryCredentials } from '../../../io/credentials/registry-credentials.ts';
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import { present } from '../../../core/errors/assert.ts';
import type { TsregError } from '../../../core/errors/error.ts';
import type { Wording } from '../../../core/errors/wording.ts';
import type { Patch } from '../../../core/manifest/manifest.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { selectFeatures } from '../../../core/resolve/cli-features.ts';
import { parseCliFeatures } from '../../../core/resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { LoadManifest } from '../../../io/sources/load-package.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { chooseManifest, type OpenedWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import { type AccessFlags, lockedFlag, offlineFlag } from '../workspace/access-flags.ts';
import { openCatalog, type OpenCatalogOptions } from '../workspace/open-catalog.ts';
import { missingTarget } from '../workspace/missing-values.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import type { BuildFlags } from './cargo-build.ts';
import type { CommonPackagingOptions, SelectedPackage } from './package-crates.ts';
import { PublishAgePolicy } from '../lock/publish-age.ts';
import { RustVersion } from '../lock/rust-version.ts';
import { workspacePatches } from '../lock/workspace-patches.ts';
import {
  checkPackageFlags,
  type PackageFlags,
  type PackageSelectionContext,
  selectPackages,
} from '../workspace/select-packages.ts';
import { specOptions } from '../workspace/spec-options.ts';
import type { SharedObjects } from '../registry/open-registry.ts';
import { chooseRegistry, type RegistryFlags } from '../registry/select-registry.ts';

/** Command-line options of `package` and `publish`. */
export interface PackagesOptions extends AccessFlags {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
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

/** Problems of flags, which are reported once the workspace is loaded; null or omitted if there are none. */
export interface FlagProblems {
  readonly flagWarning?: Wording<string> | null;
  /** Thrown after `checkPackageFlags`, and before packages are selected. */
  readonly flagError?: TsregError | null;
}

/** A workspace, and the packages of it to package. */
export interface OpenedPackages {
  readonly shared: SharedObjects;
  readonly context: LockContext;
  /** The options for making archives that both commands share. */
  readonly packaging: CommonPackagingOptions;
  /** The selected packages in discovery order, with the features to build them with. */
  readonly selected: readonly SelectedPackage[];
}

/**
 * Loads the workspace, reports its warnings and selects the packages. Throws with cargo's messages if a flag does not
 * fit the workspace.
 */
export function openPackages(
  options: PackagesOptions & FlagProblems,
  operation: OperationContext,
): OpenedPackages {
  const { config, build, flagWarning = null, flagError = null } = options;
  // The order of these steps is that of cargo's warnings and errors.
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
  if (flagWarning !== null) report.warning(flagWarning);
  checkPackageFlags(options.selection);
  if (flagError !== null) throw flagError;
  const selected = selectMembers(options, workspace, { report, ...specOptions(config, files) });
  const cache = new PackageCache(config.home, context);
  const credentials = new RegistryCredentials({ ...context, config });
  const { sources } = workspace.manifests;
  // The workspace's reader has already read many path packages.
  const load: LoadManifest = (path, source) =>
    (source.kind === 'path' ? workspace.manifests : opened.packages).load(path, source);
  const shared = { files, sources, cache, credentials, load };
  const { verbosity, toolchain } = build;
  const network = { offlineFlag: offlineFlag(options), maxWaitMs: options.maxWaitMs, verbosity };
  const access = { ...network, ...shared, config };
  let lockPassOptions: LockPassOptions | null = null;
  return {
    shared,
    context,
    packaging: {
      workspace,
      config,
      files,
      registry,
      openSources: () =>
        (lockPassOptions ??= openSources(opened, { ...settings, access, toolchain }, context)),
      lockedFlag: lockedFlag(options),
      lockfilePath: settings.lockfilePath,
      allowsDirty: options.allowsDirty,
      verifies: options.verifies,
      build,
      isVerbose: verbosity === 'verbose',
    },
    selected,
  };
}

/** Opens the package sources, and returns the resolver's options. Throws if the configuration of sources is invalid. */
function openSources(
  opened: OpenedWorkspace,
  { access, toolchain, incompatibleRustVersions }: SourcesOptions,
  context: OperationContext,
): LockPassOptions {
  const { workspace } = opened;
  const { config, offlineFlag } = access;
  const { report, signal } = context;
  let patches: readonly Patch[] | null = null;
  return {
    workspace,
    catalog: openCatalog(opened, access, context),
    patches: () => (patches ??= workspacePatches(workspace, { config, report })),
    incompatibleRustVersions,
    // Created once, so that the compiler starts at most once for all packages.
    rustVersion: new RustVersion(config, toolchain, signal),
    publishAge: new PublishAgePolicy(config),
    offlineFlag,
  };
}

/** How to open the sources. `toolchain` is null for the active one. */
interface SourcesOptions extends Pick<ResolverSettings, 'incompatibleRustVersions'> {
  readonly access: OpenCatalogOptions;
  readonly toolchain: string | null;
}

/** Selects the packages. Throws with cargo's messages if a flag for packages, features or targets does not fit. */
function selectMembers(
  options: PackagesOptions,
  workspace: Workspace,
  context: PackageSelectionContext,
): readonly SelectedPackage[] {
  if (options.build.targets?.length === 0) throw missingTarget(options.config);
  const requested: RequestedFeatures = {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
  const selected = selectPackages(options.selection, workspace, context);
  const { currentManifest, members } = workspace;
  const current = currentManifest.kind === 'package' ? currentManifest.summary : null;
  const roots = selectFeatures(requested, {
    members: selected.map(({ summary }) => summary),
    others: members.filter((member) => !selected.includes(member)).map(({ summary }) => summary),
    current,
    isForAllMembers: current === null || workspace.resolver !== '1',
  });
  // With resolver 1, the current package is among the roots even if it is not selected.
  const requestedOf = new Map(roots.map((root) => [root.summary.id.key, root.requested]));
  return selected.map((manifest) => ({
    manifest,
    requested: present(requestedOf.get(manifest.summary.id.key), 'the features of a selected package'),
  }));
}
