/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { PackageView, WorkspaceView } from '../derived/package-view.ts';
import { type ResolverSettings, resolverSettings } from '../config/resolver-settings.ts';
import { DamagedRecordError } from '../derived/record.ts';
import { DerivedStore } from '../derived/store.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { PackageCache } from '../disk/package-cache.ts';
import { TracingFiles } from '../disk/tracing-files.ts';
import { TsregError } from '../errors/error.ts';
import type { Files } from '../files/files.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type OperationContext, type Report, reportTo } from '../report/report.ts';
import { parseCliFeatures } from '../resolve/cli-features.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';
import { createCatalog, type PackageCatalog } from '../sources/catalog.ts';
import { addConfigPatches } from '../sources/config-patches.ts';
import type { FetchedPackage } from '../sources/source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { describeGraph, describeMembers, neededPackages } from './describe-workspace.ts';
import { readLockFile } from '../disk/cargo-lock.ts';
import { chooseManifest, type OpenedWorkspace, openWorkspace } from './open-workspace.ts';
import { platformFilter } from './platform-filter.ts';
import { recallGraph, recallWorkspace } from './recall.ts';
import {
  type LoadedWorkspace,
  rememberDependencies,
  type ResolvedDependencies,
  rememberWorkspace,
} from './remember.ts';
import { resolveWorkspace } from './resolve-workspace.ts';
import { rustVersion } from './rust-version.ts';
import { viewPackage, viewWorkspace } from './workspace-view.ts';

/** What the command line asks for. */
export interface MetadataOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** Null: the format that holds today, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
  readonly idForm: 'legacy' | 'spec';
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** What comes out. */
export interface MetadataResult {
  /** The document as one line of UTF-8, without its line break, in parts. */
  readonly document: readonly Uint8Array[];
  /** Leaves on disk what lets the next run answer sooner. To be called when the document is delivered. */
  readonly remember: () => void;
}

/** Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it. */
export async function metadata(options: MetadataOptions, context: OperationContext): Promise<MetadataResult> {
  const { config } = options;
  const files = new NodeFiles();
  const manifestPath = chooseManifest(options.manifestPath, config, files);
  const requested = (): RequestedFeatures => requestedFeatures(options);
  const settings = (): ReturnType<Run['settings']> => {
    const warnings: string[] = [];
    return { ...resolverSettings(config, (text) => warnings.push(text)), warnings };
  };
  const run: Run = { options, context, files, manifestPath, requested, settings };
  const mode = config.env.TSREG_CACHE;
  if (mode === 'off') return { document: (await answerCold(run)).document, remember: () => {} };
  const store = new DerivedStore(config.home);
  if (mode === 'verify') return verify(run, store);
  return (await answerWarm(run, store)) ?? remembering(await answerCold(run), store);
}

/** What the steps of one run share. */
interface Run {
  readonly options: MetadataOptions;
  readonly context: OperationContext;
  readonly files: Files;
  /** Absolute. */
  readonly manifestPath: string;
  /** Reads the feature flags; throws where they are wrong, which is told after the workspace is loaded. */
  readonly requested: () => RequestedFeatures;
  /** Reads `[resolver]`; throws where it is wrong, which is told at the same moment. */
  readonly settings: () => ResolverSettings & { readonly warnings: readonly string[] };
}

/** An answer, and what of it may be kept. */
interface ColdAnswer {
  readonly document: readonly Uint8Array[];
  readonly workspace: LoadedWorkspace;
  readonly dependencies: ResolvedDependencies | null;
}

function remembering({ document, workspace, dependencies }: ColdAnswer, store: DerivedStore): MetadataResult {
  return {
    document,
    remember: () => {
      rememberWorkspace(workspace, store);
      if (dependencies !== null) rememberDependencies(dependencies, store);
    },
  };
}

/** From what an earlier run left; null if that does not hold any more, and nothing was said. */
async function answerWarm(run: Run, store: DerivedStore): Promise<MetadataResult | null> {
  const { options, context, manifestPath, files } = run;
  const { config } = options;
  try {
    const recall = { store, config, files };
    const view = recallWorkspace(manifestPath, recall);
    if (view === null) return null;
    if (options.noDeps) {
      run.requested();
      greet(view, run);
      return { document: describeMembers(view, options), remember: () => {} };
    }
    if (!isPlain(run)) return null;
    const lockText = readLockFile(join(view.root, 'Cargo.lock'));
    if (lockText === null) return null;
    const platforms = await platformFilter(options.filterPlatforms, config);
    const graph = recallGraph(view, { lockText, requested: run.requested(), platforms }, recall);
    if (graph === null) return null;
    const { document, warnings } = describeGraph(view, graph, { ...options, platforms });
    greet(view, run);
    for (const warning of warnings) context.report.warning(warning);
    return { document, remember: () => {} };
  } catch (error) {
    // Whatever is wrong is found again, and told in its place, where everything is read anew.
    if (error instanceof TsregError || error instanceof DamagedRecordError) return null;
    throw error;
  }
}

