/** `package`: the archives that a registry takes of the packages of a workspace. Cargo Book: cargo package. */
import { basename, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { targetDirectory } from '../config/target-directory.ts';
import { resolverSettings } from '../config/resolver-settings.ts';
import { makeCacheDirectory } from '../disk/cache-directory-tag.ts';
import { copyFileAtomic } from '../disk/copy-file.ts';
import type { LockContext } from '../disk/file-lock.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { PackageCache } from '../disk/package-cache.ts';
import type { TsregError } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import { joinPath, normalizePath } from '../files/path.ts';
import type { OperationContext, Report } from '../report/report.ts';
import { parseCliFeatures, selectFeatures } from '../resolve/cli-features.ts';
import { addConfigPatches } from '../sources/config-patches.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';
import type { PartialVersion } from '../version/partial-version.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { chooseManifest } from './choose-manifest.ts';
import { missingTarget } from './missing-values.ts';
import { type AccessFlags, lockedFlag, offlineFlag, openCatalog } from './open-catalog.ts';
import { openWorkspace } from './open-workspace.ts';
import type { LockPassOptions } from './lock-pass.ts';
import { operationSignal } from './operation-signal.ts';
import {
  listArchives,
  packageCrates as packCrates,
  type PackagingOptions,
  type SelectedPackage,
} from './package-crates.ts';
import type { PackagePlan } from './plan-package.ts';
import { rustVersion } from './rust-version.ts';
import { checkPackageFlags, type PackageFlags, selectPackages } from './select-packages.ts';
import { chooseRegistry, type RegistryFlags } from './select-registry.ts';

/** What the command line asks for. */
export interface PackageOptions extends AccessFlags {
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
  readonly noMetadata: boolean;
  readonly allowDirty: boolean;
  readonly excludeLockfile: boolean;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** Global flags for programs that are started, as on the command line: `--config`, `-Z`, `--color`. */
  readonly globalFlags: readonly string[];
  /** How much is said, and how loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** What the command line asks for with `--list`. */
export interface ListOptions extends PackageOptions {
  /** What is wrong with a flag that is looked at once the workspace has been read; null if nothing is. */
  readonly flagError: TsregError | null;
}

/** A `.crate` that was made. */
export interface PackagedCrate {
  readonly name: string;
  readonly version: string;
  /** Absolute path: in the target directory, or the scratch folder's if that is all there is. */
  readonly path: string;
  readonly fileCount: number;
  /** Sum of the files' contents. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Of the whole `.crate`, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Says of each selected package what its archive would hold, in the order in which they would be made. Brings
 * `Cargo.lock` up to date where there is one, and makes the target directory; writes nothing else.
 */
export async function* listPackages(
  options: ListOptions,
  context: OperationContext,
): AsyncGenerator<PackagePlan> {
  const { selected, packaging, lockContext } = openPackages(options, context, options.flagError);
  yield* listArchives(selected, packaging, lockContext);
  // As cargo does, which has come so far that it could put archives there.
  makeCacheDirectory(targetDirectory(packaging.config, packaging.workspace.root));
}

/**
 * Makes the archives of the selected packages and checks them, unless that is not wanted; then puts them into
 * `package` of the target directory, all or none. Brings `Cargo.lock` up to date where there is one.
 */
export async function packageCrates(
  options: PackageOptions,
  context: OperationContext,
): Promise<readonly PackagedCrate[]> {
  const { selected, packaging, lockContext } = openPackages(options, context, null);
  const packed = await packCrates(selected, packaging, lockContext);
  const target = targetDirectory(packaging.config, packaging.workspace.root);
  makeCacheDirectory(target);
  const results: PackagedCrate[] = [];
  for (const { manifest, path: scratch, fileCount, bytes, compressedBytes, sha256 } of packed) {
    const { name, version } = manifest.summary.id;
    const path = join(target, 'package', basename(scratch));
    await copyFileAtomic(scratch, path, lockContext.signal);
    results.push({ name, version: version.text, path, fileCount, bytes, compressedBytes, sha256 });
  }
  return results;
}

interface OpenedPackages {
  readonly selected: readonly SelectedPackage[];
  readonly packaging: PackagingOptions;
  readonly lockContext: LockContext;
}

/** Loads the workspace and makes out what the flags mean in it, in cargo's order. */
function openPackages(
  options: PackageOptions,
  context: OperationContext,
  flagError: TsregError | null,
): OpenedPackages {
  const { config, verbosity, toolchain, jobs, keepGoing, globalFlags } = options;
  const registry = chooseRegistry(options.registry, config);
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const opened = openWorkspace(manifestPath, config, { workspace: files, packages: files });
  const { workspace } = opened;
  const lockContext: LockContext = { ...context, signal: operationSignal(context.signal), env: config.env };
  const { report } = lockContext;
  const settings = resolverSettings(config, (text) => report.warning(text));
  for (const warning of workspace.warnings) report.warning(warning);
  checkPackageFlags(options.selection);
  if (flagError !== null) throw flagError;
  if (options.targets?.length === 0) throw missingTarget(options.config);
  const cache = new PackageCache(config.home, lockContext);
  const selected = selectMembers(options, workspace, files, report);
  let release: Promise<PartialVersion> | null = null;
  const openSources = (): LockPassOptions => ({
    workspace,
    catalog: openCatalog(opened, { config, files, cache, flags: options, verbosity }, lockContext),
    patches: addConfigPatches(workspace.rootManifest.patches, workspace.root, {
      config,
      sources: workspace.manifests.sources,
      report,
    }),
    incompatibleRustVersions: settings.incompatibleRustVersions,
    // The compiler is asked once, whatever the number of packages.
    rustVersion: () => (release ??= rustVersion(config, toolchain, lockContext.signal)),
    offlineFlag: offlineFlag(options),
  });
  let resolving: LockPassOptions | null = null;
  const packaging: PackagingOptions = {
    workspace,
    config,
    files,
    registry,
    resolving: () => (resolving ??= openSources()),
    lockedFlag: lockedFlag(options),
    lockfilePath: settings.lockfilePath,
    checksMetadata: !options.noMetadata,
    allowsDirty: options.allowDirty,
    includesLockfile: !options.excludeLockfile,
    verifies: !options.noVerify,
    isVerbose: verbosity === 'verbose',
    build: { targets: options.targets ?? [], jobs, keepGoing, globalFlags, verbosity },
    toolchain,
    isDryRun: false,
  };
  return { selected, packaging, lockContext };
}

function selectMembers(
  options: PackageOptions,
  workspace: Workspace,
  files: Files,
  report: Report,
): readonly SelectedPackage[] {
  const requested: RequestedFeatures = {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
  const { cwd } = options.config;
  const existingPath = (text: string): string | null => {
    const path = joinPath(cwd, text);
    return files.kind(path) === null ? null : normalizePath(path);
  };
  const selected = selectPackages(options.selection, workspace, { report, existingPath });
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
