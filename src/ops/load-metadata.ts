import { join } from 'node:path';
import { PackageCache } from '../disk/package-cache.ts';
import { SETTLING_MS, type Stamp, takeStamp } from '../disk/stamp.ts';
import { TracingFiles } from '../disk/tracing-files.ts';
import type { PackageView } from '../derived/package-view.ts';
import type { DerivedStore } from '../derived/store.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type Report, reportTo } from '../report/report.ts';
import { addConfigPatches } from '../sources/config-patches.ts';
import type { FetchedPackage } from '../sources/source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { describeGraph, graphWarnings, neededPackages } from './describe-graph.ts';
import { questionOf } from './answer.ts';
import { EarlierContents } from './earlier-contents.ts';
import { greet, isPlain, lockfilePath, type MetadataRun } from './metadata-run.ts';
import { lockedFlag, offlineFlag, openCatalog } from './open-catalog.ts';
import { openWorkspace } from './open-workspace.ts';
import { operationSignal } from './operation-signal.ts';
import { platformFilter } from './platform-filter.ts';
import { printDocument } from './print-document.ts';
import { type LoadedPackage, type LoadedWorkspace, remember, type ResolvedDependencies } from './remember.ts';
import { registriesOf } from './registries-of.ts';
import { resolveWorkspace } from './resolve-workspace.ts';
import { rustVersion } from './rust-version.ts';
import { viewPackage, viewWorkspace } from './workspace-view.ts';

/** A document, and what may be kept of what it was made from. */
export interface LoadedMetadata {
  readonly document: readonly Uint8Array[];
  /** True if the lock file as it was found left no choice: only then must the next run print the same. */
  readonly isForced: boolean;
  readonly workspace: LoadedWorkspace;
  readonly dependencies: ResolvedDependencies | null;
}

/**
 * Resolves everything anew: brings `Cargo.lock` up to date, fetches what is missing, describes all of it. Of packages
 * that are on disk as an earlier run read them, `store` may have what it made of their manifests.
 */
export async function loadMetadata(run: MetadataRun, store: DerivedStore | null): Promise<LoadedMetadata> {
  const { options, manifestPath, files } = run;
  const context = { ...run.context, signal: operationSignal(run.context.signal) };
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
    const document = printDocument(view, null, options);
    return { document, isForced: true, workspace: loaded(), dependencies: null };
  }
  const platforms = await platformFilter(options.filterPlatforms, config);
  const lockContext = { ...context, env: config.env };
  const cache = new PackageCache(config.home, lockContext);
  // What is said here is said in every run, and so found out in every run.
  let hasSpoken = false;
  const report: Report = {
    ...reportTo(context.report),
    warning: (warning) => {
      hasSpoken = true;
      context.report.warning(warning);
    },
    note: (note) => {
      hasSpoken = true;
      context.report.note(note);
    },
    snippet: (snippet) => {
      hasSpoken = true;
      context.report.snippet(snippet);
    },
  };
  const { verbosity } = options;
  const catalog = openCatalog(
    opened,
    { config, files, cache, flags: options, verbosity },
    { ...context, report },
  );
  const patches = addConfigPatches(workspace.rootManifest.patches, workspace.root, {
    config,
    sources: workspace.manifests.sources,
    report,
  });
  const { graph, lockPass, lockfile, lockText, isForced } = await resolveWorkspace(
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
    { ...lockContext, report },
  );
  const indexes = neededPackages(view, graph, platforms);
  const needed = indexes.flatMap((index) => graph.packages[index]?.summary ?? []);
  const earlier = new EarlierContents(store, {
    root: view.root,
    sources: view.sources,
    registry: registriesOf(config),
  });
  const contents = new Map<string, LoadedPackage>();
  const packages = new Map<number, PackageView>();
  for (const [at, fetched] of (await catalog.fetchPackages(needed)).entries()) {
    const summary = needed[at];
    const kept = summary === undefined ? null : earlier.find(summary, fetched);
    const manifest = kept?.manifest ?? manifestStamp(fetched, cache, startedMs);
    const each = kept?.view ?? viewPackage(catalog.manifestOf(fetched));
    contents.set(fetched.id.key, { fetched, view: each, manifest });
    packages.set(indexes[at] ?? -1, each);
  }
  const loadedGraph = { resolution: graph, packages };
  const warnings = graphWarnings(view, loadedGraph, platforms);
  for (const warning of warnings) context.report.warning(warning);
  const described = describeGraph(view, loadedGraph, { idForm: options.idForm, platforms });
  const document = printDocument(view, described, options);
  const isKept = !hasSpoken && isPlain(run) && workspace.rootManifest.replacements.length === 0;
  if (!isKept || lockText === null) return { document, isForced, workspace: loaded(), dependencies: null };
  const asked = { question: questionOf(run), graph: { packages, described, warnings } };
  const dependencies: ResolvedDependencies = {
    lockText,
    mergesMasterBranch: lockfile.version <= 2,
    hasPatches: patches.length > 0,
    lockPass,
    catalog,
    cache,
    contents,
    startedMs,
    asked: isForced ? asked : null,
  };
  return { document, isForced, workspace: loaded(), dependencies };
}

/** What tells a manifest that is read after this, or was since the run began, from every later state of it. */
function manifestStamp(
  { root, manifest }: FetchedPackage,
  cache: PackageCache,
  startedMs: number,
): Stamp | null {
  const path = join(root, 'Cargo.toml');
  const written = cache.writtenStamp(path);
  if (written !== null) return written;
  const stamp = takeStamp(path);
  const limitMs = manifest === undefined ? Math.max(startedMs, Date.now() - SETTLING_MS) : startedMs;
  return stamp === null || stamp.changedMs >= limitMs ? null : stamp;
}

/** Leaves what was loaded for the next run. */
export function rememberMetadata({ workspace, dependencies }: LoadedMetadata, store: DerivedStore): void {
  remember(workspace, dependencies, store);
}

/** Packages that the members lead to over paths, and that are no members. */
function pathPackages({ manifests, members }: Workspace): readonly PackageView[] {
  const known = new Set<Manifest>(members);
  return Array.from(manifests.loaded()).flatMap((manifest) =>
    manifest.kind === 'package' && !known.has(manifest) ? [viewPackage(manifest)] : [],
  );
}