async function answerCold(run: Run): Promise<ColdAnswer> {
  const { options, context, manifestPath, files } = run;
  const { config } = options;
  const startedMs = Date.now();
  const trace = new TracingFiles(files);
  const opened = openWorkspace(manifestPath, config, { workspace: trace, packages: files });
  const { workspace, registries } = opened;
  const view = viewWorkspace(workspace);
  const loaded = (): LoadedWorkspace => ({
    manifestPath,
    view,
    pathPackages: pathPackages(workspace),
    trace,
    registries,
  });
  greet(view, run);
  const requested = run.requested();
  if (options.noDeps) {
    return { document: describeMembers(view, options), workspace: loaded(), dependencies: null };
  }
  const platforms = await platformFilter(options.filterPlatforms, config);
  const lockContext = { ...context, env: config.env };
  const cache = new PackageCache(config.home, lockContext);
  // What is wrong with manifests that are passed over is said in every run, and so found in every run.
  let hasPassedOver = false;
  const report: Report = {
    ...reportTo(context.report),
    snippet: (snippet) => {
      hasPassedOver = true;
      context.report.snippet(snippet);
    },
  };
  const catalog = makeCatalog({ ...run, context: { ...context, report } }, opened, cache);
  const patches = addConfigPatches(workspace.rootManifest.patches, workspace.root, {
    config,
    sources: workspace.manifests.sources,
    report: context.report,
  });
  const { graph, lockPass, lockfile, lockText } = await resolveWorkspace(
    {
      workspace,
      catalog,
      patches,
      overrides: () => catalog.readPathOverrides(),
      requested,
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: lockfilePath(run),
      incompatibleRustVersions: run.settings().incompatibleRustVersions,
      rustVersion: () => rustVersion(config, options.toolchain, context.signal),
    },
    lockContext,
  );
  const indexes = neededPackages(view, graph, platforms);
  const needed = indexes.flatMap((index) => graph.packages[index]?.summary ?? []);
  const contents = new Map<string, { fetched: FetchedPackage; view: PackageView }>();
  const packages = new Map<number, PackageView>();
  for (const [at, fetched] of (await catalog.fetchPackages(needed)).entries()) {
    const each = viewPackage(catalog.manifestOf(fetched));
    contents.set(fetched.id.key, { fetched, view: each });
    packages.set(indexes[at] ?? -1, each);
  }
  const loadedGraph = { resolution: graph, packages };
  const { document, warnings } = describeGraph(view, loadedGraph, { ...options, platforms });
  for (const warning of warnings) context.report.warning(warning);
  const isKept =
    !hasPassedOver &&
    isPlain(run) &&
    patches.length === 0 &&
    workspace.rootManifest.replacements.length === 0;
  const dependencies: ResolvedDependencies | null =
    isKept && lockText !== null
      ? {
          root: view.root,
          lockText,
          mergesMasterBranch: lockfile.version <= 2,
          lockPass,
          catalog,
          cache,
          contents,
          startedMs,
        }
      : null;
  return { document, workspace: loaded(), dependencies };
}

/** Answers anew, and again from what that left; fails if the two differ. */
async function verify(run: Run, store: DerivedStore): Promise<MetadataResult> {
  const cold = remembering(await answerCold(run), store);
  cold.remember();
  const quiet = { ...run, context: { ...run.context, report: reportTo({}) }, files: new NodeFiles() };
  const warm = await answerWarm(quiet, store);
  if (warm !== null && !Buffer.concat(warm.document).equals(Buffer.concat(cold.document))) {
    throw new TsregError('the answer from derived files differs from the one without them', { code: 'bug' });
  }
  return { document: cold.document, remember: () => {} };
}

/** What is said once the workspace is known. */
function greet({ warnings }: WorkspaceView, { options, context, settings }: Run): void {
  for (const warning of [...settings().warnings, ...warnings]) context.report.warning(warning);
  if (options.formatVersion === null) {
    context.report.warning(
      'please specify `--format-version` flag explicitly to avoid compatibility problems',
    );
  }
}

/** True if nothing outside of the workspace puts packages in the place of others. */
function isPlain(run: Run): boolean {
  const { config } = run.options;
  return lockfilePath(run) === null && config.value('paths') === null && config.value('patch') === null;
}

/** The lock file to use instead of the workspace's own; null for that. */
function lockfilePath({ options, settings }: Run): string | null {
  return options.lockfilePath ?? settings().lockfilePath;
}

/** Packages that the members lead to over paths, and that are no members. */
function pathPackages({ manifests, members }: Workspace): readonly PackageView[] {
  const known = new Set<Manifest>(members);
  return Array.from(manifests.loaded()).flatMap((manifest) =>
    manifest.kind === 'package' && !known.has(manifest) ? [viewPackage(manifest)] : [],
  );
}

function requestedFeatures(options: MetadataOptions): RequestedFeatures {
  return {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
}

function makeCatalog(
  { options, context, files }: Run,
  { workspace, packages }: OpenedWorkspace,
  cache: PackageCache,
): PackageCatalog {
  const { config } = options;
  const { manifests } = workspace;
  return createCatalog({
    ...context,
    config,
    files,
    sources: manifests.sources,
    load: (path, source) => (source.kind === 'path' ? manifests : packages).load(path, source),
    cache,
    offlineFlag: offlineFlag(options),
    verbosity: options.verbosity,
  });
}

function offlineFlag({ frozen, offline }: MetadataOptions): string | null {
  if (frozen) return '--frozen';
  return offline ? '--offline' : null;
}

function lockedFlag({ frozen, locked }: MetadataOptions): string | null {
  if (locked) return '--locked';
  return frozen ? '--frozen' : null;
}
