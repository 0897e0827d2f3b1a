/**
 * The library: the commands as functions. They print nothing, end no process, keep no state between calls and
 * read neither the environment nor the working folder of the process: both are options. Several may run at once.
 */
import { isAbsolute } from 'node:path';
import { type Config, loadConfig } from './config/config.ts';
import { isOfflineConfigured } from './config/network-settings.ts';
import { TsregError } from './errors/error.ts';
import type { MetadataDocument } from './metadata/document.ts';
import { fetchPackages as runFetch, type PackageOnDisk } from './ops/fetch.ts';
import { generateLockfile as runGenerateLockfile } from './ops/generate-lockfile.ts';
import { packageInfo } from './ops/info.ts';
import type { InfoDocument } from './ops/info/info-document.ts';
import { metadata as runMetadata } from './ops/metadata.ts';
import { packageCrates, type PackagedCrate } from './ops/package.ts';
import { checkPackageFlags } from './ops/workspace/select-packages.ts';
import { tree as runTree } from './ops/tree.ts';
import { update as runUpdate } from './ops/update.ts';
import type { UpdateDocument } from './ops/update/update-document.ts';
import { vendor as runVendor, type Vendored } from './ops/vendor.ts';
import { type OperationContext, type Report, reportTo } from './report/report.ts';
import { forestDocument, type TreeDocument } from './tree/document.ts';

export { type ErrorCode, type Snippet, TsregError } from './errors/error.ts';
export { type AnnotatedWarning, formatWarning, type Warning, type WarningRemark } from './errors/warning.ts';
export type {
  DependencyEntry,
  JsonValue,
  MetadataDocument,
  NodeDependency,
  NodeEntry,
  PackageEntry,
  ResolveEntry,
  TargetEntry,
} from './metadata/document.ts';
export type { PackageOnDisk } from './ops/fetch.ts';
export type { InfoDocument, VersionEntry } from './ops/info/info-document.ts';
export type { FeatureInfo } from './ops/info/info-features.ts';
export type { PackagedCrate } from './ops/package.ts';
export type { Vendored, VendoredPackage } from './ops/vendor.ts';
export type {
  ChangeEntry,
  HeldBackEntry,
  HoldReasonEntry,
  LockedVersion,
  NewerVersion,
  UpdateDocument,
} from './ops/update/update-document.ts';
export type { Progress, Report, StatusOptions, StatusStyle } from './report/report.ts';
export type {
  TreeDocument,
  TreeDuplicateEntry,
  TreeEdgeEntry,
  TreeFeatureEntry,
  TreeNodeEntry,
  TreePackageEntry,
} from './tree/document.ts';
export type { OwnerDocument, OwnerEntry } from './ops/owner.ts';
export type { PublishDocument, PublishedEntry } from './ops/publish/publish-document.ts';
export type { PlannedEntry, PublishForecast } from './ops/publish/publish-forecast.ts';
export type { PublishState } from './ops/publish/publish-ledger.ts';
export type { PublishKind, PublishLimit, PublishLimits } from './ops/publish/publish-limits.ts';
export type { LoginDocument } from './ops/login.ts';
export type { LogoutDocument } from './ops/logout.ts';
export type { RegistryEntry, RegistryName } from './ops/registry/registry-document.ts';
export type { SearchDocument, SearchEntry } from './ops/search.ts';
export type { WhoamiDocument, WhoamiToken } from './ops/whoami.ts';
export type { YankDocument, YankEntry } from './ops/yank.ts';

/** What every function is called with. The flags of the command line by their names, and what a process has around it. */
export interface CallOptions {
  /** Working folder: where manifest and configuration are looked for. Absolute. */
  readonly cwd: string;
  /**
   * Environment variables that count: `CARGO_HOME`, `CARGO_*`, proxies and the like, and `PATH`, which programs such
   * as git are looked for in. `process.env` for those of the process.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of `Cargo.toml`, absolute or from `cwd`. Unless given it is looked for in `cwd` and above. */
  readonly manifestPath?: string;
  /** Each as behind `--features`. */
  readonly features?: readonly string[];
  readonly allFeatures?: boolean;
  readonly noDefaultFeatures?: boolean;
  readonly locked?: boolean;
  readonly offline?: boolean;
  readonly frozen?: boolean;
  /** Each as behind `--config`: `KEY=VALUE` or the path of a file. */
  readonly config?: readonly string[];
  /** Receives status lines, warnings and notes while the call runs, as far as it has methods for them. */
  readonly report?: Partial<Report>;
  /** Ends the call: it rejects with the code `aborted`. */
  readonly signal?: AbortSignal;
}

