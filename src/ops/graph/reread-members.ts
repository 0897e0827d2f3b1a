/** A workspace of which some members were edited: these are read again, and the others are as an earlier run left them. */
import { parseKept } from '../../derived/damaged-record-error.ts';
import { type EditedMember, encodeEdits } from '../../derived/edits-record.ts';
import { encodeWorkspace, type WorkspaceOrigin } from '../../derived/encode-workspace.ts';
import { isSameText, type MemberOrigin, meaningOf } from '../../derived/member-record.ts';
import type { PackageView, WholePrintedWorkspace, WholeView } from '../../derived/package-view.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { RecalledWorkspace } from '../../derived/workspace-record.ts';
import {
  type EncodedSummaries,
  encodeSummaries,
  keptSummaries,
  recallSummaries,
} from '../../derived/workspace-summaries.ts';
import { TraceSections, type TracingFiles } from '../../disk/tracing-files.ts';
import { readKeptWorkspace } from '../../manifest/kept-workspace.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { tableOfJson } from '../../toml/toml-json.ts';
import { isOnlyPackage } from '../../workspace/independent-members.ts';
import type { WorkspaceRoots } from '../../workspace/manifest-loader.ts';
import { createLoaders } from '../workspace/open-workspace.ts';
import type { WorkspaceRun } from '../workspace/workspace-run.ts';
import { viewPackage } from './workspace-view.ts';

/** A workspace as it is now. */
export interface RereadWorkspace {
  readonly printed: WholePrintedWorkspace;
  /** Throws `DamagedRecordError`. */
  readonly view: () => WholeView;
  /** What resolving asks. */
  readonly summaries: EncodedSummaries;
  /** Leaves it for the next run. */
  readonly remember: (store: RecordStore) => void;
}

/** A member that was read again. */
interface RereadMember {
  readonly origin: MemberOrigin;
  readonly view: PackageView;
  readonly isSameToOthers: boolean;
}

/** Where more of a workspace's members were edited than one in so many, all of it is kept anew. */
const MEMBERS_PER_EDIT = 4;

/**
 * Reads the members with these indexes again. null where that is not enough, as the workspace has to be read in another
 * way now. Throws with cargo's chain of causes, and `DamagedRecordError`.
 */
export function rereadMembers(
  run: WorkspaceRun,
  earlier: RecalledWorkspace,
  edited: readonly number[],
): RereadWorkspace | null {
  const reader = new MemberReader(run, earlier);
  const found = new Map<number, RereadMember>();
  for (const index of edited) {
    const member = reader.read(index);
    if (member === null) return null;
    found.set(index, member);
  }
  const printed: RecalledWorkspace = {
    ...earlier,
    members: earlier.members.map((each, index) => found.get(index)?.view ?? each),
  };
  const isSame = Array.from(found.values()).every(({ isSameToOthers }) => isSameToOthers);
  let whole: WholeView | null = null;
  const view = (): WholeView => (whole ??= reader.viewWith(printed, isSame ? [] : edited));
  const kept = keptSummaries(earlier.container);
  const summaries = isSame ? kept : encodeSummaries(view(), kept);
  const { manifestPath } = run;
  const { rereadBefore, container } = earlier;
  const edits = new Map<number, EditedMember>(rereadBefore);
  for (const [index, member] of found) edits.set(index, { trace: member.origin.trace, printed: member.view });
  const isLittle = isSame && edits.size * MEMBERS_PER_EDIT <= earlier.members.length;
  const origin = isLittle ? null : originOf(earlier, found, { manifestPath, summaries });
  return {
    printed,
    view,
    summaries,
    remember: (store) => {
      if (origin === null) store.write('edits', manifestPath, encodeEdits(edits, container.identity));
      else store.write('workspace', manifestPath, encodeWorkspace(printed, origin));
    },
  };
}

/** What the workspace was read from by now, the members that were read again among the others. */
function originOf(
  { origins, rereadBefore, registries, container }: RecalledWorkspace,
  found: ReadonlyMap<number, RereadMember>,
  { manifestPath, summaries }: Pick<WorkspaceOrigin, 'manifestPath' | 'summaries'>,
): WorkspaceOrigin {
  const members = origins.map(
    ({ manifestPath, trace, meaning }, index): MemberOrigin =>
      found.get(index)?.origin ?? {
        manifestPath,
        meaning,
        trace: rereadBefore.get(index)?.trace ?? trace,
      },
  );
  return {
    ...{ manifestPath, registries, summaries, members },
    ...{ trace: container.block('trace'), root: container.block('root') },
  };
}

interface LoadedMember {
  readonly manifest: Manifest;
  readonly trace: TracingFiles;
  readonly registries: ReadonlyMap<string, SourceId>;
}

class MemberReader {
  readonly #run: WorkspaceRun;
  readonly #earlier: RecalledWorkspace;
  #roots: WorkspaceRoots | null = null;

  constructor(run: WorkspaceRun, earlier: RecalledWorkspace) {
    this.#run = run;
    this.#earlier = earlier;
  }

  /** null if others have to be read as well. */
  read(index: number): RereadMember | null {
    const before = this.#earlier.origins[index];
    const wanted = before?.meaning ?? null;
    if (before === undefined || wanted === null) return null;
    const { manifestPath } = before;
    // Sources of its own: as this manifest spells them, whatever others do.
    const { manifest, trace, registries } = this.#load(manifestPath, new SourceTable());
    if (!isOnlyPackage(manifest)) return null;
    if (Array.from(registries.keys()).some((name) => !this.#earlier.registries.has(name))) return null;
    const view = viewPackage(manifest);
    const meaning = meaningOf(view);
    const record = trace.record();
    if (record === null || !isSameText(meaning.ties, wanted.ties)) return null;
    const isSameToOthers = isSameText(meaning.rest, wanted.rest);
    return { origin: { manifestPath, trace: record, meaning }, view, isSameToOthers };
  }

  /** The workspace as resolving sees it, with the members of these indexes as they are now. */
  viewWith(printed: RecalledWorkspace, changed: readonly number[]): WholeView {
    const { sources } = printed;
    const view = recallSummaries(printed);
    const again = new Map<number, PackageView>();
    for (const index of changed) {
      const { manifestPath } = this.#earlier.origins[index] ?? {};
      if (manifestPath === undefined) continue;
      const { manifest } = this.#load(manifestPath, sources);
      if (manifest.kind === 'package') again.set(index, viewPackage(manifest));
    }
    const members = view.members.map((each, index) => again.get(index) ?? each);
    const byPath = new Map(Array.from(again.values(), (each) => [each.summary.id.source, each]));
    return { ...view, members, pathPackage: (source) => byPath.get(source) ?? view.pathPackage(source) };
  }

  #load(manifestPath: string, sources: SourceTable): LoadedMember {
    const { options, files } = this.#run;
    const sections = new TraceSections(files);
    const { manifests, registries } = createLoaders(options.config, {
      workspace: files,
      manifest: (path) => sections.of(path),
      packages: files,
      sources,
      roots: new Map(this.#knownRoots()),
    });
    return { manifest: manifests.load(manifestPath), trace: sections.of(manifestPath), registries };
  }

  /** What members may inherit from is known before any of them is read, as it is where all of them are. */
  #knownRoots(): WorkspaceRoots {
    const { root, container } = this.#earlier;
    if (this.#roots === null) {
      const text = Buffer.from(container.block('root')).toString();
      this.#roots = new Map([[root, readKeptWorkspace(parseKept(() => tableOfJson(text), 'root'))]]);
    }
    return this.#roots;
  }
}
