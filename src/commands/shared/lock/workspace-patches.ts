/** The patches of a workspace. Cargo Book: Overriding Dependencies, The `[patch]` section. */
import type { Patch } from '../../../core/manifest/manifest.ts';
import type { Report } from '../../../core/report/report.ts';
import type { Config } from '../../../io/config/config.ts';
import { addConfigPatches } from '../../../io/sources/config-patches.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';

/** Returns the patches of the root manifest and of the configuration. Throws with cargo's message for invalid ones. */
export function workspacePatches(
  { root, rootManifest, manifests }: Workspace,
  { config, report }: { readonly config: Config; readonly report: Report },
): readonly Patch[] {
  return addConfigPatches(rootManifest.patches, root, { config, sources: manifests.sources, report });
}
