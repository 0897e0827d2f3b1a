/** Leaves what a run found out for the next one. */
import { identityOf } from '../../derived/container.ts';
import { encodeDependencies, type KeptPackage } from '../../derived/encode-dependencies.ts';
import type { PackageView } from '../../derived/package-view.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { PackageCache } from '../../disk/package-cache.ts';
import { type Stamp, takeStamp } from '../../disk/stamp.ts';
import type { Resolution } from '../../resolve/resolution.ts';
import type { PackageCatalog } from '../../sources/catalog.ts';
import { SourceFiles } from '../../sources/source-files.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { AskedQuestion } from './answer.ts';
import type { EarlierPackages } from './earlier-packages.ts';
import type { LoadedWorkspace } from './open-run.ts';
import { type EarlyRecord, rememberWorkspace } from './remember-workspace.ts';

/** A package that was fetched and read. */
export interface LoadedPackage {
  readonly fetched: FetchedPackage;
  readonly view: PackageView;
  /** Its manifest as it was before it was read; null where a later state of it might look the same. */
  readonly manifest: Stamp | null;
}

/** A run with a lock file that holds. */
export interface ResolvedDependencies {
  readonly lockText: string;
  readonly mergesMasterBranch: boolean;
  /** Of everything that the lock file names. */
  readonly lockPass: Resolution;
  readonly catalog: PackageCatalog;
  readonly cache: PackageCache;
  /** What was fetched and read, by key of its package id. */
  readonly contents: ReadonlyMap<string, LoadedPackage>;
  /** What came from an earlier run, and is still the same. */
  readonly earlier: Pick<EarlierPackages, 'indexStamp' | 'recordOf' | 'unused'>;
  /** When the run began. */
  readonly startedMs: number;
  /** The question that was asked, and the answer; null where something else than the lock file had a say in it. */
  readonly asked: AskedQuestion | null;
}

/** A workspace, its record if that was made before, and its dependencies; null for what is not to be kept. */
export interface Rememberable {
  readonly workspace: LoadedWorkspace | null;
  readonly early: EarlyRecord | null;
  readonly dependencies: ResolvedDependencies | null;
}

/**
 * Keeps a workspace, unless something that was read cannot be compared, and with it its dependencies, unless one of
 * them comes from where no change would show.
 */
export function remember({ workspace, early, dependencies }: Rememberable, store: RecordStore): void {
  if (workspace === null) return;
  const kept = rememberWorkspace(workspace, store, early);
  if (kept === null || dependencies === null) return;
  const { view, registries } = workspace;
  const { root } = view;
  const files = new SourceFiles(dependencies.cache);
  const packages = keptPackages(dependencies, files);
  const sources = keptSources(dependencies, files);
  if (packages === null || sources === null) return;
  const { lockPass, lockText, asked } = dependencies;
  const ids = lockPass.packages.map(({ id }) => id);
  const edges = lockPass.packages.map((each) => each.edges.map(({ to }) => to));
  const base = dependencies.earlier.recordOf(packages, lockText);
  const file = encodeDependencies(
    { ...dependencies, ids, edges, packages, sourceFiles: sources },
    { root, lockText, registries, base },
  );
  store.write(base === null ? 'dependencies' : 'changes', root, file);
  if (asked === null) return;
  const recorded = {
    members: view.members,
    pathPackages: view.pathPackages,
    dependencies: packages.map(({ summary }) => summary),
  };
  const key = { question: asked.question, workspace: kept[asked.about], dependencies: identityOf(file) };
  const answer = asked.encode(recorded, key);
  if (answer !== null) store.write('answer', asked.question, answer);
}

/**
 * The packages of the lock file, if each comes from where a change shows: a registry with an index on this disk, or
 * a repository. A file of an index that another program changed while the run was under way may not be the one that
 * was read; then nothing is kept.
 */
function keptPackages(
  { lockPass, catalog, cache, contents, earlier, startedMs }: ResolvedDependencies,
  files: SourceFiles,
): KeptPackage[] | null {
  const kept: KeptPackage[] = [];
  for (const { id, summary, replacement } of lockPass.packages) {
    if (replacement !== null) return null;
    if (id.source.kind === 'path') continue;
    const { actual } = catalog.sourceOf(id.source);
    const paths = files.indexFiles(actual, id.name);
    const index =
      writtenStamp(paths, cache) ?? earlier.indexStamp(summary) ?? unchangedStamp(paths, startedMs);
    if (index === null && actual.kind !== 'git') return null;
    const loaded = contents.get(id.key);
    const content = loaded === undefined ? earlier.unused(summary) : contentOf(loaded);
    kept.push({ summary, actual, index, content });
  }
  return kept;
}

/** The files that tell whether the sources need be asked; null if one of them is not there. */
function keptSources(
  { lockPass, catalog, contents }: ResolvedDependencies,
  files: SourceFiles,
): Map<string, readonly Stamp[]> | null {
  const kept = new Map<string, readonly Stamp[]>();
  for (const { id } of lockPass.packages) {
    const { source } = id;
    if (source.kind === 'path' || kept.has(source.key)) continue;
    const { actual } = catalog.sourceOf(source);
    const root = contents.get(id.key)?.fetched.root ?? null;
    const stamps: Stamp[] = [];
    for (const path of files.required(actual, root)) {
      const stamp = takeStamp(path);
      if (stamp === null) return null;
      stamps.push(stamp);
    }
    kept.set(source.key, stamps);
  }
  return kept;
}

/** The stamp of the file that this run wrote; null if it is none of these. */
function writtenStamp(paths: readonly string[], cache: PackageCache): Stamp | null {
  for (const path of paths) {
    const written = cache.writtenStamp(path);
    if (written !== null) return written;
  }
  return null;
}

/** The stamp of the first file that is there, if it did not change while the run was under way; null for all others. */
function unchangedStamp(paths: readonly string[], startedMs: number): Stamp | null {
  for (const path of paths) {
    const stamp = takeStamp(path);
    if (stamp !== null) return stamp.changedMs >= startedMs ? null : stamp;
  }
  return null;
}

function contentOf({ manifest, view, fetched }: LoadedPackage): KeptPackage['content'] {
  return manifest === null ? null : { manifest, archive: fetched.archive ?? null, view };
}
