/** The resolved graph of a workspace with its packages on disk. */
import { present } from '../../../core/errors/assert.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import { UnpackThreads } from '../../../io/sources/unpack-threads.ts';
import { resolveWorkspace } from '../lock/resolve-workspace.ts';
import { PublishAgePolicy } from '../lock/publish-age.ts';
import { RustVersion } from '../lock/rust-version.ts';
import { workspacePatches } from '../lock/workspace-patches.ts';
import { lockedFlag, offlineFlag } from '../workspace/access-flags.ts';
import { openCatalog } from '../workspace/open-catalog.ts';
import type { OpenedWorkspace } from '../workspace/open-workspace.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import { overridingLockfilePath, type WorkspaceRun } from '../workspace/workspace-run.ts';
import type { LoadedGraph } from './describe-graph.ts';
import type { GraphSelection } from './graph-selection.ts';
import { PackageReader } from './package-reader.ts';
import type { PackageView } from './package-view.ts';

/** A loaded graph, and the whole lock file that it is a part of. */
export interface LockedGraph extends LoadedGraph {
  readonly lockResolution: Resolution;
}

/** Brings `Cargo.lock` up to date, fetches the needed packages and reads their manifests. */
export async function loadGraph(
  run: WorkspaceRun,
  opened: OpenedWorkspace,
  selection: GraphSelection,
): Promise<LockedGraph> {
  const unpacking = new UnpackThreads();
  try {
    return await resolveAndRead(run, opened, { selection, unpacking });
  } finally {
    await unpacking.close();
  }
}

/** Like `loadGraph`, with threads that the caller closes. */
async function resolveAndRead(
  run: WorkspaceRun,
  opened: OpenedWorkspace,
  { selection, unpacking }: { readonly selection: GraphSelection; readonly unpacking: UnpackThreads },
): Promise<LockedGraph> {
  const { options, files } = run;
  const { config, verbosity } = options;
  const { workspace } = opened;
  const context = { ...run.context, signal: operationSignal(run.context.signal) };
  const { report } = context;
  const lockContext = { ...context, env: config.env };
  const cache = new PackageCache(config.home, lockContext);
  const catalog = openCatalog(
    opened,
    { config, files, cache, offlineFlag: offlineFlag(options), verbosity, unpacking },
    context,
  );
  const { graph, lockResolution } = await resolveWorkspace(
    { ...selection, overrides: () => catalog.readPathOverrides() },
    {
      workspace,
      catalog,
      patches: () => workspacePatches(workspace, { config, report }),
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: overridingLockfilePath(run),
      incompatibleRustVersions: run.settings().incompatibleRustVersions,
      rustVersion: new RustVersion(config, options.toolchain, context.signal),
      publishAge: new PublishAgePolicy(config),
      reportsChanges: true,
    },
    lockContext,
  );
  const reader = new PackageReader(catalog, {
    cargoHome: config.home,
    cacheMode: config.env.TSREG_CACHE,
  });
  return { resolution: graph, lockResolution, packages: await readPackages(graph, selection, reader) };
}

/** Fetches and reads the packages that `selection` needs. Returns them by their index into the resolution. */
async function readPackages(
  resolution: Resolution,
  { neededPackages, nextNeededPackage }: GraphSelection,
  reader: PackageReader,
): Promise<ReadonlyMap<number, PackageView>> {
  const packages = new Map<number, PackageView>();
  const read = async (indexes: readonly number[]): Promise<void> => {
    const summaries = indexes.map(
      (index) => present(resolution.packages[index], 'a package of the resolution').summary,
    );
    const views = await reader.read(summaries);
    for (const [position, index] of indexes.entries()) {
      packages.set(index, present(views[position], 'a package'));
    }
  };
  await read(neededPackages(resolution));
  if (nextNeededPackage === undefined) return packages;
  // Like cargo, fetch these one by one.
  for (;;) {
    const index = await nextNeededPackage(resolution, packages);
    if (index === null) return packages;
    await read([index]);
  }
}
