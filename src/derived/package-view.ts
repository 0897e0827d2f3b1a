/** What is kept of a package, and of a workspace: all that resolving and describing ask for. */
import type { Warning } from '../errors/warning.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Summary } from '../summary/summary.ts';

/** One package. */
export interface PackageView {
  readonly summary: Summary;
  /** Name of its library as code refers to it; null if it has none. */
  readonly libraryName: string | null;
  /** JSON text before and behind its id: as text, or as UTF-8 bytes where it was kept from an earlier run. */
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** A workspace without overrides. */
export interface WorkspaceView {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** In discovery order. */
  readonly members: readonly PackageView[];
  /** Indexes into `members`. */
  readonly defaultMembers: readonly number[];
  /** Index into `members` of the package that the command was started on; null for a virtual manifest. */
  readonly current: number | null;
  readonly resolver: '1' | '2' | '3';
  /** Warnings about the workspace. */
  readonly warnings: readonly Warning[];
  /** `[workspace.metadata]` as JSON text. */
  readonly metadataText: string;
  readonly sources: SourceTable;
  /** The package in the folder of a path source; null if it cannot be loaded. */
  pathPackage(source: SourceId): PackageView | null;
}
