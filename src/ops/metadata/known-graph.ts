/** A workspace and its graph, as far as they are known before anything is resolved. */
import type { AnswerKey } from '../../derived/answer-record.ts';
import type { WholePrintedWorkspace, WholeView } from '../../derived/package-view.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import type { KeptDependencies } from '../graph/kept-dependencies.ts';
import type { LockedDependencies } from '../graph/open-records.ts';
import type { WorkspaceIdentities } from '../graph/remember-workspace.ts';

/** A workspace, with what is asked of it last left to be found out when it is. */
export interface KnownWorkspace extends WholePrintedWorkspace {
  readonly sources: SourceTable;
  /** What tells it from every other state of it that matters; null if that is not known. */
  readonly identity: (about: keyof WorkspaceIdentities) => string | null;
  readonly view: () => WholeView;
  /** What was kept of its dependencies, where it is wanted again if it is no answer. */
  readonly kept?: KeptDependencies;
}

/** A workspace, its dependencies, and what is asked of them. */
export interface KnownGraph {
  readonly workspace: KnownWorkspace;
  readonly dependencies: LockedDependencies;
  readonly key: AnswerKey;
  /** Where the answer is to be left. */
  readonly store: RecordStore;
}
