/** Members that the rest of their workspace can be read without. Cargo Book: Workspaces. */
import type { Manifest, PackageManifest } from '../manifest/manifest.ts';
import type { Workspace } from './workspace.ts';

/**
 * True if the manifest says nothing but what its own package is: it is no root, names none, and has no table that only
 * counts in a root. Another such text in its place changes the workspace only by what that package is.
 */
export function isOnlyPackage(manifest: Manifest): manifest is PackageManifest {
  const { kind, workspace, hasProfiles, hasPatches, replacements, resolverIsExplicit } = manifest;
  return (
    kind === 'package' &&
    workspace.kind === 'member' &&
    workspace.root === null &&
    !(hasProfiles || hasPatches || resolverIsExplicit || replacements.length > 0)
  );
}

/** True if nothing is said of a workspace that depends on more than one of its manifests. */
export function hasIndependentMembers({ rootManifest, warnings }: Workspace): boolean {
  const minds = rootManifest.kind === 'virtual' && rootManifest.resolver === null;
  return warnings.length === 0 && !minds;
}
