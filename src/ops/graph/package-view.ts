/** Packages and workspaces as resolving and describing see them. */
import type { Warning } from '../../errors/warning.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import { metadataTableText } from '../../metadata/document-text.ts';
import { packageText } from '../../metadata/package-text.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** One package. */
export interface PackageView {
  readonly summary: Summary;
  /** Name of its library as code refers to it; null if it has none. */
  readonly libraryName: string | null;
  /** Its JSON in the document before and behind its id, as text or as UTF-8. */
  readonly text: { readonly head: string | Uint8Array; readonly tail: string | Uint8Array };
}

/** A workspace, read from its manifests. */
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
}

/** A package, read from its manifest. */
export function viewPackage(manifest: PackageManifest): PackageView {
  return { summary: manifest.summary, libraryName: libraryNameOf(manifest), text: packageText(manifest) };
}

/** The name of a package's library as code refers to it; null if it has none. */
function libraryNameOf({ targets }: PackageManifest): string | null {
  const library = targets.find(({ kind }) => kind === 'lib');
  return library === undefined ? null : library.name.replaceAll('-', '_');
}

/** A workspace, read from its manifests. */
export function viewWorkspace(workspace: Workspace): WorkspaceView {
  const { root, members, defaultMembers, currentManifest, rootManifest, resolver, warnings } = workspace;
  const { workspace: relation } = rootManifest;
  const current = members.findIndex((member) => member === currentManifest);
  return {
    root,
    members: members.map(viewPackage),
    defaultMembers: defaultMembers.map((member) => members.indexOf(member)),
    current: current === -1 ? null : current,
    resolver,
    warnings,
    metadataText: metadataTableText(relation.kind === 'root' ? relation.config.metadata : null),
  };
}
