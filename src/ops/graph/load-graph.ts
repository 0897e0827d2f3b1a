/** A workspace and its graph, read and resolved anew. */
import type { PackageView } from '../../derived/package-view.ts';
import { PackageCache } from '../../disk/package-cache.ts';
import { type Report, reportThrough } from '../../report/report.ts';
import { addConfigPatches } from '../../sources/config-patches.ts';
import { UnpackThreads } from '../../sources/unpack-threads.ts';
import type { LoadedGraph } from './describe-graph.ts';
import { EarlierPackages } from './earlier-packages.ts';
import type { GraphSelection } from './graph-selection.ts';
import type { KeptDependencies } from './kept-dependencies.ts';
import { lockedFlag, offlineFlag, openCatalog } from '../workspace/open-catalog.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import type { ReadAhead } from './read-ahead.ts';
import { PackageReader } from './read-packages.ts';
import type { OpenedRun } from './open-run.ts';
import type { LoadedPackage, ResolvedDependencies } from './remember.ts';
import { resolveWorkspace } from '../lock/resolve-workspace.ts';
import { RustVersion } from '../lock/rust-version.ts';
import { isPlain, lockfilePath, type WorkspaceRun } from '../workspace/workspace-run.ts';

/** Where packages are had from whose manifests need not be read. */
export interface KnownPackages {
  /** Of those that are on disk as an earlier run read them, this may have what it made of them. */
  readonly kept: KeptDependencies | null;
  /** What reads others in the meantime; null if nothing does. */
  readonly ahead: ReadAhead | null;
}

/** Which graph is wanted, where its packages are had from, and what is to be done while others read them. */
export interface GraphOptions extends KnownPackages {
  readonly selection: GraphSelection;
  readonly meanwhile?: () => void;
}

/** A graph, and what may be kept of what it was made from. */
export interface LoadedGraphRun extends LoadedGraph {
  /** True if the lock file as it was found left no choice: only then must the next run print the same. */
  readonly isForced: boolean;
  readonly dependencies: Omit<ResolvedDependencies, 'asked'> | null;
  /** True if the next run, with the lock file that this one leaves, calls every registry the same. */
  readonly keepsNames: boolean;
}

/** Resolves everything anew: brings `Cargo.lock` up to date and fetches what is missing. */
export async function loadGraph(
  run: WorkspaceRun,
  opened: OpenedRun,
  options: GraphOptions,
): Promise<LoadedGraphRun> {
  const unpacking = new UnpackThreads();
  try {
    return await resolveAndRead(run, opened, { ...options, unpacking });
  } finally {
    await unpacking.close();
  }
}

async function resolveAndRead(
  run: WorkspaceRun,
  { opened, view }: OpenedRun,
  {
    selection,
    kept,
    ahead,
    meanwhile = () => {},
    unpacking,
  }: GraphOptions & { readonly unpacking: UnpackThreads },
): Promise<LoadedGraphRun> {
  const { options, files, startedMs } = run;
  const { config, verbosity } = options;
  const { workspace } = opened;
  const context = { ...run.context, signal: operationSignal(run.context.signal) };
  const lockContext = { ...context, env: config.env };
  const cache = new PackageCache(config.home, lockContext);
  const { report, hasSpoken } = listenTo(context.report);
  const earlier = new EarlierPackages(kept, view, config);
  const catalog = openCatalog(
    opened,
    { config, files, cache, flags: options, verbosity, recorded: earlier, ahead, unpacking },
    { ...context, report },
  );
  const { graph, lockPass, lockfile, lockText, isForced } = await resolveWorkspace(
    {
      ...selection,
      workspace,
      catalog,
      patches: () =>
        addConfigPatches(workspace.rootManifest.patches, workspace.root, {
          config,
          sources: workspace.manifests.sources,
          report,
        }),
      overrides: () => catalog.readPathOverrides(),
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: lockfilePath(run),
      incompatibleRustVersions: run.settings().incompatibleRustVersions,
      rustVersion: new RustVersion(config, options.toolchain, context.signal),
      tellsChanges: true,
    },
    { ...lockContext, report },
  );
  const reader = new PackageReader({
    catalog,
    cache,
    earlier,
    ahead,
    sources: workspace.manifests.sources,
    ...{ startedMs, meanwhile },
  });
  const contents = new Map<string, LoadedPackage>();
  const packages = new Map<number, PackageView>();
  const read = async (indexes: readonly number[]): Promise<void> => {
    const needed = indexes.flatMap((index) => graph.packages[index]?.summary ?? []);
    for (const [at, each] of (await reader.read(needed)).entries()) {
      contents.set(each.fetched.id.key, each);
      packages.set(indexes[at] ?? -1, each.view);
    }
  };
  await read(selection.needed(graph));
  const more = async (): Promise<number | null> => (await selection.neededToo?.(graph, packages)) ?? null;
  // cargo, too, fetches these one by one, as it comes to them.
  for (let index = await more(); index !== null; index = await more()) await read([index]);
  const isKept = !hasSpoken() && isPlain(run) && workspace.rootManifest.replacements.length === 0;
  const mergesMasterBranch = lockfile.version <= 2;
  const dependencies =
    !isKept || lockText === null
      ? null
      : {
          ...{ lockText, mergesMasterBranch, lockPass, catalog, cache, contents, startedMs },
          earlier,
        };
  const keepsNames = isForced || !workspace.manifests.sources.decidedNamesLate;
  return { resolution: graph, packages, isForced, dependencies, keepsNames };
}

/** A report that notes whether anything was said: that is said in every run, and so found out in every run. */
function listenTo(receiver: Report): { readonly report: Report; readonly hasSpoken: () => boolean } {
  let hasSpoken = false;
  const report = reportThrough(receiver, (method, tell) => {
    if (method === 'warning' || method === 'note' || method === 'snippet') hasSpoken = true;
    tell();
  });
  return { report, hasSpoken: () => hasSpoken };
}
