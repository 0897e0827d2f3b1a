/** A loaded workspace as resolving and describing see it. */
import { madePackageJson } from '../../derived/package-json.ts';
import type { IdForm, PackageView, WorkspaceView } from '../../derived/package-view.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import { metadataTableText } from '../../metadata/document-text.ts';
import { packageText } from '../../metadata/package-text.ts';
import { formatPackageId, type PackageId } from '../../package-id/package-id.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A package, read from its manifest. */
export function viewPackage(manifest: PackageManifest): PackageView {
  const { summary } = manifest;
  return {
    text: madePackageJson(printedIds(summary.id), packageText(manifest)),
    summary,
    libraryName: libraryNameOf(manifest),
  };
}

/** A package id as documents print it. */
export function printedIds(id: PackageId): Readonly<Record<IdForm, string>> {
  return { legacy: formatPackageId(id, 'legacy'), spec: formatPackageId(id, 'spec') };
}

/** The name of a package's library as code refers to it; null if it has none. */
export function libraryNameOf({ targets }: PackageManifest): string | null {
  const library = targets.find(({ kind }) => kind === 'lib');
  return library === undefined ? null : library.name.replaceAll('-', '_');
}

/** A workspace, read from its manifests. Packages on its paths are read when they are asked for. */
export function viewWorkspace(workspace: Workspace): WorkspaceView {
  const { members, defaultMembers, currentManifest, rootManifest, manifests } = workspace;
  const { workspace: relation } = rootManifest;
  const current = members.findIndex((member) => member === currentManifest);
  const memberViews = members.map(viewPackage);
  const byPath = new Map<SourceId, PackageView | null>();
  for (const each of memberViews) byPath.set(each.summary.id.source, each);
  return {
    root: workspace.root,
    members: memberViews,
    defaultMembers: defaultMembers.map((member) => members.indexOf(member)),
    current: current === -1 ? null : current,
    resolver: workspace.resolver,
    patches: rootManifest.patches,
    hasReplacements: rootManifest.replacements.length > 0,
    warnings: workspace.warnings,
    metadataText: metadataTableText(relation.kind === 'root' ? relation.config.metadata : null),
    sources: manifests.sources,
    pathPackage: (source) => {
      let found = byPath.get(source);
      if (found === undefined) byPath.set(source, (found = pathPackage(workspace, source)));
      return found;
    },
  };
}

function pathPackage({ manifests }: Workspace, source: SourceId): PackageView | null {
  try {
    return viewPackage(manifests.loadPathSource(source));
  } catch {
    return null; // Whoever needs it will load it again, and fail.
  }
}
