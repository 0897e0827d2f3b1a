/** The package sources of a command. */
import type { Config } from '../../../io/config/config.ts';
import type { PackageCache } from '../../../io/disk/package-cache.ts';
import type { Files } from '../../../core/files/files.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { createCatalog, type PackageCatalog } from '../../../io/sources/catalog.ts';
import type { NetworkContext } from '../../../io/sources/source-context.ts';
import type { UnpackThreads } from '../../../io/sources/unpack-threads.ts';
import type { OpenedWorkspace } from './open-workspace.ts';

/** Options for a catalog. */
export interface OpenCatalogOptions extends NetworkContext {
  readonly config: Config;
  readonly files: Files;
  readonly cache: PackageCache;
  /** Threads that unpack downloads; by default each fetch starts its own. */
  readonly unpacking?: UnpackThreads;
  /** The catalog of a workspace that the command used before; null or omitted if there is none. */
  readonly earlier?: PackageCatalog | null;
}

/** Returns the catalog for a command on a workspace. Throws if `[source]` is invalid. */
export function openCatalog(
  { workspace, packages }: OpenedWorkspace,
  { earlier = null, ...options }: OpenCatalogOptions,
  context: OperationContext,
): PackageCatalog {
  const { manifests } = workspace;
  return createCatalog(
    {
      ...context,
      ...options,
      sources: manifests.sources,
      // No query makes these sources out of date. In their folders, `paths` finds only the package that was read.
      preloaded: Array.from(manifests.loaded()).flatMap((manifest) =>
        manifest.kind === 'package' ? manifest.summary.id.source : [],
      ),
      // The workspace's loader has already read many path packages. Unpacked packages have their own loader.
      load: (path, source) => (source.kind === 'path' ? manifests : packages).load(path, source),
    },
    earlier,
  );
}