/** What `metadata` is asked for. */
export interface MetadataOptions extends CallOptions {
  /** Members only: nothing is resolved, fetched or written. */
  readonly noDeps?: boolean;
  /** Target triples; what any of them needs. */
  readonly filterPlatforms?: readonly string[];
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec';
}

/** The document of `metadata`. */
export interface Metadata {
  /**
   * As `tsreg metadata` prints it, without the line break: one line of JSON in UTF-8. (The program
   * leaves U+007F out of strings, as cargo does, where its output is not coloured.)
   */
  readonly bytes: Uint8Array;
  /**
   * The document as a value, new at each call. Integers beyond 53 bits in `metadata` tables lose their last digits
   * here, and `1.0` becomes `1`; the bytes have them right.
   */
  readonly parse: () => MetadataDocument;
}

/**
 * What `tsreg metadata --format-version 1` prints: a workspace and its resolved dependencies. Creates or updates
 * `Cargo.lock` and fetches packages as that does. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo metadata.
 */
export async function metadata(options: MetadataOptions): Promise<Metadata> {
  return call(options, async (shared, context) => {
    const { document, remember } = await runMetadata(
      {
        ...shared,
        formatVersion: 1,
        noDeps: options.noDeps ?? false,
        filterPlatforms: options.filterPlatforms ?? [],
        idForm: options.packageIdFormat ?? 'legacy',
        lockfilePath: null,
      },
      context,
    );
    remember();
    const bytes = Buffer.concat(document);
    return { bytes, parse: () => parseDocument(bytes) };
  });
}

/** What `packageCrate` is asked for. */
export interface PackageOptions extends CallOptions {
  /** Each as behind `-p`: a package id specification, or a pattern of names. */
  readonly packages?: readonly string[];
  readonly workspace?: boolean;
  /** Each as behind `--exclude`. */
  readonly exclude?: readonly string[];
  /** The name of the registry that the packages are for. Not together with `index`. */
  readonly registry?: string;
  /** The URL of its index. */
  readonly index?: string;
  readonly noVerify?: boolean;
  readonly noMetadata?: boolean;
  readonly allowDirty?: boolean;
  readonly excludeLockfile?: boolean;
  /** Target triples to build for. */
  readonly targets?: readonly string[];
  readonly jobs?: number | 'default';
  readonly keepGoing?: boolean;
  /** Absolute or from `cwd`. */
  readonly targetDir?: string;
}

/**
 * What `tsreg package` does: makes the `.crate` of each selected package, of those first that others need. Rejects with
 * a `TsregError` whose message and causes are cargo's; then no archive in the target directory has changed.
 * Cargo Book: cargo package.
 */
export async function packageCrate(options: PackageOptions): Promise<readonly PackagedCrate[]> {
  const { registry = null, index = null, targets = null, jobs, targetDir } = options;
  if (registry !== null && index !== null) {
    throw new TsregError('`registry` and `index` cannot be used together', { code: 'usage' });
  }
  return call(options, ({ config, ...shared }, context) =>
    packageCrates(
      {
        ...shared,
        config: targetDir === undefined ? config : config.withTargetDirectory(targetDir),
        registry: { registry, index },
        selection: {
          packages: options.packages ?? [],
          workspace: options.workspace ?? false,
          exclude: options.exclude ?? [],
        },
        targets: targets === null || targets.length === 0 ? null : targets,
        jobs: jobs === undefined ? null : String(jobs),
        keepGoing: options.keepGoing ?? false,
        globalFlags: (options.config ?? []).flatMap((each) => ['--config', each]),
        noVerify: options.noVerify ?? false,
        noMetadata: options.noMetadata ?? false,
        allowDirty: options.allowDirty ?? false,
        excludeLockfile: options.excludeLockfile ?? false,
      },
      context,
    ),
  );
}

/** What the functions on the lock file are called with. */
export interface LockfileOptions extends Omit<CallOptions, 'features' | 'allFeatures' | 'noDefaultFeatures'> {
  readonly ignoreRustVersion?: boolean;
}

