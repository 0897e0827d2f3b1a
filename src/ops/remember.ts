/** Leaves what a run found out for the next one. */
import { join } from 'node:path';
import type { PackageCache } from '../disk/package-cache.ts';
import type { TracingFiles } from '../disk/tracing-files.ts';
import {
  type DependencyContent,
  type DependencyRecord,
  encodeDependencies,
} from '../derived/dependency-record.ts';
import type { PackageView, WorkspaceView } from '../derived/package-view.ts';
import { type Stamp, takeStamp } from '../derived/stamp.ts';
import type { DerivedStore } from '../derived/store.ts';
import { encodeWorkspace } from '../derived/workspace-record.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { PackageCatalog } from '../sources/catalog.ts';
import { indexFile } from '../sources/index-file.ts';
import type { FetchedPackage } from '../sources/source.ts';
import { parentFolder } from '../files/path.ts';

/** What was loaded of a workspace, and from where. */
export interface LoadedWorkspace {
  readonly manifestPath: string;
  readonly view: WorkspaceView;
  readonly pathPackages: readonly PackageView[];
  readonly trace: TracingFiles;
  readonly registries: ReadonlyMap<string, SourceId>;
}

/** Keeps a workspace, unless something that was read cannot be compared. */
export function rememberWorkspace(loaded: LoadedWorkspace, store: DerivedStore): void {
  const { manifestPath, view, pathPackages, registries } = loaded;
  const trace = loaded.trace.record();
  if (trace !== null)
    store.write('workspace', manifestPath, encodeWorkspace(view, pathPackages, { trace, registries }));
}

/** A run with a lock file that holds. */
export interface ResolvedDependencies {
  readonly root: string;
  readonly lockText: string;
  readonly mergesMasterBranch: boolean;
  /** Of everything that the lock file names. */
  readonly lockPass: Resolution;
  readonly catalog: PackageCatalog;
  readonly cache: PackageCache;
  /** What was fetched and read, by key of its package id. */
  readonly contents: ReadonlyMap<string, { readonly fetched: FetchedPackage; readonly view: PackageView }>;
  /** When the run began. */
  readonly startedMs: number;
}

/**
 * Keeps the packages of a lock file, if each comes from where a change shows: a registry with an index on this
 * disk, or a repository. A file of an index that changed while the run was under way may not be the one that was
 * read; then nothing is kept.
 */
export function rememberDependencies(resolved: ResolvedDependencies, store: DerivedStore): void {
  const { lockPass, catalog, contents, startedMs } = resolved;
  const records: DependencyRecord[] = [];
  for (const { id, summary, replacement } of lockPass.packages) {
    if (replacement !== null) return;
    if (id.source.kind === 'path') continue;
    const source = catalog.sourceOf(id.source);
    const index = indexStamp(indexFile(source.actual, id.name, resolved.cache), startedMs);
    if (index === null && source.actual.kind !== 'git') return;
    records.push({ summary, actual: source.actual, index, content: contentOf(contents.get(id.key)) });
  }
  const file = encodeDependencies({
    lockText: resolved.lockText,
    mergesMasterBranch: resolved.mergesMasterBranch,
    packages: lockPass.packages.map(({ id }) => id),
    edges: lockPass.packages.map(({ edges }) => edges.map(({ to }) => to)),
    records,
  });
  store.write('dependencies', resolved.root, file);
}

function indexStamp(path: string | null, startedMs: number): Stamp | null {
  const stamp = path === null ? null : takeStamp(path);
  return stamp === null || stamp.changedMs >= startedMs ? null : stamp;
}

function contentOf(
  loaded: { readonly fetched: FetchedPackage; readonly view: PackageView } | undefined,
): DependencyContent | null {
  if (loaded === undefined) return null;
  const marker = findMarker(loaded.fetched.root);
  const { libraryName, head, tail } = loaded.view;
  return marker === null ? null : { marker, libraryName, head, tail };
}

/** The file that cargo puts into a folder when it is complete: a package's own, or that of its repository. */
function findMarker(root: string): Stamp | null {
  for (let folder = root; folder !== '/'; folder = parentFolder(folder)) {
    const stamp = takeStamp(join(folder, '.cargo-ok'));
    if (stamp !== null) return stamp;
  }
  return null;
}
