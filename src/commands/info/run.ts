/** `info`: the details of a package. Cargo Book: cargo info. */
import type { Config } from '../../io/config/config.ts';
import { unnamedRegistryIndex } from '../../io/config/registry-index.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { PackageCache } from '../../io/disk/package-cache.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { type PackageIdSpec, parseSpecArgument } from '../../core/package-id/package-id-spec.ts';
import { isSameSource, type SourceId } from '../../core/package-id/source-id.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { createCatalog, type PackageCatalog } from '../../io/sources/catalog.ts';
import type { LoadManifest } from '../../io/sources/load-package.ts';
import { SourceReplacement } from '../../io/sources/source-replacement.ts';
import type { PartialVersion } from '../../core/version/partial-version.ts';
import { findManifest } from '../../io/workspace/find-manifest.ts';
import { ManifestLoader } from '../../io/workspace/manifest-loader.ts';
import { type ChosenPackage, describePackageInfo, type PackageInfo } from './result.ts';
import { chooseVersion, type FoundVersions, queryVersions } from './versions.ts';
import type { WorkspaceMatch } from './workspace.ts';
import type { LockRun } from '../shared/lock/lock-run.ts';
import { type AccessFlags, lockedFlag, offlineFlag } from '../shared/workspace/access-flags.ts';
import { operationSignal } from '../shared/workspace/operation-signal.ts';
import { RustVersion } from '../shared/lock/rust-version.ts';
import {
  checkNotReplaced,
  chooseRegistry,
  type RegistryChoice,
  type RegistryFlags,
  registrySource,
} from '../shared/registry/select-registry.ts';
import { specOptions } from '../shared/workspace/spec-options.ts';

/** The command-line options of `info`. */
export interface InfoOptions extends AccessFlags {
  readonly config: Config;
  /** A package id specification. */
  readonly spec: string;
  readonly registry: RegistryFlags;
  /** The name of the toolchain whose compiler runs; null for the active one. */
  readonly toolchain: string | null;
  /** The verbosity of programs that write to the user's terminal themselves, such as git. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/**
 * Finds a package in the workspace of the working folder or its dependencies, else in a registry, and reads its
 * manifest. Downloads and unpacks the package if it is not on disk, and brings `Cargo.lock` up to date.
 */
export async function packageInfo(options: InfoOptions, context: OperationContext): Promise<PackageInfo> {
  const { config } = options;
  const files = new NodeFiles();
  const spec = withContext(`invalid package ID specification: \`${options.spec}\``, () =>
    parseSpecArgument(options.spec, specOptions(config, files)),
  );
  const choice = chooseRegistry(options.registry, config);
  const run = { ...options, files, spec, choice };
  return new InfoRun(run, { ...context, signal: operationSignal(context.signal) }).run();
}

/** The options of `info` after parsing. */
interface InfoRunOptions extends Omit<InfoOptions, 'spec'> {
  readonly files: Files;
  readonly spec: PackageIdSpec;
  readonly choice: RegistryChoice | null;
}

/** One run of `info`: its steps, and the objects that they share. */
class InfoRun {
  readonly #options: InfoRunOptions;
  readonly #context: OperationContext;
  /** Shared by both catalogs, so that a git index is fetched only once. */
  readonly #cache: PackageCache;

  constructor(options: InfoRunOptions, context: OperationContext) {
    this.#options = options;
    this.#context = context;
    this.#cache = new PackageCache(options.config.home, { ...context, env: options.config.env });
  }