/** What `update` is asked for. */
export interface UpdateOptions extends LockfileOptions {
  /** Package id specifications of what is to be updated; everything unless given. */
  readonly specs?: readonly string[];
  /** The version or the commit that they are to have. Only with `specs`. */
  readonly precise?: string;
  /** With everything that they depend on. Not together with `precise`. */
  readonly recursive?: boolean;
  /** Without `specs`: only what changes of the workspace ask for. */
  readonly workspace?: boolean;
  readonly dryRun?: boolean;
}

/**
 * What `tsreg update --json` does and prints: chooses packages of `Cargo.lock` anew. Rejects with a `TsregError` whose
 * message and causes are cargo's; then the file is as it was. Cargo Book: cargo update.
 */
export async function update(options: UpdateOptions): Promise<UpdateDocument> {
  const { specs = [], precise = null, recursive = false } = options;
  if (precise !== null && (specs.length === 0 || recursive)) {
    const problem = recursive ? 'cannot be used with `recursive`' : 'needs `specs`';
    throw new TsregError(`\`precise\` ${problem}`, { code: 'usage' });
  }
  return call(options, async (shared, context) => {
    const own = { ignoreRustVersion: options.ignoreRustVersion ?? false, specs, precise, recursive };
    const { workspace = false, dryRun = false } = options;
    const { describe } = await runUpdate({ ...shared, ...own, workspace, dryRun }, context);
    return describe();
  });
}

/**
 * What `tsreg generate-lockfile` does: writes `Cargo.lock` as if there were none. The document is that of `update`; to
 * it everything is new. Rejects as `update` does. Cargo Book: cargo generate-lockfile.
 */
export async function generateLockfile(options: LockfileOptions): Promise<UpdateDocument> {
  return call(options, async (shared, context) => {
    const { ignoreRustVersion = false } = options;
    const { describe } = await runGenerateLockfile({ ...shared, ignoreRustVersion }, context);
    return describe();
  });
}

/** What `fetchPackages` is asked for. */
export interface FetchOptions extends Omit<LockfileOptions, 'ignoreRustVersion'> {
  /** Target triples; what any of them needs. Everything unless given. */
  readonly targets?: readonly string[];
}

/**
 * What `tsreg fetch` does: brings `Cargo.lock` up to date, and downloads and unpacks what is missing of it. Gives every
 * package that is needed, members among them. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo fetch.
 */
export async function fetchPackages(options: FetchOptions): Promise<readonly PackageOnDisk[]> {
  const { targets = [] } = options;
  return call(options, (shared, context) =>
    runFetch({ ...shared, targets: targets.length === 0 ? null : targets }, context),
  );
}

/** What `vendor` is asked for. */
export interface VendorOptions extends Omit<LockfileOptions, 'ignoreRustVersion'> {
  /** The folder, absolute or from `cwd`; `vendor` unless given. The tables that are given back name it like this. */
  readonly path?: string;
  /** Manifests of further workspaces, absolute or from `cwd`. */
  readonly sync?: readonly string[];
  /** Keeps what is in the folder and not needed. */
  readonly noDelete?: boolean;
  /** Every folder has the version in its name. */
  readonly versionedDirs?: boolean;
  /** Heeds `[source]` of the configuration, which else counts for nothing. */
  readonly respectSourceConfig?: boolean;
}

/**
 * What `tsreg vendor` does: brings `Cargo.lock` up to date, and copies what it names into a folder. Rejects with a
 * `TsregError` whose message and causes are cargo's; then each package there is as it was or as it shall be.
 * Cargo Book: cargo vendor.
 */
export async function vendor(options: VendorOptions): Promise<Vendored> {
  const { path = 'vendor', sync = [], noDelete = false, versionedDirs = false } = options;
  if (path === '') throw new TsregError('`path` is empty', { code: 'usage' });
  return call(options, (shared, context) => {
    const { respectSourceConfig = false } = options;
    return runVendor({ ...shared, path, sync, noDelete, versionedDirs, respectSourceConfig }, context);
  });
}

/** What `tree` is asked for. */
export interface TreeOptions extends CallOptions {
  /** Each as behind `-p`: a package id specification, or a pattern of names. */
  readonly packages?: readonly string[];
  readonly workspace?: boolean;
  /** Each as behind `--exclude`; only with `workspace`. */
  readonly exclude?: readonly string[];
  /** Kinds of dependencies that are followed; all of them unless given. */
  readonly kinds?: readonly ('normal' | 'build' | 'dev')[];
  /** True for features as nodes between packages. */
  readonly showFeatures?: boolean;
  readonly noProcMacro?: boolean;
  /** Target triples, or `all` alone for every platform; the configured one or the host unless given. */
  readonly targets?: readonly string[];
  /** Package id specifications of what an inverted tree starts from. */
  readonly invert?: readonly string[];
  /** True for an inverted tree of what is built more than once. Not together with `showFeatures`. */
  readonly duplicates?: boolean;
  /** Package id specifications of what is left out. */
  readonly prune?: readonly string[];
  /** No deeper than so many levels below the roots. */
  readonly depth?: number | 'workspace';
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec';
}

