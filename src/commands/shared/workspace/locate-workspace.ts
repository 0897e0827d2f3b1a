/** Finds the root of a workspace. Cargo Book: cargo locate-project, --workspace. */
import type { Config } from '../../../io/config/config.ts';
import type { Files } from '../../../core/files/files.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import type { WorkspaceRoots } from '../../../io/workspace/manifest-loader.ts';
import { openCommandWorkspace } from './command-workspace.ts';
import { createManifestLoader } from './open-workspace.ts';

/**
 * Returns the absolute path of the workspace root's manifest for the manifest at the absolute `path`. Reads the whole
 * workspace only if the root does not name the package. Throws with cargo's messages.
 */
export function locateWorkspace(
  path: string,
  { config, files }: { readonly config: Config; readonly files: Files },
  { report }: Pick<OperationContext, 'report'>,
): string {
  const roots: WorkspaceRoots = new Map();
  const loader = createManifestLoader(config, { workspace: files, packages: files, roots });
  const root = loader.findNamingRoot(path);
  if (root !== null) return root;
  return openCommandWorkspace({ config, manifestPath: path, roots }, { report }).workspace.rootManifest.path;
}
