/** The workspace of commands that read only manifests. Cargo Book: Workspaces. */
import type { Config } from '../../../io/config/config.ts';
import { resolverSettings, type ResolverSettings } from '../../../io/config/resolver-settings.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { TsregError } from '../../../core/errors/error.ts';
import type { Files } from '../../../core/files/files.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import type { Report } from '../../../core/report/report.ts';
import type { WorkspaceRoots } from '../../../io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { chooseManifest, openWorkspace } from './open-workspace.ts';

/** The workspace to open. */
export interface CommandWorkspaceOptions {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  /** Known workspace roots. */
  readonly roots?: WorkspaceRoots;
}

/** A workspace, with the files and settings used to read it. */
export interface CommandWorkspace {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly settings: ResolverSettings;
}

/** Reads a workspace and reports its warnings. Throws with cargo's chain of causes. */
export function openCommandWorkspace(
  { config, manifestPath, roots = new Map() }: CommandWorkspaceOptions,
  { report }: { readonly report: Report },
): CommandWorkspace {
  const files = new NodeFiles();
  const path = chooseManifest(manifestPath, config, files);
  const { workspace } = openWorkspace(path, config, { workspace: files, packages: files, roots });
  const settings = resolverSettings(config, (text) => report.warning(text));
  for (const warning of workspace.warnings) report.warning(warning);
  return { workspace, files, settings };
}

/** Returns the package that a command was started on. Throws `manifest`, with `hint`, if it is a virtual manifest. */
export function currentPackage(
  { currentManifest }: Workspace,
  { hint }: { readonly hint?: string } = {},
): PackageManifest {
  if (currentManifest.kind === 'package') return currentManifest;
  throw new TsregError(
    `manifest path \`${currentManifest.path}\` is a virtual manifest, but this command requires running against ` +
      'an actual package in this workspace',
    { code: 'manifest', ...(hint === undefined ? {} : { hint }) },
  );
}
