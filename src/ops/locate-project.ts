/** `locate-project`: where a manifest is, or that of its workspace. Cargo Book: cargo locate-project. */
import type { Config } from '../config/config.ts';
import { NodeFiles } from '../disk/node-files.ts';
import type { OperationContext } from '../report/report.ts';
import { chooseManifest } from './workspace/choose-manifest.ts';

/** What the command line of `locate-project` asks for. */
export interface LocateProjectOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** `--workspace`. */
  readonly workspace: boolean;
}

/**
 * Absolute path of a manifest: the one that was typed, or the nearest, or with `workspace` the root of its workspace.
 * Throws in cargo's words.
 */
export async function locateProject(
  { config, manifestPath, workspace }: LocateProjectOptions,
  { report }: Pick<OperationContext, 'report'>,
): Promise<string> {
  const files = new NodeFiles();
  const path = chooseManifest(manifestPath, config, files);
  if (!workspace) return path;
  // Reading manifests takes most of the program.
  const { locateWorkspace } = await import('./workspace/locate-workspace.ts');
  return locateWorkspace(path, { config, files }, { report });
}
