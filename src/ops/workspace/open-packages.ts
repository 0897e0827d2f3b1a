/** The workspace that `package` and `publish` work on, and the packages of it that they are about. */
import type { Config } from '../../config/config.ts';
import { resolverSettings } from '../../config/resolver-settings.ts';
import { RegistryCredentials } from '../../credentials/registry-credentials.ts';
import type { LockContext } from '../../disk/file-lock.ts';
import { NodeFiles } from '../../disk/node-files.ts';
import { PackageCache } from '../../disk/package-cache.ts';
import type { Files } from '../../files/files.ts';
import { joinPath, normalizePath } from '../../files/path.ts';
import type { Patch } from '../../manifest/manifest.ts';
import type { OperationContext } from '../../report/report.ts';
import { selectFeatures } from '../../resolve/cli-features.ts';
import { parseCliFeatures } from '../../resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import { addConfigPatches } from '../../sources/config-patches.ts';
import { chooseManifest } from './choose-manifest.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import { type AccessFlags, lockedFlag, offlineFlag, openCatalog } from './open-catalog.ts';
import { type OpenedWorkspace, openWorkspace } from './open-workspace.ts';
import { operationSignal } from './operation-signal.ts';
import type { PackagingOptions, SelectedPackage } from '../package/package-crates.ts';
import { PublishAgePolicy } from '../lock/publish-age.ts';
import { RustVersion } from '../lock/rust-version.ts';
import { type PackageFlags, selectPackages } from './select-packages.ts';
import { chooseRegistry, type RegistryChoice, type RegistryFlags } from '../registry/select-registry.ts';

/** What the command line says of which packages to package, and how. */
export interface PackagesOptions extends AccessFlags {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly registry: RegistryFlags;
  readonly selection: PackageFlags;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  /** Values of `--target`, empty where it has none; null where it was not given. */
  readonly targets: readonly string[] | null;
  /** `--jobs` as written. */
  readonly jobs: string | null;
  readonly keepGoing: boolean;
  readonly noVerify: boolean;
  readonly allowDirty: boolean;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** Global flags for programs that are started, as on the command line: `--config`, `-Z`, `--color`. */
  readonly globalFlags: readonly string[];
  /** How much is said, and how loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** A workspace whose packages are to be packaged. */
export interface OpenedPackages {
  readonly opened: OpenedWorkspace;
  readonly files: Files;
  readonly cache: PackageCache;
  /** For everything that is asked of registries: their providers are asked once. */
  readonly credentials: RegistryCredentials;
  /** What flags or `registry.default` choose; null if nothing does. */
  readonly registry: RegistryChoice | null;
  readonly context: LockContext;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** How dependencies are resolved. Asked only where that is done, and always the same. */
  readonly resolving: () => LockPassOptions;
}

/** How packages are packaged where that does not follow from the command line alone. */
export type PackagingChoices = Pick<
  PackagingOptions,
  'registry' | 'checksMetadata' | 'includesLockfile' | 'isDryRun' | 'downloadVariables'
>;

/** Loads the workspace, and says what it has to be warned of. */
export function openPackages(options: PackagesOptions, operation: OperationContext): OpenedPackages {
  const { config, verbosity, toolchain } = options;
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
  const release = new RustVersion(config, toolchain, context.signal);
  let patches: readonly Patch[] | null = null;
  const openSources = (): LockPassOptions => ({
    workspace,
    catalog: openCatalog(opened, { config, files, cache, credentials, flags: options, verbosity }, context),
    patches: () =>
      (patches ??= addConfigPatches(workspace.rootManifest.patches, workspace.root, {
        config,
        sources: workspace.manifests.sources,
        report,
      })),
    incompatibleRustVersions: settings.incompatibleRustVersions,
    // The compiler is asked once, whatever the number of packages.
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
    lockfilePath: settings.lockfilePath,
    resolving: () => (resolving ??= openSources()),
  };
}

/** The packages that the flags select, in discovery order, with the features to build them with. */
export function selectMembers(
  options: PackagesOptions,
  { opened, files, context }: OpenedPackages,
): readonly SelectedPackage[] {
  const { workspace } = opened;
  const requested: RequestedFeatures = {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
  const { cwd } = options.config;
  const existingPath = (text: string): string | null => {
    const path = joinPath(cwd, text);
    return files.exists(path) ? normalizePath(path) : null;
  };
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

/** What archives are made with. */
export function packagingOptions(
  options: PackagesOptions,
  { opened, files, lockfilePath, resolving }: OpenedPackages,
  choices: PackagingChoices,
): PackagingOptions {
  const { config, verbosity, toolchain, jobs, keepGoing, globalFlags } = options;
  return {
    ...choices,
    workspace: opened.workspace,
    config,
    files,
    resolving,
    lockedFlag: lockedFlag(options),
    lockfilePath,
    allowsDirty: options.allowDirty,
    verifies: !options.noVerify,
    isVerbose: verbosity === 'verbose',
    build: { targets: options.targets ?? [], jobs, keepGoing, globalFlags, verbosity },
    toolchain,
  };
}
