import { PackagePacks } from '../../cache/package-pack.ts';
import { joinPath, parentFolder } from '../../files/path.ts';
import type { WorkerPool } from '../../disk/worker-pool.ts';
import { ancestors } from '../../workspace/find-manifest.ts';
import { BUILD } from '../version.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import type { ManifestQueue } from './manifest-queue.ts';

/** Fewer are not worth it: to start a thread and load its program takes as long as to read some sixty manifests. */
const MIN_PACKAGES = 100;

/**
 * Begins to read the packages of the nearest lock file above the manifest of a run in another thread. null if there are
 * few of them, or the package cache has any: then most need not be read.
 */
export async function prefetchManifests(
  { manifestPath, files, options }: WorkspaceRun,
  workers: WorkerPool,
): Promise<ManifestQueue | null> {
  const { config, lockfilePath } = options;
  if (config.env.TSREG_CACHE === 'off' || !new PackagePacks(config.home, BUILD).isEmpty) return null;
  const nearest = Array.from(ancestors(parentFolder(manifestPath)), (folder) =>
    joinPath(folder, 'Cargo.lock'),
  ).find((path) => files.kind(path) === 'file');
  const lockFile = lockfilePath ?? nearest;
  if (lockFile === undefined) return null;
  const [{ lockedPackages }, { ManifestQueue }] = await Promise.all([
    import('./locked-packages.ts'),
    import('./manifest-queue.ts'),
  ]);
  const locations = lockedPackages(lockFile, config);
  return locations.length < MIN_PACKAGES
    ? null
    : new ManifestQueue(locations, { cargoHome: config.home, workers });
}
