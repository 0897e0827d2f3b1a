/** Loads a workspace. Cargo Book: Workspaces. */
import { parentFolder } from '../../core/files/path.ts';
import type { Manifest, PackageManifest } from '../../core/manifest/manifest.ts';
import { discoverMembers } from './discover-members.ts';
import { notARoot, type ManifestLoader } from './manifest-loader.ts';
import { validateWorkspace } from './validate-workspace.ts';
import { workspaceWarnings } from './workspace-warnings.ts';
import type { Workspace } from './workspace.ts';

/** Options of `loadWorkspace`. */
export interface LoadWorkspaceOptions {
  /** Receives the absolute root folder before the members are loaded; may throw. */
  readonly checkRoot?: (root: string) => void;
}

/**
 * Loads and checks the workspace of the manifest at `manifestPath` (absolute, normalized). Throws with cargo's message
 * and chain of causes. Cargo Book: Workspaces.
 */
export function loadWorkspace(
  manifestPath: string,
  manifests: ManifestLoader,
  { checkRoot }: LoadWorkspaceOptions = {},
): Workspace {
  const currentManifest = manifests.load(manifestPath);
  const rootPath = manifests.findRoot(manifestPath);
  checkRoot?.(parentFolder(rootPath ?? manifestPath));
  if (rootPath === null) return implicitWorkspace(currentManifest, manifests);
  const rootManifest = manifests.load(rootPath);
  const { workspace } = rootManifest;
  if (workspace.kind !== 'root') throw notARoot(rootPath);
  const memberPaths = discoverMembers({ rootManifest, config: workspace.config, currentManifest, manifests });
  validateWorkspace({ rootManifest, currentManifest, memberPaths: memberPaths.members, manifests });
  const members = packagesAt(memberPaths.members, manifests);
  const resolver = rootManifest.resolver ?? '1';
  return {
    root: parentFolder(rootPath),
    rootManifest,
    currentManifest,
    members,
    defaultMembers: packagesAt(memberPaths.defaultMembers, manifests),
    isImplicit: false,
    resolver,
    warnings: workspaceWarnings({ rootManifest, members, resolver }),
    manifests,
  };
}

/** Returns the workspace of a package without `[workspace]` anywhere. */
function implicitWorkspace(manifest: Manifest, manifests: ManifestLoader): Workspace {
  const members = manifest.kind === 'package' ? [manifest] : [];
  return {
    root: parentFolder(manifest.path),
    rootManifest: manifest,
    currentManifest: manifest,
    members,
    defaultMembers: members,
    isImplicit: true,
    resolver: manifest.resolver ?? '1',
    warnings: [],
    manifests,
  };
}

/** Returns the manifests at these paths that are packages. */
function packagesAt(paths: Iterable<string>, manifests: ManifestLoader): PackageManifest[] {
  const packages: PackageManifest[] = [];
  for (const path of paths) {
    const manifest = manifests.load(path);
    if (manifest.kind === 'package') packages.push(manifest);
  }
  return packages;
}
