/** The graph of a workspace from what an earlier run left. Nothing here speaks to the network or takes a lock. */
import type { RecalledDependency } from '../../derived/dependency-record.ts';
import { type LockedPackage, type LockPass, recallLockPass } from '../../derived/lock-pass.ts';
import type { PackageView, WholeView, WorkspaceView } from '../../derived/package-view.ts';
import type { PackageId } from '../../package-id/package-id.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { allFeatures, selectFeatures } from '../../resolve/cli-features.ts';
import { closure } from '../../resolve/closure.ts';
import { isSettled } from '../../resolve/is-settled.ts';
import { lockPrevious } from '../../resolve/lock-previous.ts';
import {
  ABSENT,
  type Locks,
  type Patches,
  type Previous,
  type Problem,
  type RejectedVersion,
  type Root,
  type SummaryTable,
  UNKNOWN,
} from '../../resolve/problem.ts';
import type { Resolution } from '../../resolve/resolution.ts';
import { NO_PATCHES, selectPatches } from '../../resolve/select-patches.ts';
import { unusedOverrideFields } from '../../resolve/unused-override-fields.ts';
import type { Dependency, Summary } from '../../summary/summary.ts';
import { matchesReq } from '../../version/matches-req.ts';
import type { Version } from '../../version/version.ts';
import type { LoadedGraph } from './describe-graph.ts';
import type { GraphSelection } from './graph-selection.ts';
import type { LockedDependencies } from './open-records.ts';
import { PackagesOnDisk } from './packages-on-disk.ts';

/** What was left and still holds, and what is asked. */
export interface GraphQuery {
  readonly view: WholeView;
  readonly dependencies: LockedDependencies;
  readonly selection: GraphSelection;
}

/** A graph, and what it was made from. */
export interface RecalledGraph extends LoadedGraph {
  /** Of the recorded dependencies, in their order. */
  readonly summaries: readonly Summary[];
}

type RecalledPackage = LockedPackage & RecalledDependency;
type LockedGraph = Omit<LockPass, 'packages'>;

/**
 * The graph of a workspace whose lock file holds and whose packages are all on disk; null if anything has to
 * be asked, written or fetched. Throws `DamagedRecordError` if a record is damaged.
 */
export function recallGraph({ view, dependencies, selection }: GraphQuery): RecalledGraph | null {
  if (selection.neededToo !== undefined || view.hasReplacements) return null;
  const locked = recallLockPass(dependencies, view.sources);
  if (!view.members.every(({ summary }) => mayBeLocked(summary, locked))) return null;
  if (!dependencies.hold()) return null;
  const recorded = locked.packages();
  const table = new RecalledTable(view, recorded);
  const resolution = resolveLocked(view, { locked, table, selection });
  if (resolution === null) return null;
  const packages = new Map<number, PackageView>();
  for (const index of selection.needed(resolution)) {
    const summary = resolution.packages[index]?.summary;
    const each = summary === undefined ? null : table.packageOf(summary);
    if (each === null) return null;
    packages.set(index, each);
  }
  return { resolution, packages, summaries: recorded.map(({ summary }) => summary) };
}

/** False for a member that was edited so that it needs other packages: that is known before anything is resolved. */
function mayBeLocked({ id, dependencies }: Summary, { ids, edges }: LockedGraph): boolean {
  const at = ids.findIndex(({ key }) => key === id.key);
  const targets = (edges[at] ?? []).flatMap((to) => ids[to] ?? []);
  const isMet = ({ name, req }: Dependency, target: PackageId): boolean =>
    target.name === name && matchesReq(req, target.version);
  return (
    at !== -1 &&
    // A package for its own tests has no edge to itself.
    dependencies.every((dependency) => [id, ...targets].some((target) => isMet(dependency, target))) &&
    targets.every((target) => dependencies.some((dependency) => isMet(dependency, target)))
  );
}

/** Both passes over a lock file that leaves no choice; null if it would change. */
function resolveLocked(
  view: WorkspaceView,
  {
    locked,
    table,
    selection: { requested, isSelected = () => true },
  }: {
    readonly locked: LockedGraph;
    readonly table: SummaryTable;
    readonly selection: GraphSelection;
  },
): Resolution | null {
  const members = view.members.map(({ summary }) => summary);
  const previous: Previous = {
    packages: locked.ids,
    edges: locked.edges,
    replacements: new Map(),
    unusedPatches: [],
    mergesMasterBranch: locked.mergesMasterBranch,
  };
  const patches = choosePatches(view, previous, table);
  if (patches === null) return null;
  const locks = lockPrevious(previous, {
    members,
    pathPackage: (source) => view.pathPackage(source)?.summary ?? null,
    avoid: new Set(),
    sources: view.sources,
  });
  const problem = (roots: readonly Root[], lockedBefore: Locks | null): Problem => ({
    roots,
    locks,
    patches: { ...patches, locks: lockedBefore },
    replacements: [],
    overrides: new Map(),
    // Where everything is locked there is nothing to prefer.
    rustVersions: [],
    offline: false,
  });
  const everything = closure(problem(allFeatures(members), null), table);
  if (everything === null || !isSameGraph(everything, locked)) return null;
  const current = view.current === null ? null : (members[view.current] ?? null);
  const isForAllMembers = current === null || view.resolver !== '1';
  const roots = selectFeatures(requested, {
    members: members.filter(isSelected),
    others: members.filter((member) => !isSelected(member)),
    current,
    isForAllMembers,
  });
  const question = problem(roots, locks);
  return isSettled(question, members, everything) ? everything : closure(question, table);
}

/** The packages of `[patch]`; null if they have to be asked for, or if anything is to be said of them. */
function choosePatches(
  { patches, sources }: WorkspaceView,
  previous: Previous,
  table: SummaryTable,
): Patches | null {
  if (patches.length === 0) return NO_PATCHES;
  if (patches.some(({ dependency }) => unusedOverrideFields(dependency, 'patch') !== null)) return null;
  const outcome = selectPatches(patches, { table, sources, previous });
  return outcome.kind === 'done' && outcome.avoid.size === 0 ? outcome.patches : null;
}

function isSameGraph({ packages, unusedPatches }: Resolution, locked: LockedGraph): boolean {
  return (
    unusedPatches.length === 0 &&
    packages.length === locked.ids.length &&
    packages.every(({ id, edges }, index) => {
      const targets = locked.edges[index];
      return (
        locked.ids[index]?.key === id.key &&
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
  readonly #records = new Map<string, RecalledPackage>();
  readonly #onDisk = new PackagesOnDisk();

  constructor(view: WorkspaceView, records: readonly RecalledPackage[]) {
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

  atHand(source: SourceId, name: string): readonly Summary[] | typeof UNKNOWN {
    return this.all(source, name);
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
    const record = this.#records.get(summary.id.key);
    if (record === undefined || record.content === null || !this.#onDisk.has(record.content)) return null;
    return { ...record.content, summary };
  }
}