/**
 * What `tsreg tree --json` prints: the graph of a workspace as it is built. Creates or updates `Cargo.lock` and fetches
 * packages as that does. Rejects with a `TsregError` whose message and causes are cargo's. Cargo Book: cargo tree.
 */
export async function tree(options: TreeOptions): Promise<TreeDocument> {
  const { packages = [], workspace = false, exclude = [], depth } = options;
  checkPackageFlags({ packages, workspace, exclude });
  return call(options, async (shared, context) => {
    const { forest, remember } = await runTree(
      {
        ...shared,
        lockfilePath: null,
        packages: { packages, workspace, exclude },
        asksForPackages: false,
        kinds: new Set(options.kinds ?? ['normal', 'build', 'dev']),
        showsFeatures: options.showFeatures ?? false,
        hidesProcMacros: options.noProcMacro ?? false,
        targets: options.targets ?? [],
        invert: options.invert ?? [],
        duplicates: options.duplicates ?? false,
        prune: options.prune ?? [],
        idForm: options.packageIdFormat ?? 'legacy',
      },
      context,
    );
    remember();
    const membersOnly = depth === 'workspace';
    const maxDepth = typeof depth === 'number' ? depth : Number.POSITIVE_INFINITY;
    return forestDocument(forest, { maxDepth, membersOnly });
  });
}

/** What `info` is asked for. */
export interface InfoOptions extends Omit<LockfileOptions, 'ignoreRustVersion' | 'manifestPath'> {
  /** A package id specification: `serde`, `serde@1`, … */
  readonly spec: string;
  /** The name of the registry that is meant, whatever the workspace has. Not together with `index`. */
  readonly registry?: string;
  /** The URL of its index. */
  readonly index?: string;
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec';
}

/**
 * What `tsreg info --json` prints: a package of the workspace of `cwd`, or of a registry. Fetches it, and brings
 * `Cargo.lock` up to date, as that does. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo info.
 */
export async function info(options: InfoOptions): Promise<InfoDocument> {
  const { spec, registry = null, index = null, packageIdFormat = 'legacy' } = options;
  if (registry !== null && index !== null) {
    throw new TsregError('`registry` and `index` cannot be used together', { code: 'usage' });
  }
  return call(options, async (shared, context) => {
    const { describe } = await packageInfo({ ...shared, spec, registry: { registry, index } }, context);
    return describe(packageIdFormat);
  });
}

/** What every operation takes, made of the options of a call. */
interface SharedOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  readonly locked: boolean;
  readonly frozen: boolean;
  readonly offline: boolean;
  readonly toolchain: null;
  readonly verbosity: 'quiet';
}

async function call<T>(
  options: CallOptions,
  body: (shared: SharedOptions, context: OperationContext) => Promise<T>,
): Promise<T> {
  const { cwd, env, signal = new AbortController().signal } = options;
  if (!isAbsolute(cwd)) throw new TsregError(`\`cwd\` must be absolute, not \`${cwd}\``, { code: 'usage' });
  const report = reportTo(options.report ?? {});
  try {
    signal.throwIfAborted();
    const config = loadConfig({ cwd, env, report }).withArguments(options.config ?? []);
    const shared: SharedOptions = {
      config,
      manifestPath: options.manifestPath ?? null,
      features: options.features ?? [],
      allFeatures: options.allFeatures ?? false,
      noDefaultFeatures: options.noDefaultFeatures ?? false,
      locked: options.locked ?? false,
      frozen: options.frozen ?? false,
      offline: (options.offline ?? false) || isOfflineConfigured(config),
      toolchain: null,
      verbosity: 'quiet',
    };
    return await body(shared, { report, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TsregError('interrupted', { code: 'aborted', cause: signal.reason });
  }
}

function parseDocument(bytes: Buffer): MetadataDocument {
  const document: MetadataDocument = JSON.parse(bytes.toString('utf8'));
  return document;
}
