/** Members that the rest of their workspace can be read without. Cargo Book: Workspaces. */
import type { Manifest, PackageManifest } from '../manifest/manifest.ts';
import type { TomlTable } from '../toml/value.ts';
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

/** `[workspace]`, if nothing is said of the workspace that depends on more than one of its manifests; else null. */
export function tableOfIndependentMembers({ rootManifest, warnings }: Workspace): TomlTable | null {
  const { kind, resolver, workspace } = rootManifest;
  const comparesEditions = kind === 'virtual' && resolver === null;
  return warnings.length > 0 || comparesEditions || workspace.kind !== 'root'
    ? null
    : workspace.config.written;
}
