/** What an earlier run found out, as far as it still holds. Nothing here speaks to the network or takes a lock. */
import type { Config } from '../config/config.ts';
import { registryIndex } from '../config/registry-index.ts';
import {
  decodeDependencies,
  type DependencyRecord,
  type LockedDependencies,
} from '../derived/dependency-record.ts';
import type { PackageView, WorkspaceView } from '../derived/package-view.ts';
import { stampHolds } from '../derived/stamp.ts';
import type { DerivedStore } from '../derived/store.ts';
import { decodeWorkspace } from '../derived/workspace-record.ts';
import type { Files } from '../files/files.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { allFeatures, selectFeatures } from '../resolve/cli-features.ts';
import { closure } from '../resolve/closure.ts';
import { lockPrevious } from '../resolve/lock-previous.ts';
import {
  ABSENT,
  type Previous,
  type Problem,
  type RejectedVersion,
  type RequestedFeatures,
  type Root,
  type SummaryTable,
  UNKNOWN,
} from '../resolve/problem.ts';
import type { Resolution } from '../resolve/resolution.ts';
import { NO_PATCHES } from '../resolve/select-patches.ts';
import { SourceReplacement } from '../sources/source-replacement.ts';
import type { Summary } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';
import { type LoadedGraph, neededPackages } from './describe-workspace.ts';
import type { PlatformFilter } from './platform-filter.ts';

/** Where earlier runs left what they found, and what it is held against. */
export interface RecallContext {
  readonly store: DerivedStore;
  readonly config: Config;
  readonly files: Files;
}

/** The workspace of the manifest at an absolute path; null if it must be loaded. */
export function recallWorkspace(manifestPath: string, context: RecallContext): WorkspaceView | null {
  const { store, config, files } = context;
  const file = store.read('workspace', manifestPath);
  if (file === null) return null;
  return decodeWorkspace(file, { files, registry: (name, sources) => registryIndex(config, name, sources) });
}

/** What the graph is asked for. */
export interface GraphQuery {
  readonly lockText: string;
  readonly requested: RequestedFeatures;
  readonly platforms: PlatformFilter;
}

/**
 * The graph of a workspace whose lock file holds and whose packages are all on disk; null if anything has to
 * be asked, written or fetched.
 */
export function recallGraph(
  view: WorkspaceView,
  query: GraphQuery,
  context: RecallContext,
): LoadedGraph | null {
  const { store, config } = context;
  const file = store.read('dependencies', view.root);
  const locked = file === null ? null : decodeDependencies(file, query.lockText, view.sources);
  if (locked === null || !hold(locked, view, config)) return null;
  const table = new RecalledTable(view, locked.records);
  const resolution = resolveLocked(view, { locked, table, requested: query.requested });
  if (resolution === null) return null;
  const packages = new Map<number, PackageView>();
  for (const index of neededPackages(view, resolution, query.platforms)) {
    const summary = resolution.packages[index]?.summary;
    const each = summary === undefined ? null : table.packageOf(summary);
    if (each === null) return null;
    packages.set(index, each);
  }
  return { resolution, packages };
}

/** True if every source is still the same, and every file of an index. */
function hold({ records }: LockedDependencies, { sources }: WorkspaceView, config: Config): boolean {
  const replacement = new SourceReplacement(config, sources);
  const checked = new Set<SourceId>();
  for (const { summary, actual, index } of records) {
    const { source } = summary.id;
    if (!checked.has(source)) {
      if (replacement.actualOf(source) !== actual) return false;
      checked.add(source);
    }
    if (index !== null && !stampHolds(index)) return false;
  }
  return true;
}

/** Both passes over a lock file that leaves no choice; null if it would change. */
function resolveLocked(
  view: WorkspaceView,
  {
    locked,
    table,
    requested,
  }: {
    readonly locked: LockedDependencies;
    readonly table: SummaryTable;
    readonly requested: RequestedFeatures;
  },
): Resolution | null {
  const members = view.members.map(({ summary }) => summary);
  const previous: Previous = {
    packages: locked.packages,
    edges: locked.edges,
    replacements: new Map(),
    unusedPatches: [],
    mergesMasterBranch: locked.mergesMasterBranch,
  };
  const problem = (roots: readonly Root[]): Problem => ({
    roots,
    locks: lockPrevious(previous, {
      members,
      pathPackage: (source) => view.pathPackage(source)?.summary ?? null,
      avoid: new Set(),
      sources: view.sources,
    }),
    patches: NO_PATCHES,
    replacements: [],
    overrides: new Map(),
    // Where everything is locked there is nothing to prefer.
    rustVersions: [],
    offline: false,
  });
  const everything = closure(problem(allFeatures(members)), table);
  if (everything === null || !isSameGraph(everything, locked)) return null;
  const current = view.current === null ? null : (members[view.current] ?? null);
  const isForAllMembers = current === null || view.resolver !== '1';
  return closure(problem(selectFeatures(requested, { members, current, isForAllMembers })), table);
}

function isSameGraph({ packages }: Resolution, locked: LockedDependencies): boolean {
  return (
    packages.length === locked.packages.length &&
    packages.every(({ id, edges }, index) => {
      const targets = locked.edges[index];
      return (
        locked.packages[index]?.key === id.key &&
        targets !== undefined &&
        targets.length === edges.length &&
        edges.every(({ to }, at) => targets[at] === to)
      );
    })
  );
}

/** Answers from records alone; whatever is not in them is unknown. */
class RecalledTable implements SummaryTable {
  readonly #view: WorkspaceView;
  readonly #records = new Map<string, DependencyRecord>();

  constructor(view: WorkspaceView, records: readonly DependencyRecord[]) {
    this.#view = view;
    for (const record of records) this.#records.set(record.summary.id.key, record);
  }

  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    if (source.kind === 'path') {
      const found = this.all(source, name);
      return found === UNKNOWN
        ? UNKNOWN
        : (found.find(({ id }) => id.version.text === version.text) ?? ABSENT);
    }
    const summary = this.#records.get(`${name} ${version.text} ${source.unpinnedKey}`)?.summary;
    return summary !== undefined && summary.id.source === source ? summary : UNKNOWN;
  }

  all(source: SourceId, name: string): readonly Summary[] | typeof UNKNOWN {
    const summary = source.kind === 'path' ? this.#view.pathPackage(source)?.summary : undefined;
    return summary !== undefined && summary.id.name === name ? [summary] : UNKNOWN;
  }

  rejected(): readonly RejectedVersion[] {
    return [];
  }

  isDownloaded(): boolean {
    return true;
  }

  /** A package that is on disk; null if it has to be fetched or read first. */
  packageOf(summary: Summary): PackageView | null {
    if (summary.id.source.kind === 'path') return this.#view.pathPackage(summary.id.source);
    const content = this.#records.get(summary.id.key)?.content ?? null;
    return content === null || !stampHolds(content.marker) ? null : { summary, ...content };
  }
}
