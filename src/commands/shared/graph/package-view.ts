/** Packages and workspaces in the form that resolving and describing need. */
import type { Warning } from '../../../core/errors/warning.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { metadataTableText } from '../../../core/document/document-text.ts';
import { packageText } from '../../../core/document/package-text.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';

/** A package in the form that resolving and describing need. */
export interface PackageView {
  readonly summary: Summary;
  /** The name of its library in code; null if it has none. */
  readonly libraryName: string | null;
  /** Its JSON in the document before and after its id, as text or UTF-8. */
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
  readonly warnings: readonly Warning[];
  /** `[workspace.metadata]` as JSON text. */
  readonly metadataText: string;
}

/** Returns the view of the package that `manifest` describes. */
export function viewPackage(manifest: PackageManifest): PackageView {
  return { summary: manifest.summary, libraryName: libraryNameOf(manifest), text: packageText(manifest) };
}

/** Returns the name of a package's library in code; null if it has none. */
function libraryNameOf({ targets }: PackageManifest): string | null {
  const library = targets.find(({ kind }) => kind === 'lib');
  return library === undefined ? null : library.name.replaceAll('-', '_');
}

/** Returns the view of a loaded workspace. */
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
