/** `locate-project`: where a manifest is, or that of its workspace. Cargo Book: cargo locate-project. */
import type { Config } from '../config/config.ts';
import { NodeFiles } from '../disk/node-files.ts';
import type { OperationContext } from '../report/report.ts';
import type { WorkspaceRoots } from '../workspace/manifest-loader.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';
import { openCommandWorkspace } from './workspace/command-workspace.ts';
import { createManifestLoader } from './workspace/open-workspace.ts';

/** What the command line of `locate-project` asks for. */
export interface LocateProjectOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** `--workspace`. */
  readonly workspace: boolean;
}

/**
 * Absolute path of a manifest: the one that was typed, or the nearest, or with `workspace` the root of its workspace,
 * for which all of that is read only where the root does not name the package. Throws in cargo's words.
 */
export function locateProject(
  { config, manifestPath, workspace }: LocateProjectOptions,
  { report }: Pick<OperationContext, 'report'>,
): string {
  const files = new NodeFiles();
  const path = chooseManifest(manifestPath, config, files);
  if (!workspace) return path;
  const roots: WorkspaceRoots = new Map();
  const loader = createManifestLoader(config, { workspace: files, packages: files, roots });
  const root = loader.findNamingRoot(path);
  if (root !== null) return root;
  return openCommandWorkspace({ config, manifestPath, roots }, { report }).workspace.rootManifest.path;
}
