/** `locate-project`: finds a manifest, or the root manifest of its workspace. Cargo Book: cargo locate-project. */
import type { Config } from '../../io/config/config.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { chooseManifest } from '../shared/workspace/open-workspace.ts';

/** The command-line options of `locate-project`. */
export interface LocateProjectOptions {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  /** True to find the root manifest of the workspace. */
  readonly workspace: boolean;
}

/**
 * Returns the absolute path of a manifest: `manifestPath`, else the nearest one; with `workspace`, the root manifest of
 * its workspace. Throws cargo's errors.
 */
export async function locateProject(
  { config, manifestPath, workspace }: LocateProjectOptions,
  { report }: Pick<OperationContext, 'report'>,
): Promise<string> {
  const files = new NodeFiles();
  const path = chooseManifest(manifestPath, config, files);
  if (!workspace) return path;
  // Reading manifests needs most of the program, so it is loaded only here.
  const { locateWorkspace } = await import('../shared/workspace/locate-workspace.ts');
  return locateWorkspace(path, { config, files }, { report });
}