  /** Runs all steps, in the order of cargo's errors and warnings. */
  async run(): Promise<PackageInfo> {
    const { config, spec } = this.#options;
    const { report } = this.#context;
    const sources = new SourceTable();
    // Only for its effects: its errors come first, and its spelling of registries has precedence in `sources`.
    new SourceReplacement(config, sources);
    const steps = hasManifest(config.cwd, this.#options.files) ? await import('./workspace.ts') : null;
    const workspaceOptions = { ...this.#options, manifestPath: null, ignoreRustVersion: false, sources };
    const workspace = steps?.openInfoWorkspace(workspaceOptions, this.#context) ?? null;
    const locked = lockedFlag(this.#options);
    if (workspace === null && locked !== null) {
      throw new TsregError(`the option \`${locked}\` can only be used within a workspace`, { code: 'usage' });
    }
    const { match, catalog: earlier } =
      steps === null || workspace === null
        ? { match: null, catalog: null }
        : await steps.findInWorkspace(spec, workspace, this.#cache);
    const origin = this.#findOrigin(match, sources);
    const catalog = this.#openCatalog(sources, { workspace, earlier });
    const chosen = await this.#choosePackage(origin, { catalog, workspace });
    const { name } = chosen.summary.id;
    if (name !== spec.name) report.warning(`translating \`${spec.name}\` to \`${name}\``);
    const [fetched] = await catalog.fetchPackages([chosen.summary]);
    return describePackageInfo(
      catalog.manifestOf(present(fetched, 'the fetched package')),
      chosen,
      config.cwd,
    );
  }

  /** Returns the source to query, and the package of the workspace if that is the one to show. */
  #findOrigin(match: WorkspaceMatch | null, sources: SourceTable): Origin {
    const { config, choice, registry } = this.#options;
    const isExplicit = registry.registry !== null || registry.index !== null;
    if (match === null) {
      return { source: registrySource(choice, config, sources).original, match: null };
    }
    const { source } = match.summary.id;
    if (!isExplicit) {
      checkNotReplaced(source, config, sources);
      return { source, match };
    }
    const { original } = registrySource(choice, config, sources);
    const isSame =
      isSameSource(original, source) ||
      isSameSource(original, new SourceReplacement(config, sources).actualOf(source));
    return isSame ? { source, match } : { source: original, match: null };
  }

  /** Returns the package to show: that of the workspace, else a version in the source. Throws `not-found`. */
  async #choosePackage(
    { source, match }: Origin,
    { catalog, workspace }: { readonly catalog: PackageCatalog; readonly workspace: LockRun | null },
  ): Promise<ChosenPackage> {
    const { spec } = this.#options;
    const isLocked = match?.isLocked ?? false;
    const isOffline = offlineFlag(this.#options) !== null;
    const query = { source, catalog, isLocked, isOffline };
    const findVersions = (): Promise<FoundVersions> =>
      catalog.loader.whileSearching(() => queryVersions(spec.name, query));
    if (match !== null) {
      return { summary: match.summary, relation: match.relation, versions: (await findVersions()).usable };
    }
    const declared = await this.#declaredRustVersion(workspace);
    const { config, toolchain } = this.#options;
    const compiler = new RustVersion(config, toolchain, this.#context.signal);
    // The compiler takes as long as the registry.
    if (declared === null) compiler.begin();
    try {
      const found = await findVersions();
      const name = found.usable[0]?.id.name ?? spec.name;
      const rustVersion = declared ?? (await compiler.ask());
      const registry = { url: formatIndexUrl(source), isOffline };
      const summary = chooseVersion({ ...spec, name }, found, { rustVersion, registry });
      return { summary, relation: null, versions: found.usable };
    } finally {
      compiler.stop();
    }
  }

  /** Returns the version of Rust that the workspace supports; null if it declares none. */
  async #declaredRustVersion(run: LockRun | null): Promise<PartialVersion | null> {
    if (run === null) return null;
    const { supportedRustVersion } = await import('./workspace.ts');
    return supportedRustVersion(run.workspace);
  }

  /** Opens the sources. Reuses the connections and tokens of `earlier`, the catalog of the workspace; null for none. */
  #openCatalog(
    sources: SourceTable,
    { workspace, earlier }: { readonly workspace: LockRun | null; readonly earlier: PackageCatalog | null },
  ): PackageCatalog {
    const { config, files, verbosity } = this.#options;
    const packages =
      workspace?.packages ??
      new ManifestLoader({
        files,
        sources,
        cargoHome: config.home,
        registry: (name) => unnamedRegistryIndex(config, name, sources),
      });
    const pathPackages = workspace?.workspace.manifests ?? packages;
    const load: LoadManifest = (path, source) =>
      (source.kind === 'path' ? pathPackages : packages).load(path, source);
    return createCatalog(
      {
        ...this.#context,
        config,
        files,
        sources,
        load,
        cache: this.#cache,
        offlineFlag: offlineFlag(this.#options),
        verbosity,
      },
      earlier,
    );
  }
}

/** Returns true if the working folder or a folder above it has a manifest. */
function hasManifest(cwd: string, files: Files): boolean {
  try {
    findManifest(cwd, files);
    return true;
  } catch (error) {
    if (error instanceof TsregError && error.code === 'not-found') return false;
    throw error;
  }
}

/** The source to query, and the package of the workspace to show; null to choose a version in the source. */
interface Origin {
  readonly source: SourceId;
  readonly match: WorkspaceMatch | null;
}
