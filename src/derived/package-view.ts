/** What is kept of a package, and of a workspace: what the document prints, and what resolving asks for. */
import type { Warning } from '../errors/warning.ts';
import type { TextSink } from '../files/text-sink.ts';
import type { PatchedUrl } from '../package-id/patched-url.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Dependency, Summary } from '../summary/summary.ts';

/** One package as the document prints it. */
export interface PrintedPackage {
  readonly text: PackageJson;
}

/** JSON text of a package: as text, or as UTF-8 bytes where it was kept from an earlier run. */
export interface PackageJson {
  /** What stands before and behind the id. */
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
  /** The id. */
  id(form: IdForm): string;
  /** The id as JSON text. */
  idText(form: IdForm): string | Uint8Array;
  /** Gives `out` all of it, with that form of the id. */
  write(form: IdForm, out: TextSink): void;
}

/** The forms of package ids that a document can have. */
export type IdForm = 'legacy' | 'spec';

/** One package. */
export interface PackageView extends PrintedPackage {
  readonly summary: Summary;
  /** Name of its library as code refers to it; null if it has none. */
  readonly libraryName: string | null;
}

/** A workspace as the document prints it. */
export interface PrintedWorkspace {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** In discovery order. */
  readonly members: readonly PrintedPackage[];
  /** Indexes into `members`. */
  readonly defaultMembers: readonly number[];
  /** Warnings about the workspace. */
  readonly warnings: readonly Warning[];
  /** `[workspace.metadata]` as JSON text. */
  readonly metadataText: string;
}

/** A workspace with the packages on its paths that are no members, as the document prints them. */
export interface WholePrintedWorkspace extends PrintedWorkspace {
  readonly pathPackages: readonly PrintedPackage[];
}

/** One entry of `[patch]`. */
export interface PatchView {
  /** The source that is patched. */
  readonly source: PatchedUrl;
  readonly dependency: Dependency;
  /** The file that it is written in. */
  readonly definedIn: string;
}

/** A workspace as resolving sees it. */
export interface WorkspaceView extends PrintedWorkspace {
  readonly members: readonly PackageView[];
  /** Index into `members` of the package that the command was started on; null for a virtual manifest. */
  readonly current: number | null;
  readonly resolver: '1' | '2' | '3';
  /** `[patch]` of the root. */
  readonly patches: readonly PatchView[];
  /** True if the root has `[replace]`. */
  readonly hasReplacements: boolean;
  readonly sources: SourceTable;
  /** The package in the folder of a path source; null if it cannot be loaded. */
  pathPackage(source: SourceId): PackageView | null;
}

/** A workspace with the packages that its members lead to over paths, and that are no members. */
export interface WholeView extends WorkspaceView {
  readonly pathPackages: readonly PackageView[];
}
